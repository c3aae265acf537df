internal import Geometry

/// Decides whether a face or a hand is near the head. It may only make the head slower. It is a help and no safeguard: what
/// was not measured is not near.
struct NearWatch: Sendable, Equatable {
    /// What follows from a look.
    enum Change: Sendable, Equatable {
        /// Something has come near.
        case began
        /// It is still near, and the loop needs the order again.
        case renewed
        /// It is not near any more.
        case ended
    }

    /// Nearer than this begins it, and farther than this ends it, in metres.
    static let begins = 0.3, ends = 0.4
    /// How long all must be farther to end it, and how long it lasts at most without any look, in seconds.
    static let calm: Seconds = 0.5, timeout: Seconds = 2
    /// The fraction of the speed that is left, how long one order to the loop lasts, and when it is repeated, in seconds.
    static let share = 0.3, life: Seconds = 1.5, repeats: Seconds = 0.5

    /// Whether something is near.
    private(set) var isNear = false
    /// Whether the eyes lean back: something is near, and the head moves.
    private(set) var leans = false
    private var lastClose: Seconds = -.infinity, lastFar: Seconds = -.infinity
    private var toldAt: Seconds = -.infinity

    /// Takes a look. `metres` is the least distance that was measured, less its error, or nil if nothing was.
    mutating func look(_ metres: Double?, now: Seconds) -> Change? {
        if let metres {
            if metres < (isNear ? Self.ends : Self.begins) { lastClose = now } else { lastFar = now }
        }
        let gone = now - lastClose
        guard isNear else {
            guard gone == 0 else { return nil }
            (isNear, toldAt) = (true, now)
            return .began
        }
        if gone > Self.timeout || gone > Self.calm && lastFar > lastClose {
            isNear = false
            return .ended
        }
        guard now - toldAt >= Self.repeats else { return nil }
        toldAt = now
        return .renewed
    }

    /// Takes whether the head moves. Returns whether the eyes lean back, if that changes.
    mutating func moves(_ isMoving: Bool) -> Bool? {
        guard leans != (isNear && isMoving) else { return nil }
        leans.toggle()
        return leans
    }
}
