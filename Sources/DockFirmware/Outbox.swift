internal import DockWire

/// An answer that waits for room on the link.
enum Reply: Sendable {
    case hello
    case acknowledge(Acknowledgement)
    case timeSync(host: UInt32, dock: UInt32)
    case limits(DockAxis)
    case parameter(ParameterKey)
}

/// Output that waits: at most 16 answers in order, and the current frame.
///
/// Reports are not queued. They are built from the newest state when the link has room for them.
struct Outbox: Sendable {
    private var replies = InlineArray<16, Reply>(repeating: .hello)
    private var first = 0
    private var count = 0
    private var frame: EncodedFrame?
    private var sent = 0
    private var encoder = FrameEncoder()

    /// Answers that found no room. The host repeats its request.
    private(set) var lost: UInt32 = 0

    var isEmpty: Bool { count == 0 && frame == nil }

    mutating func append(_ reply: Reply) {
        guard count < 16 else {
            lost &+= 1
            return
        }
        replies[(first + count) % 16] = reply
        count += 1
    }

    mutating func removeFirst() -> Reply? {
        guard count > 0 else { return nil }
        let reply = replies[first]
        first = (first + 1) % 16
        count -= 1
        return reply
    }

    mutating func start(_ message: DockMessage) {
        frame = encoder.encode(message)
        sent = 0
    }

    /// The next byte of the current frame.
    mutating func nextByte() -> UInt8? {
        guard let frame else { return nil }
        let byte = frame[sent]
        sent += 1
        if sent >= frame.count { self.frame = nil }
        return byte
    }
}
