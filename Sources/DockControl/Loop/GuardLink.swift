internal import Geometry

/// The loop's side of its guard: the heartbeat, and a new guard in place of one that has ended.
struct GuardLink {
    /// The guard, which stops the dock when the loop cannot, or nil if there is none.
    private let guardian: RecordedGuard?
    private var pulse = GuardPulse()
    private var renewal = GuardRenewal()

    init(_ guardian: RecordedGuard?) { self.guardian = guardian }

    /// Whether there is a guard, running or not.
    var exists: Bool { guardian != nil }
    /// Whether a guard is running.
    var isAlive: Bool { guardian?.isAlive == true }
    /// Whether the guard assumes that the dock moves.
    var expectsHeartbeats: Bool { pulse.isMoving }
    /// The descriptor for `poll`; -1 if there is nothing to wait for. The descriptor of an ended guard would always be
    /// readable.
    var descriptor: Int32 {
        guardian.map { $0.isAlive || $0.isAwaited ? $0.descriptor : -1 } ?? -1
    }

    /// Begins a turn of the loop.
    func beginTurn() { guardian?.beginTurn() }

    /// Hands an opened port to the guard, and the bytes that stop the dock.
    mutating func watch(_ link: any ByteLink, stop: [UInt8]) {
        guardian?.watch(link, stop: stop)
        pulse.reset()
    }

    /// Makes the guard release the port, which is about to be closed.
    mutating func release() {
        guardian?.release()
        pulse.reset()
    }

    /// Sends the heartbeat if it is due.
    mutating func beat(moving: Bool, now: Seconds) {
        guard let guardian, pulse.isDue(moving: moving, now: now) else { return }
        guardian.beat(moving: moving && !SafetyMutant.sendsNoHeartbeat.isOn, now: now)
    }

    /// Returns the next report of the guard.
    func takeIntervention() -> GuardIntervention? { guardian?.takeIntervention() }

    // MARK: A guard that has ended

    /// Returns whether to start a new guard now.
    mutating func isRenewalDue(now: Seconds) -> Bool { renewal.isDue(now: now) }

    /// Starts a new guard.
    /// - Returns: whether one is starting, and whether to report that there is none.
    mutating func renew() -> (isStarting: Bool, isMissed: Bool) {
        let isStarting = guardian?.renew() ?? false
        return (isStarting, renewal.attempted(isStarting: isStarting))
    }

    /// Returns whether the running guard is a new one, which then gets the port. It is true once.
    mutating func hasRenewed() -> Bool { renewal.guardStarted() }
}
