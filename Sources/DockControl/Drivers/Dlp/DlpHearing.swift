internal import Geometry

/// Determines whether the dock receives set-points: each of its reports names the last one that it accepted.
///
/// The dock's deadman flag alone does not show this. A dock that stops receiving while it is at rest has no motion to
/// stop, and therefore nothing to flag. When commanded to turn, it would look like a blocked dock.
struct DlpHearing: Sendable {
    /// The time after which a dock that has accepted none of its set-points is deaf, in seconds: its deadman time.
    static let patience: Seconds = 0.25
    /// The time after its last answer to any message during which a dock is not deaf, in seconds. It rejects set-points
    /// at most twice a second (DLP/1).
    static let grace: Seconds = 0.6

    /// The newest set-points, covering at least one second.
    private var written = Recent<UInt8>(capacity: 64)
    /// When the oldest set-point after the last accepted one was written.
    private var waitsSince: Seconds?
    /// Whether the dock has named one of our set-points. A dock that never fills in the field reports 0 and is not
    /// evaluated by it.
    private var isTrusted = false
    private var answeredAt: Seconds = -.infinity

    /// Returns whether the dock was deaf when it wrote its report.
    func isDeaf(at time: Seconds) -> Bool {
        guard isTrusted, let waitsSince else { return false }
        return time - waitsSince > Self.patience && time - answeredAt > Self.grace
    }

    mutating func wrote(sequence: UInt8, now: Seconds) {
        written.append(sequence, at: now)
        if waitsSince == nil { waitsSince = now }
    }

    /// Processes the number of the set-point that a report names as the last accepted one.
    mutating func recordAccepted(sequence: UInt8) {
        guard isTrusted || sequence != 0,
            let index = (0..<written.count).last(where: { written[$0].value == sequence })
        else { return }
        isTrusted = true
        waitsSince = index + 1 < written.count ? written[index + 1].time : nil
    }

    /// Records that the dock answered a message, so it is not deaf, even if it rejects set-points.
    mutating func answered(now: Seconds) { answeredAt = now }
}
