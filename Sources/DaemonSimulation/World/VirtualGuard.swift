internal import DockControl
internal import Geometry

/// The guard in virtual time: what `dock-guard` does, on the host's clock.
final class VirtualGuard: MotionGuard {
    let descriptor: Int32 = -1
    private(set) var isAlive = true
    private var hasJustDied = false
    private var renewableAt: Seconds = 0
    private let now: () -> Seconds
    private var bytes: [UInt8]?
    private var isMoving = false
    private var lastBeat: Seconds = 0
    private var nextStop: Seconds = .infinity
    private var interventions: [GuardIntervention] = []

    /// `now` is the host's clock.
    init(now: @escaping () -> Seconds) { self.now = now }

    /// Ends the guard. A new one can only start after `time` on the host's clock.
    func die(until time: Seconds) {
        isAlive = false
        hasJustDied = true
        renewableAt = time
        release()
    }

    /// Whether the guard stopped the dock or died and the loop does not know that yet.
    var hasNews: Bool { !interventions.isEmpty || hasJustDied }
    /// When the guard next checks the time.
    var deadline: Seconds { isMoving && bytes != nil ? nextStop : .infinity }

    func watch(_ link: any ByteLink, stop: [UInt8]) {
        guard isAlive else { return }
        bytes = stop
        isMoving = false
    }

    func beat(moving: Bool, now: Seconds) {
        guard isAlive else { return }
        isMoving = moving
        lastBeat = now
        nextStop = now + GuardPulse.timeout
    }

    func release() {
        bytes = nil
        isMoving = false
    }

    func takeIntervention() -> GuardIntervention? {
        hasJustDied = false
        return interventions.isEmpty ? nil : interventions.removeFirst()
    }

    func renew() -> Bool {
        isAlive = now() >= renewableAt
        return isAlive
    }

    /// The bytes that it writes now; nil if none.
    func stop(now: Seconds) -> [UInt8]? {
        guard isMoving, let bytes, now >= nextStop else { return nil }
        nextStop = now + 0.1
        if interventions.isEmpty { interventions.append(GuardIntervention(silence: now - lastBeat, wrote: true)) }
        return bytes
    }
}
