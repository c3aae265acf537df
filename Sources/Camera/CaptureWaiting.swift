internal import Geometry
internal import PlainText
internal import Processes

/// What the program of a camera waits for: the newest line `waiting: TEXT` of its standard error, until a picture arrives.
///
/// A program that waits for a sender is silent like one that hangs, so it must say so.
struct CaptureWaiting: Sendable {
    private static let mark = "waiting: "
    /// The most bytes of a line that count. The text is shorter.
    private static let longest = 4 * ForeignText.longestName

    /// Whether no pictures are expected.
    private(set) var isWaiting = false
    /// What it waits for, as one line of at most 120 scalars, or nil if it does not wait. It is also nil as long as it has
    /// said too much.
    private(set) var text: String?
    /// The newest text that was not looked at, because too much was said. Raw bytes, because of a flood most are never shown.
    private var newest: [UInt8]?
    private var line: [UInt8] = []
    /// Five texts at once, and one every ten seconds: each is a line of the log.
    private var allowance = Allowance(0.1, most: 5)

    /// Returns whether a line of the program is one of these.
    static func isMarked(_ line: String) -> Bool { line.utf8.starts(with: mark.utf8) }

    /// Processes bytes of standard error.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, now: Seconds) {
        for byte in bytes {
            if byte == 0x0A {
                take(now)
            } else if line.count < Self.longest {
                line.append(byte)
            }
        }
    }

    private mutating func take(_ now: Seconds) {
        defer { line.removeAll(keepingCapacity: true) }
        if line.last == 0x0D { line.removeLast() }
        guard line.starts(with: Self.mark.utf8), line.count > Self.mark.utf8.count else { return }
        isWaiting = true
        newest = Array(line.dropFirst(Self.mark.utf8.count))
        show(now: now)
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

    /// Records a picture: the program waits no longer.
    mutating func end() { (isWaiting, text, newest) = (false, nil, nil) }

    /// Forgets what the program has said, because it has ended.
    mutating func reset() {
        end()
        line = []
    }
}
