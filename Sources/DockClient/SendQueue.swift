/// The lines that wait to be sent, as a pure value. A stop goes before all lines that have not begun.
struct SendQueue: Sendable {
    private var lines: [[UInt8]] = []
    /// The number of bytes of the first line that were sent.
    private var sent = 0
    /// Whether the first line was taken, so that its bytes may be on their way and no line may go before it.
    private var isFirstTaken = false
    /// The number of bytes that wait.
    private(set) var count = 0

    var isEmpty: Bool { lines.isEmpty }

    /// Returns the bytes to send next. They stay until `didSend`, which must follow.
    mutating func take() -> ArraySlice<UInt8> {
        isFirstTaken = !lines.isEmpty
        return lines.first.map { $0[sent...] } ?? []
    }

    /// Adds a line, with its end.
    mutating func add(_ line: [UInt8], isUrgent: Bool = false) {
        count += line.count
        if isUrgent { lines.insert(line, at: isFirstTaken ? 1 : 0) } else { lines.append(line) }
    }

    /// Adds a stop before all lines that have not begun. `again` goes behind them, because they may be motions, which
    /// must not outlive the stop that has overtaken them.
    mutating func addStop(_ line: [UInt8], again: @autoclosure () -> [UInt8]) {
        let overtakes = lines.count > (isFirstTaken ? 1 : 0)
        add(line, isUrgent: true)
        if overtakes { add(again()) }
    }

    /// Removes the bytes that were sent of those that were taken, perhaps none.
    mutating func didSend(_ number: Int) {
        // The queue may have been emptied meanwhile.
        guard let first = lines.first else { return isFirstTaken = false }
        let number = min(number, first.count - sent)
        (sent, count) = (sent + number, count - number)
        if sent == first.count {
            lines.removeFirst()
            sent = 0
        }
        isFirstTaken = sent > 0
    }
}
