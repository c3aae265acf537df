internal import Geometry

/// What the next turns have to do, and when: the next set-point, the driver's conversation, and detections that wait.
struct TurnSchedule: Sendable, Equatable {
    /// A decision is due as soon as the pacer allows a set-point.
    private(set) var wantsStep = false
    /// When the driver continues its conversation with the dock.
    private(set) var serviceAt: Seconds = 0
    /// More detections wait than one turn may process.
    var isBehind = false
    /// This turn has read the port.
    var hasReport = false
    /// The intervals between set-points.
    private(set) var pacer: CommandPacer
    /// The deadline of the wait, and whether time has jumped.
    var wakes = WakeClock()

    /// Creates a schedule with nothing due.
    init(pacer: CommandPacer) { self.pacer = pacer }

    // MARK: The driver

    /// The driver is served at this time.
    mutating func service(at time: Seconds) { serviceAt = time }

    /// The driver is served at this time at the latest.
    mutating func service(by time: Seconds) { serviceAt = min(serviceAt, time) }

    // MARK: Set-points

    /// A decision is due.
    mutating func request() { wantsStep = true }

    /// No decision is due.
    mutating func withdraw() { wantsStep = false }

    /// A frame was processed: its decision is due, and the refresh is timed around the next frame.
    mutating func frameArrived(now: Seconds) {
        pacer.frameArrived(now: now)
        wantsStep = true
    }

    /// Whether a set-point may be written now, at all.
    func maySend(now: Seconds) -> Bool { pacer.maySend(now: now) }

    /// Whether a decision may be taken now. Without a frame or a request, a set-point is sent only at the refresh. Two set-points are
    /// never closer than the pacer's interval. A refused step is not lost: `nextStep` schedules it.
    func mayStep(hasFrames: Bool, now: Seconds) -> Bool {
        pacer.maySend(now: now) && (hasFrames || wantsStep || now >= pacer.nextRefresh(now: now) - 0.000_5)
    }

    /// A decision is being taken: the next refresh counts from here.
    mutating func decided(now: Seconds) {
        pacer.decided(now: now)
        wantsStep = false
    }

    /// A set-point goes out.
    mutating func sent(now: Seconds) { pacer.sent(now: now) }

    /// When the next decision may be taken. A requested one goes as soon as the pacer allows, the others at the refresh.
    func nextStep(now: Seconds) -> Seconds {
        let earliest = (pacer.lastSent ?? 0) + pacer.interval
        return wantsStep ? earliest : max(pacer.nextRefresh(now: now), earliest)
    }
}
