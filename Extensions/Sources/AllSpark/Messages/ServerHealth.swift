internal import ControlProtocol

/// Which of the two servers is at the other end. They differ in what they accept.
public enum ServerVariant: Sendable, Equatable {
    case unknown
    /// Takes companions.
    case python
    /// Takes a companion that parses as JSON for metadata, so it gets none.
    case node
}

/// The answer to `GET /api/health`.
public struct ServerHealth: Sendable, Equatable {
    /// Whether the server says that it is well.
    public let isWell: Bool
    /// What the form of its time says about the server: a number in Python, text in Node.
    public let variant: ServerVariant

    /// Reads an answer. The result is nil if it is not that of an AllSpark server.
    public init?(_ bytes: [UInt8]) {
        guard let members = ForeignJSON.value(bytes)?.object, let status = members["status"]?.string else { return nil }
        isWell = status == "ok"
        switch members["timestamp"] {
        case .number: variant = .python
        case .string: variant = .node
        default: variant = .unknown
        }
    }
}
