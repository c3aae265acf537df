internal import ControlProtocol
internal import PlainText

/// One line about what left this machine, or was asked for: what, when, to whom.
public struct AuditRecord: Sendable, Equatable {
    /// What happened.
    public enum What: String, Sendable {
        /// A connection: the device's name left.
        case connected
        /// The server heard of a chunk: its time, camera and size left.
        case announced
        /// A server requested chunks.
        case requested
        /// A server wanted a recording.
        case recordRequested = "record requested"
        /// A file began to leave.
        case sending
        /// The server has confirmed the whole file.
        case sent
        /// A file left at most in part, or the server did not keep it.
        case failed
    }

    /// What happened.
    public var what: What
    /// When, Unix seconds.
    public var time: Double
    /// The server: the owner's name for it, and its address.
    public var server, address: String
    /// The fingerprint of the server's certificate, or nil without encryption.
    public var certificate: String?
    /// The file's name on the server, and its bytes.
    public var file: String?, bytes: Int?
    /// The part of the past that it shows or that was requested.
    public var range: TimeRange?
    /// The result, in words.
    public var result: String?

    /// The line, JSON with its line end.
    public var line: [UInt8] { JSONValue.object(members).bytes + [0x0A] }

    private var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "what": .string(what.rawValue), "time": .string(UTCTime.text(time)), "server": .string(server),
            "address": .string(address),
        ]
        members["certificate"] = certificate.map(JSONValue.string)
        members["file"] = file.map(JSONValue.string)
        members["bytes"] = bytes.map(JSONValue.number)
        members["from"] = range.map { .string(UTCTime.text($0.start)) }
        members["to"] = range.map { .string(UTCTime.text($0.end)) }
        members["result"] = result.map { .string(ForeignText.line($0)) }
        return members
    }
}
