public import ControlProtocol
internal import PlainText

/// A message of the server. The server passes on what others send it without checking types, so each field may be a
/// string, null or missing.
public enum ServerMessage: Sendable, Equatable {
    /// The server's requests about recording, once after each connection. The members are not checked yet.
    case configuration([String: JSONValue])
    /// The server requests the chunks of a time.
    case uploadRange(TimeRange)
    /// The server wants a recording.
    case record(RecordRequest)
    /// The result of the oldest message that has no answer yet.
    case answer(ServerAnswer)
    /// Anything else, in words for the log.
    case unknown(String)

    /// Reads a message from text. Every text is a message; one without a meaning is `unknown`.
    public init(_ bytes: [UInt8]) {
        guard let value = ForeignJSON.value(bytes) else {
            self = .unknown("a message that is not JSON: \(ForeignText.line(bytes: bytes, longest: 80))")
            return
        }
        guard let members = value.object else {
            self = .unknown("a message that is not an object: \(ForeignText.line(bytes: bytes, longest: 80))")
            return
        }
        self = Self.read(members)
    }

    private static func read(_ members: [String: JSONValue]) -> ServerMessage {
        if let type = members["type"]?.string {
            guard type == "clientConfig" else { return .unknown("an unknown type: \(ForeignText.name(type))") }
            guard let config = members["config"]?.object else { return .unknown("a clientConfig without a config") }
            return .configuration(config)
        }
        if let answer = ServerAnswer(members) { return .answer(answer) }
        guard let command = members["command"] else { return .unknown("a message without type, status or command") }
        switch command.string {
        case "uploadTimeRange": return range(members)
        case "record": return .record(RecordRequest(members))
        case let other?: return .unknown("an unknown command: \(ForeignText.name(other))")
        case nil: return .unknown("a command that is not text")
        }
    }

    private static func range(_ members: [String: JSONValue]) -> ServerMessage {
        guard let start = members["startTime"]?.looseNumber, let end = members["endTime"]?.looseNumber else {
            return .unknown("a request for chunks whose times are not numbers")
        }
        guard let range = TimeRange(start: start, end: end) else {
            return .unknown("a request for chunks that ends before it starts")
        }
        return .uploadRange(range)
    }
}

/// The result of a message: `{"status":"success"|"error","message":TEXT}`.
public struct ServerAnswer: Sendable, Equatable {
    /// Whether the server has accepted the message.
    public let isSuccess: Bool
    /// The server's words, as one plain line. Two servers use different words for the same error.
    public let text: String

    /// Creates an answer.
    public init(isSuccess: Bool, text: String) { (self.isSuccess, self.text) = (isSuccess, ForeignText.line(text)) }

    /// Whether the words are those for a message that was no file. Both servers use the same.
    var isAboutAnotherMessage: Bool { text.hasPrefix("Chunk saved") || text.hasPrefix("Test message") }

    init?(_ members: [String: JSONValue]) {
        guard let status = members["status"]?.string else { return nil }
        // Any other status is no success.
        self.init(isSuccess: status == "success", text: members["message"]?.string ?? status)
    }
}

/// What a server says when it wants a recording. Today's servers send only the command; version 0.2 also sent the rest.
public struct RecordRequest: Sendable, Equatable {
    /// The duration without one in the message, in seconds.
    public static let usualDuration = 30.0

    /// How long, in seconds. Positive and finite, but not limited otherwise.
    public let duration: Double
    /// Whether the server also wants the chunks.
    public let wantsUpload: Bool
    /// The camera: `front` or `back`, or nil if the message names none.
    public let camera: String?

    /// Creates a request.
    public init(duration: Double = usualDuration, wantsUpload: Bool = false, camera: String? = nil) {
        (self.duration, self.wantsUpload, self.camera) = (duration, wantsUpload, camera)
    }

    init(_ members: [String: JSONValue]) {
        let milliseconds = members["duration"]?.looseNumber ?? 0
        let camera = members["camera"]?.string
        self.init(
            duration: milliseconds > 0 && milliseconds.isFinite ? milliseconds / 1000 : Self.usualDuration,
            wantsUpload: members["autoUpload"]?.bool ?? false,
            camera: camera == "front" || camera == "back" ? camera : nil)
    }
}

extension JSONValue {
    /// A finite number, also one that is written as a string.
    var looseNumber: Double? {
        let value: Double? =
            switch self {
            case .number(let number): number
            case .string(let text): text.utf8.count <= 40 ? Double(text) : nil
            default: nil
            }
        guard let value, value.isFinite else { return nil }
        return value
    }
}
