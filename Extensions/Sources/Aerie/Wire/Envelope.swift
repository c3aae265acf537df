public import ControlProtocol

/// The kinds of messages.
public enum MessageKind: String, Sendable, CaseIterable {
    /// A client says who it is.
    case authRequest
    /// The server's answer to that, and to any message that it does not understand.
    case authResponse
    /// A picture, with the place and the lens of its camera.
    case cameraFrame
    /// Where people are.
    case poseBroadcast
    /// A sign of life. The server answers each one.
    case heartbeat
    /// A server asks for a picture of the video that needs no other one. The source system does not know it.
    case keyFrame
}

/// One message as it travels: `{"type":T,"timestamp":SECONDS,"payload":BASE64}`, where the payload is the text of
/// another JSON object.
public struct Envelope: Sendable, Equatable {
    /// What kind of message it is, as the sender wrote it.
    public var type: String
    /// When it was sent, in Unix seconds on the sender's clock.
    public var time: Double
    /// The members of the message.
    public var payload: [String: JSONValue]

    /// Why a text is no message.
    public enum Flaw: String, Error, Sendable {
        case tooLong = "the message is too long"
        case notJSON = "the message is not JSON"
        case incomplete = "the message has no type, no time or no payload"
        case payload = "the payload is not the base64 form of a JSON object"
    }

    /// Reads a message.
    /// - Parameter longest: the greatest number of bytes.
    public init(_ text: [UInt8], longest: Int) throws(Flaw) {
        guard text.count <= longest else { throw .tooLong }
        guard let outer = JSONValue(json: text) else { throw .notJSON }
        guard let type = outer["type"]?.string, let time = outer["timestamp"]?.number, time.isFinite,
            let payload = outer["payload"]?.string
        else { throw .incomplete }
        guard let inner = Base64.decode(Array(payload.utf8)), let members = JSONValue(json: inner)?.object else {
            throw .payload
        }
        (self.type, self.time, self.payload) = (type, time, members)
    }

    /// Returns the text of a message.
    /// - Parameter payload: the text of a JSON object.
    public static func text(_ kind: MessageKind, at time: WireTime, payload: [UInt8]) -> [UInt8] {
        let encoded = Base64.encode(payload)
        var text: [UInt8] = []
        text.reserveCapacity(encoded.count + 96)
        text += #"{"type":""#.utf8
        text += kind.rawValue.utf8
        text += #"","timestamp":"#.utf8
        text += time.text.utf8
        text += #","payload":""#.utf8
        text += encoded
        text += #""}"#.utf8
        return text
    }

    /// Returns the text of a message.
    public static func text(_ kind: MessageKind, at time: WireTime, _ members: [String: JSONValue]) -> [UInt8] {
        text(kind, at: time, payload: JSONValue.object(members).bytes)
    }
}
