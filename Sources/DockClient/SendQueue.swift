/// The lines that wait to be sent, as a pure value. A stop goes before all lines that have not begun.
struct SendQueue: Sendable {
    private var lines: [[UInt8]] = []
    /// The number of bytes of the first line that were sent.
    private var sent = 0
    /// The number of bytes that wait.
    private(set) var count = 0

    var isEmpty: Bool { lines.isEmpty }

    /// The bytes to send next.
    var piece: ArraySlice<UInt8> { lines.first.map { $0[sent...] } ?? [] }

    /// Adds a line, with its end.
    mutating func add(_ line: [UInt8], isUrgent: Bool = false) {
        count += line.count
        if isUrgent { lines.insert(line, at: sent > 0 ? 1 : 0) } else { lines.append(line) }
    }

    /// Removes bytes of the piece that were sent.
    mutating func didSend(_ number: Int) {
        // The queue may have been emptied meanwhile.
        guard let first = lines.first else { return }
        let number = min(number, first.count - sent)
        (sent, count) = (sent + number, count - number)
        if sent == first.count {
            lines.removeFirst()
            sent = 0
        }
    }
}
