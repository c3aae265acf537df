/// Joins the frames of messages, as a pure value, with a limit (RFC 6455, section 5).
struct MessageAssembler: Sendable, Equatable {
    enum Kind: Sendable, Equatable { case text, binary, continuation }

    enum Outcome: Sendable, Equatable {
        /// More frames must follow.
        case incomplete
        /// A message is complete.
        case message(WebSocketEvent)
        /// The server broke the protocol, in words.
        case violation(String)
        /// The message is larger than the limit.
        case tooLarge
    }

    /// The largest message, in bytes.
    var limit: Int
    private var kind: Kind?
    private var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Receives a data frame. `bytes` is read only if it fits.
    mutating func receive(_ new: Kind, isLast: Bool, count: Int, _ content: () -> [UInt8]) -> Outcome {
        switch (kind, new) {
        case (nil, .continuation): return .violation("a continuation without a beginning")
        case (nil, _): kind = new
        case (_, .continuation): break
        default: return .violation("a message inside of another one")
        }
        guard count <= limit, bytes.count <= limit - count else { return .tooLarge }
        bytes += content()
        guard isLast else { return .incomplete }
        defer { (kind, bytes) = (nil, []) }
        return .message(kind == .text ? .text(bytes) : .binary(bytes))
    }
}
