internal import Geometry
internal import PlainText
internal import Processes

/// What the program of a camera waits for: the newest line `waiting: TEXT` of its standard error, until a picture arrives.
///
/// A program that waits for a sender is silent like one that hangs, so it must say so.
struct CaptureWaiting: Sendable {
    private static let mark = "waiting: "

    /// Whether no pictures are expected.
    private(set) var isWaiting = false
    /// What it waits for, as one line of at most 120 scalars, or nil if it does not wait. It is also nil as long as it has
    /// said too much.
    private(set) var text: String?
    /// The newest text that was not looked at, because too much was said. Raw bytes, because of a flood most are never shown.
    private var newest: [UInt8]?
    /// Five texts at once, and one every ten seconds: each is a line of the log.
    private var allowance = Allowance(0.1, most: 5)

    /// Processes a line of standard error. Returns whether it says that the program waits.
    mutating func read(_ line: [UInt8], now: Seconds) -> Bool {
        guard line.starts(with: Self.mark.utf8), line.count > Self.mark.utf8.count else { return false }
        isWaiting = true
        newest = Array(line.dropFirst(Self.mark.utf8.count))
        show(now: now)
        return true
    }

    /// Shows the newest text if that is permitted by now.
    mutating func show(now: Seconds) {
        guard let newest, allowance.available(now: now) > 0 else { return }
        self.newest = nil
        let new = ForeignText.name(String(decoding: newest, as: UTF8.self))
        guard new != text else { return }
        _ = allowance.spend(now: now)
        text = new
    }

    /// When `show` must be called, or nil.
    var deadline: Seconds? { newest == nil ? nil : allowance.due(1) }

    /// Records that the wait has ended: with a picture, or with the program.
    mutating func end() { (isWaiting, text, newest) = (false, nil, nil) }
}
