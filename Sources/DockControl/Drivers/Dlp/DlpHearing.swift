internal import Geometry

/// Whether the dock hears: each of its reports names the set-point that it took last.
///
/// Its deadman flag does not tell it alone. A dock that goes deaf while it stands has nothing to stop, and so nothing to flag; told to
/// turn, it would look like one that something blocks.
struct DlpHearing: Sendable {
    /// A dock that has not taken any of the set-points of so long does not hear, seconds: its deadman.
    static let patience: Seconds = 0.25
    /// A dock that answers something hears; it says no to set-points twice a second at most (DLP/1), seconds.
    static let grace: Seconds = 0.6

    /// The newest set-points, one second of them at least.
    private var written = Recent<UInt8>(capacity: 64)
    /// When the oldest of those that came after the last one it took was written.
    private var waitsSince: Seconds?
    /// It has named one of ours. Whoever never fills the field in says 0, and is not judged by it.
    private var isTrusted = false
    private var answeredAt: Seconds = -.infinity

    /// Whether it did not when it wrote its report.
    func isDeaf(at time: Seconds) -> Bool {
        guard isTrusted, let waitsSince else { return false }
        return time - waitsSince > Self.patience && time - answeredAt > Self.grace
    }

    mutating func wrote(sequence: UInt8, now: Seconds) {
        written.append(sequence, at: now)
        if waitsSince == nil { waitsSince = now }
    }

    /// A report named the set-point that the dock took last.
    mutating func took(sequence: UInt8) {
        guard isTrusted || sequence != 0,
            let index = (0..<written.count).last(where: { written[$0].value == sequence })
        else { return }
        isTrusted = true
        waitsSince = index + 1 < written.count ? written[index + 1].time : nil
    }

    /// It answered something: it hears, whatever it thinks of set-points.
    mutating func answered(now: Seconds) { answeredAt = now }
}
