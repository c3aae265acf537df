internal import Geometry

/// The tasks of the next turns, and when they are due: the next set-point, the driver's conversation, and the waiting
/// detections.
struct TurnSchedule: Sendable, Equatable {
    /// Whether a decision is due as soon as the pacer allows a set-point.
    private(set) var wantsStep = false
    /// When the driver continues its conversation with the dock.
    private(set) var serviceAt: Seconds = 0
    /// Whether more detections wait than one turn may process.
    var isBehind = false
    /// Whether this turn has read the port.
    var hasReport = false
    /// The intervals between set-points.
    private(set) var pacer: CommandPacer
    /// The deadline of the wait, and whether time has jumped.
    var wakes = WakeClock()

    /// Creates a schedule with nothing due.
    init(pacer: CommandPacer) { self.pacer = pacer }

    // MARK: The driver

    /// Schedules the driver's service for this time.
    mutating func service(at time: Seconds) { serviceAt = time }

    /// Schedules the driver's service for this time at the latest.
    mutating func service(by time: Seconds) { serviceAt = min(serviceAt, time) }

    // MARK: Set-points

    /// Requests a decision.
    mutating func request() { wantsStep = true }

    /// Withdraws the request for a decision.
    mutating func withdraw() { wantsStep = false }

    /// Records that a frame was processed. Its decision is due, and the refresh is timed around the next frame.
    mutating func frameArrived(now: Seconds) {
        pacer.frameArrived(now: now)
        wantsStep = true
    }

    /// Returns whether a set-point may be written at all at this time.
    func maySend(now: Seconds) -> Bool { pacer.maySend(now: now) }

    /// Returns whether a decision may be taken now. Without a frame or a request, a set-point is sent only at the
    /// refresh. Two set-points are never closer than the pacer allows. A step that is not allowed now is not lost:
    /// `nextStep` schedules it.
    func mayStep(hasFrames: Bool, now: Seconds) -> Bool {
        pacer.maySend(now: now) && (hasFrames || wantsStep || now >= pacer.nextRefresh(now: now) - 0.000_5)
    }

    /// Records that a decision is being taken. The next refresh counts from here.
    mutating func decided(now: Seconds) {
        pacer.decided(now: now)
        wantsStep = false
    }

    /// Records that a set-point is sent. `isStop`: it stops both axes.
    mutating func sent(now: Seconds, isStop: Bool) { pacer.sent(now: now, isStop: isStop) }

    /// Returns when the next decision may be taken: a requested one as soon as the pacer allows it, the others at the
    /// refresh.
    func nextStep(now: Seconds) -> Seconds {
        wantsStep ? pacer.earliest : max(pacer.nextRefresh(now: now), pacer.earliest)
    }
}
