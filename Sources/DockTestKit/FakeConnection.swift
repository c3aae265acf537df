internal import ControlProtocol

/// One connection of a fake daemon, as a pure value: the lines that arrive, and the bytes that wait to be sent.
struct FakeConnection: Sendable {
    /// The most bytes that wait for a program that does not read. It is then disconnected.
    static let capacity = 8 << 20

    /// The topics to which it has subscribed.
    var topics: Set<Topic> = []
    /// Whether it ends when everything is sent.
    private(set) var isEnding = false
    /// The bytes that wait.
    private(set) var outbox: [UInt8] = []
    private var framer = LineFramer()

    /// Adds what has arrived. Returns the whole lines.
    mutating func receive(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
        framer.append(bytes)
        var lines: [[UInt8]] = []
        while let item = framer.next() {
            // The real daemon refuses a longer line, and ends the connection.
            guard case .line(let line) = item else {
                isEnding = true
                break
            }
            lines.append(line)
        }
        return lines
    }

    /// Adds bytes to send.
    mutating func send(_ bytes: some Collection<UInt8>) {
        guard !isEnding else { return }
        guard outbox.count + bytes.count <= Self.capacity else { return end() }
        outbox.append(contentsOf: bytes)
    }

    /// Adds a line to send.
    mutating func send(_ json: JSONValue) { send(json.bytes + [0x0A]) }

    /// Removes bytes that were sent.
    mutating func didSend(_ count: Int) { outbox.removeFirst(count) }

    /// Ends the connection after what waits.
    mutating func end() { isEnding = true }
}
