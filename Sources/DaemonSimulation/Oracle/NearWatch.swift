internal import Geometry

/// The lower speed while a person is near, as the loop has confirmed it.
struct NearWatch {
    private var share = 1.0
    private var since: Seconds = .infinity, until: Seconds = -.infinity

    /// How long the head may take to slow down, seconds.
    static let patience: Seconds = 0.5
    /// Rounding of times, seconds.
    static let rounding: Seconds = 1e-6

    /// The loop has taken it. One that comes before the last has ended continues it, unless it is lower.
    mutating func slowed(to new: Double, for duration: Seconds, at time: Seconds) {
        if time >= until || new < share { since = time }
        (share, until) = (new, time + duration)
    }

    /// A daemon that has just started knows of no person.
    mutating func forget() { self = NearWatch() }

    /// The fraction of the speed that may not be exceeded now; 1 if there is no limit.
    ///
    /// The host's clock stands still while the machine sleeps, so there it lasts longer, never shorter.
    func allowed(at time: Seconds) -> Double {
        time > since + Self.patience && time < until - Self.rounding ? share : 1
    }
}
