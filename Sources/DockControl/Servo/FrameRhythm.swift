internal import Geometry

/// Determines when frames arrive, and how long their absence is normal.
struct FrameRhythm: Sendable {
    /// Whether a program's observations control the head. If they are slow, their end is detected sooner than a
    /// detector's.
    var isImpatient = false
    private var last: Seconds?
    /// The usual time between frames, in seconds.
    private(set) var period: Seconds = 1.0 / 15

    /// Records a frame.
    mutating func arrived(at time: Seconds) {
        if let last, time > last, time - last < 0.5 { period += 0.1 * (time - last - period) }
        last = time
    }

    /// Forgets the last frame, but not the period.
    mutating func reset() { last = nil }

    /// The silence after which the detector counts as stale, in seconds since the last frame.
    var staleAfter: Seconds {
        let usual = max(0.12, 2.5 * period) * (SafetyMutant.staleLate.isOn ? 2 : 1)
        return isImpatient ? min(usual, max(0.3, 1.5 * period)) : usual
    }

    /// When the detector counts as stale if no frame arrives, or nil if none has arrived yet.
    var deadline: Seconds? { last.map { $0 + staleAfter } }

    /// Returns whether frames arrive.
    func isAlive(at now: Seconds) -> Bool { last != nil && !isStale(at: now) }

    /// Returns whether no frame has arrived for too long.
    func isStale(at now: Seconds) -> Bool { last.map { now - $0 > staleAfter } ?? false }
}
