package import Geometry

/// The loop's decisions and writes, without the waiting. Time is passed in, so the whole daemon also runs in virtual
/// time. On a real dock only the loop's thread calls it.
///
/// Each turn does these steps, and publishes last, and never between a line and its set-point:
/// - read the port
/// - read the detections
/// - take commands
/// - let the driver continue its conversation
/// - decide and write
/// - publish
package final class LoopCore {
    /// The reasons why the loop woke up.
    package struct Wake: Sendable {
        /// Whether the port has bytes.
        package var portIsReadable = false
        /// Whether the port hung up or failed.
        package var portHungUp = false
        /// Whether the detections have bytes.
        package var inputIsReadable = false
        /// Whether another thread has posted a command or a request.
        package var wasRung = false
        /// Whether the deadline of the wait has passed.
        package var isDue = false
        /// Whether ports have appeared or disappeared.
        package var portsHaveNews = false
        /// Whether the guard has a report or has ended.
        package var guardHasNews = false
        /// CLOCK_BOOTTIME - CLOCK_MONOTONIC, in seconds. It grows while the machine sleeps.
        package var asleep: Seconds = 0

        /// Creates a wake-up without a reason.
        package init() {}
    }

    let options: LoopOptions
    /// The connection to the rest of the program.
    var outlet: LoopOutlet
    /// The dock's port.
    let port: PortSession
    /// The conversation with the dock: the driver, what it has read, and what it will write.
    var dock: DockConversation
    /// The guard, which stops the dock when this loop cannot.
    var guardLink: GuardLink
    /// The detections, or nil if there are none.
    var input: (any SteeringInput)?
    /// Whether there is a dock, and whether it may move.
    var machine: DockMachine
    /// The director, which decides the motion.
    var director: MotionDirector
    /// The dock's reports, and the check that they continue.
    var observed: DockObservation
    /// The tasks of the next turns.
    var schedule: TurnSchedule
    /// The counters and durations.
    var metrics: TurnMetrics
    /// The cause of the dock's latch, and the messages about it that the dock has not confirmed.
    var latch = LatchLedger()
    /// The torque that is to be switched off, or that the dock has switched off.
    var torqueRelease = TorqueRelease()
    /// The stops that the loop still has to write.
    var stops = StopLedger()
    /// The recording of the last half minute.
    var trace = TraceCue()

    /// The speed below which an axis is at rest, in rad/s, and the time that it may take to stop, in seconds.
    static let restSpeed = Double.degrees(0.5), restTime: Seconds = 0.5
    /// The time that a dock may take to confirm a torque command, in seconds. After that, the driver is asked to repeat
    /// it.
    static let torquePatience: Seconds = 0.04
    /// The time that a stop may wait for the port, in seconds.
    static let stopTime: Seconds = 0.05
    /// The speed limit of a real rig that was not checked, in rad/s.
    static let uncheckedSpeed = Double.degrees(20)

    /// Creates a dock's loop that has not begun.
    /// - Parameters:
    ///   - reopen: opens the port again after it was lost.
    ///   - guardian: stops the dock when this loop cannot.
    ///   - ports: reports when ports appear and disappear.
    ///   - clock: CLOCK_MONOTONIC, to measure the duration of a turn's parts.
    package init(
        link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver, input: (any SteeringInput)?,
        outlet: LoopOutlet, guardian: (any MotionGuard)? = nil, ports: (any PortEvents)? = nil,
        reopen: @escaping LinkReopening, clock: @escaping () -> Seconds
    ) {
        self.options = options
        self.outlet = outlet
        self.input = input
        let abilities = driver.abilities, recorder = trace.recorder
        port = PortSession(link: link, news: ports, recorder: recorder, open: reopen)
        dock = DockConversation(driver: driver)
        guardLink = GuardLink(guardian.map { RecordedGuard($0, into: recorder) })
        let arming = options.profile.safety.arming ?? ((link?.isHardware ?? true) ? .careful : .now)
        machine = DockMachine(arming: arming, latched: SafetyMutant.beginsUnlatched.isOn ? nil : options.latched)
        director = MotionDirector(
            profile: options.profile, mode: options.mode, setpoint: abilities.setpoint, policy: options.policy,
            isMeasured: abilities.measuresPose)
        schedule = TurnSchedule(
            pacer: CommandPacer(
                rate: options.profile.refreshRate, most: abilities.mostSetpoints, setpointTime: abilities.setpointTime))
        observed = DockObservation(profile: options.profile)
        metrics = TurnMetrics(
            meter: LatencyMeter(profile: options.trackingProfile, isMeasured: abilities.measuresPose), clock: clock)
        recorder.about = TraceAbout(
            options: options, isHardware: link.map(\.isHardware), hasGuard: guardian != nil, hasInput: input != nil,
            reportsPortChanges: ports?.reportsPortChanges ?? false)
        recorder.spool = options.trace
        input?.attach(recorder)
    }

    /// Whether there is a dock, and whether it may move.
    package var state: DockState { machine.state }
    /// Whether the torque is off on request.
    package var isReleased: Bool { !director.torque }
    /// The owner of the motion.
    package var owner: MotionOwner { director.last.owner }
    /// The phase of tracking.
    package var phase: TrackingPhase { director.pursuit.phase }
    /// The requested motion under way.
    package var motion: RunningMotion? { director.motion }

    /// The open port, or nil if no port is open.
    var link: (any ByteLink)? { port.link }
    /// What the driver and its dock can do.
    var abilities: DriverAbilities { dock.abilities }
    /// The recording of the last half minute.
    var recorder: FlightRecorder { trace.recorder }

    /// Descriptors for `poll`: the port, the detections, the guard and the port monitor; -1 means none.
    var descriptors: (port: Int32, input: Int32, guardian: Int32, ports: Int32) {
        (link?.descriptor ?? -1, input?.descriptor ?? -1, guardLink.descriptor, port.news?.descriptor ?? -1)
    }

    /// Begins the loop; `asleep` is CLOCK_BOOTTIME - CLOCK_MONOTONIC.
    package func begin(now: Seconds, asleep: Seconds) {
        schedule.wakes.begin(asleep: asleep)
        recorder.now = now
        recorder.begins(asleep: asleep)
        guardLink.beginTurn()
        defer { recorder.handOn() }
        if options.released { release(now: now) }
        if link != nil { return opened(now: now) }
        machine.portMissing(now: now)
        if options.latched != nil { dockChanged(now: now) }
    }

    /// Returns the latest time of the next wake-up: CLOCK_MONOTONIC, not before `now`; infinity means never.
    package func wait(from now: Seconds) -> Seconds {
        let next = nextDeadline(now: now)
        return schedule.wakes.wait(until: next, from: now)
    }

    func publish(now: Seconds) { outlet.onSnapshot(snapshot(now: now)) }

    private func nextDeadline(now: Seconds) -> Seconds {
        if schedule.isBehind { return now }
        var next = min(outlet.outbox.dueAt ?? .infinity, trace.dueAt)
        if let retry = machine.retryAt { return min(next, retry) }
        next = min(next, schedule.serviceAt)
        // A request to a dock that cannot move waits for the dock's report, not for the clock.
        if schedule.wantsStep || stops.isMoving || (director.isActive && machine.state == .ready) {
            next = min(next, schedule.nextStep(now: now))
        }
        if machine.state == .ready, let stale = director.deadline { next = min(next, max(stale + 0.001, now + 0.001)) }
        if abilities.reportsPose, machine.state == .ready {
            next = min(next, max(now, observed.silence.deadline(latest: observed.poses.latest?.time)) + 0.001)
        }
        return min(next, latch.clear?.until ?? .infinity, torqueRelease.deadline, latch.nextRepeat)
    }
}
