internal import Geometry

/// Whether the dock hears: each of its reports names the set-point that it took last.
///
/// Its deadman flag does not tell it alone. A dock that goes deaf while it stands has nothing to stop, and so nothing to flag; told to
/// turn, it would look like one that something blocks.
struct DlpHearing: Sendable {
    /// A dock that has not taken any of the set-points of so long does not hear, seconds: its deadman.
    static let patience: Seconds = 0.25
    /// Set-points that were named before that is judged: whoever never fills the field in names one by chance.
    private static let trusted = 2

    /// The newest set-points, one second of them at least.
    private var written = Recent<UInt8>(capacity: 64)
    /// When the oldest of those that came after the last one it took was written.
    private var waitsSince: Seconds?
    private var named = 0
    private var last: UInt8?

    /// Whether it did not when it wrote its report.
    func isDeaf(at time: Seconds) -> Bool {
        guard named >= Self.trusted, let waitsSince else { return false }
        return time - waitsSince > Self.patience
    }

    mutating func wrote(sequence: UInt8, now: Seconds) {
        written.append(sequence, at: now)
        if waitsSince == nil { waitsSince = now }
    }

    /// A report named the set-point that the dock took last.
    mutating func took(sequence: UInt8) {
        guard let index = (0..<written.count).last(where: { written[$0].value == sequence }) else { return }
        if last != sequence { named += 1 }
        last = sequence
        waitsSince = index + 1 < written.count ? written[index + 1].time : nil
    }

    /// It answered something: it hears, whatever it thinks of set-points.
    mutating func answered(now: Seconds) {
        if waitsSince != nil { waitsSince = now }
    }
}
