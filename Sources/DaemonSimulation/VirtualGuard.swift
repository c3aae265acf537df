internal import DockControl
internal import Geometry

/// The guard in virtual time: what `dock-guard` does, by the host's clock.
final class VirtualGuard: MotionGuard {
    let descriptor: Int32 = -1
    let isAlive = true
    private var bytes: [UInt8]?
    private var isMoving = false
    private var lastBeat: Seconds = 0
    private var nextStop: Seconds = .infinity
    private var interventions: [GuardIntervention] = []

    /// It stopped the dock, and the loop does not know yet.
    var hasNews: Bool { !interventions.isEmpty }
    /// When it has to look at its clock.
    var deadline: Seconds { isMoving && bytes != nil ? nextStop : .infinity }

    func watch(_ link: any ByteLink, stop: [UInt8]) {
        bytes = stop
        isMoving = false
    }

    func beat(moving: Bool, now: Seconds) {
        isMoving = moving
        lastBeat = now
        nextStop = now + GuardPulse.timeout
    }

    func release() {
        bytes = nil
        isMoving = false
    }

    func takeIntervention() -> GuardIntervention? { interventions.isEmpty ? nil : interventions.removeFirst() }

    func renew() -> Bool { true }

    /// What it writes now; nil: nothing.
    func stop(now: Seconds) -> [UInt8]? {
        guard isMoving, let bytes, now >= nextStop else { return nil }
        nextStop = now + 0.1
        if interventions.isEmpty { interventions.append(GuardIntervention(silence: now - lastBeat, wrote: true)) }
        return bytes
    }
}
