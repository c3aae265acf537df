internal import Geometry

/// A lower speed for a short time, because a person is near. It ends by itself, so a session that no longer watches cannot
/// leave the head slow. It only ever lowers the speed.
struct NearLimit: Sendable, Equatable {
    /// The permitted fractions of the speed, and the longest time, in seconds.
    static let shares = 0.1...1.0, longest: Seconds = 2

    private var fraction = 1.0
    private var until: Seconds = -.infinity

    /// Begins or renews it. Returns false, without effect, if a number is out of range.
    mutating func set(_ share: Double, for duration: Seconds, now: Seconds) -> Bool {
        guard Self.shares.contains(share), duration > 0, duration <= Self.longest else { return false }
        (fraction, until) = (share, now + duration)
        return true
    }

    /// The fraction of the speed at a time.
    /// - Parameter start: when the planned motion under way began, or nil if there is none. One that was slowed stays slow
    ///   to its end, because it would catch up with its path.
    func share(at now: Seconds, plannedSince start: Seconds? = nil) -> Double {
        let isSlow = now < until || start.map { $0 < until } ?? false
        return isSlow && !SafetyMutant.ignoresNearness.isOn ? fraction : 1
    }
}
