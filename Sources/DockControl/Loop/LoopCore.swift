package import Geometry

/// What the loop decides and writes: everything but the waiting. Time is handed in, so that the whole daemon also runs in
/// virtual time; on a real dock it is touched by the loop's thread only.
///
/// One turn: read the port; read the detections; take commands; let the driver keep its conversation; decide and
/// write; publish last, never between a line and its set-point.
package final class LoopCore {
    /// What the wait has found.
    package struct Wake: Sendable {
        /// The port has bytes.
        package var portIsReadable = false
        /// The port hung up, or failed.
        package var portHungUp = false
        /// The detections have bytes.
        package var inputIsReadable = false
        /// Somebody posted something.
        package var wasRung = false
        /// The deadline that was waited for has come.
        package var isDue = false
        /// Ports have come or gone.
        package var portsHaveNews = false
        /// The guard has something to tell, or is gone.
        package var guardHasNews = false
        /// CLOCK_BOOTTIME - CLOCK_MONOTONIC, seconds: it grows while the machine sleeps.
        package var asleep: Seconds = 0

        /// Nothing yet.
        package init() {}
    }

    let outlet: LoopOutlet
    let options: LoopOptions
    var link: (any ByteLink)?
    var driver: any DockDriver
    var input: (any SteeringInput)?
    /// Says when ports come and go; nil: nobody does.
    let ports: (any PortNews)?
    /// Stops the dock where this loop cannot; nil: nobody does.
    let guardian: RecordedGuard?
    var pulse = GuardPulse()
    var renewal = GuardRenewal()
    var machine: DockMachine
    var director: MotionDirector
    var poses = PoseHistory()
    /// Do the rates that the dock reports fit its poses?
    var rates: RateWatch
    var pacer: CommandPacer
    var supply = BatteryPolicy()
    var metrics: TurnMetrics
    /// What a user was told once.
    var remarks: Remarks = []
    var reports: [DockReport] = []
    var bytes: [UInt8] = []
    var outbox = EventOutbox()
    /// What the dock is latched by, and what it must still be told about that.
    var latch = LatchLedger()
    /// Motors that are to let go, or that have.
    var torqueRelease = TorqueRelease()
    /// The stops that are still owed.
    var stops = StopLedger()
    var wantsStep = false
    var serviceAt: Seconds = 0
    var stoppedLast = false
    /// When the dock became ready.
    var readyAt: Seconds = 0
    /// Since when the dock has told that its deadman stopped it, or has taken none of our set-points, while it was being moved.
    var unheardSince: Seconds?
    /// The input has more than one turn may take.
    var isBehind = false
    /// This turn read the port.
    var hasReport = false
    /// Do the axes do what they are told?
    var following: FollowingWatch
    let abilities: DriverAbilities
    /// The last half minute.
    let recorder = FlightRecorder()
    /// What happened, and when the record of it is handed on: a little later, so that it shows what came of it.
    var traceDue: (at: Seconds, cause: String)?
    /// The dock's state as it was recorded last.
    var recordedState: DockState?
    /// The port that was opened last; nil: none was.
    var openedName: String?
    let reopen: () throws(DockError) -> any ByteLink
    /// CLOCK_MONOTONIC within a turn: how long something took. No decision follows from it: a turn's time is its only clock,
    /// so that a recorded session can be decided again.
    let clock: () -> Seconds
    private var wakes = WakeClock()
    let portBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// A dock that reports and has not for this long is not believed to be where it was, and stands, seconds: no longer
    /// than its deadman would let it go on; two of the reports of a dock at rest may be lost before.
    static let poseLifetime: Seconds = 0.25
    /// ... for this long has ended what somebody had asked for: a motion that a person saw stand does not go on, seconds ...
    static let hesitation: Seconds = 0.5
    /// ... and for this long is greeted anew, seconds.
    static let silence: Seconds = 1
    /// A dock that is moved and tells for so long that its deadman stopped it does not hear, seconds: twice its deadman.
    static let deafness: Seconds = 0.5
    /// An axis that turns less than this stands, rad/s; the time that it may take to stand, seconds.
    static let standing = Double.degrees(0.5), standingTime: Seconds = 0.5
    /// For so long a dock may take to say that its torque is switched, seconds; then the driver is asked to repeat it.
    static let torquePatience: Seconds = 0.04
    /// A real rig that nobody has checked turns no faster, rad/s.
    static let uncheckedSpeed = Double.degrees(20)

    /// A dock's loop that has not begun.
    /// - Parameters:
    ///   - reopen: opens the port again after it was lost.
    ///   - guardian: stops the dock where this loop cannot.
    ///   - ports: says when ports come and go.
    ///   - clock: CLOCK_MONOTONIC, for what a turn itself takes.
    package init(
        link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver, input: (any SteeringInput)?,
        outlet: LoopOutlet, guardian: (any MotionGuard)? = nil, ports: (any PortNews)? = nil,
        reopen: @escaping () throws(DockError) -> any ByteLink, clock: @escaping () -> Seconds
    ) {
        self.link = link.map { [recorder] in RecordedLink($0, into: recorder) }
        self.options = options
        self.driver = driver
        self.input = input
        self.outlet = outlet
        self.guardian = guardian.map { [recorder] in RecordedGuard($0, into: recorder) }
        self.ports = ports
        self.reopen = reopen
        self.clock = clock
        abilities = driver.abilities
        let arming = options.profile.safety.arming ?? ((link?.isHardware ?? true) ? .careful : .now)
        machine = DockMachine(arming: arming, latched: SafetyMutant.beginsUnlatched.isOn ? nil : options.latched)
        director = MotionDirector(
            profile: options.profile, mode: options.mode, setpoint: driver.abilities.setpoint)
        director.pursuit.policy = options.policy
        director.pursuit.isMeasured = abilities.reportsPose && abilities.feedback == .measured
        pacer = CommandPacer(rate: options.profile.refreshRate, most: driver.abilities.mostSetpoints)
        following = FollowingWatch(profile: options.profile)
        rates = RateWatch(profile: options.profile)
        metrics = TurnMetrics(
            meter: LatencyMeter(
                profile: options.profile,
                isMeasured: driver.abilities.reportsPose && driver.abilities.feedback == .measured))
        reports.reserveCapacity(64)
        bytes.reserveCapacity(512)
        recorder.about = TraceAbout(
            options: options, isHardware: link.map(\.isHardware), hasGuard: guardian != nil, hasInput: input != nil,
            hearsPorts: ports?.hearsPorts ?? false)
        recorder.spool = options.trace
        input?.attach(recorder)
        if options.released { release() }
    }

    deinit { portBuffer.deallocate() }

    /// Whether there is a dock at this moment, and whether it may move.
    package var state: DockState { machine.state }
    /// Somebody let go of the motors.
    package var isReleased: Bool { !director.torque }
    /// Who owns the motion at this moment.
    package var owner: MotionOwner { director.last.owner }
    /// What the tracking does about its subject.
    package var phase: TrackingPhase { director.pursuit.phase }
    /// The motion under way that somebody asked for.
    package var motion: RunningMotion? { director.motion }

    /// For `poll`: the port, the detections, the guard, and the news of ports; -1: there is none.
    var descriptors: (port: Int32, input: Int32, guardian: Int32, ports: Int32) {
        // One that is gone would always be readable.
        let news = guardian.map { $0.isAlive || $0.isAwaited ? $0.descriptor : -1 } ?? -1
        return (link?.descriptor ?? -1, input?.descriptor ?? -1, news, ports?.descriptor ?? -1)
    }

    /// The first moment; `asleep` is CLOCK_BOOTTIME - CLOCK_MONOTONIC.
    package func begin(now: Seconds, asleep: Seconds) {
        wakes.begin(asleep: asleep)
        recorder.now = now
        recorder.begins(asleep: asleep)
        guardian?.beginTurn()
        defer { recorder.handOn() }
        if link != nil { return opened(now: now) }
        machine.portMissing(now: now)
        if options.latched != nil { dockChanged(now: now) }
    }

    /// When the loop wants to be woken, whatever else comes: CLOCK_MONOTONIC, not before `now`; infinity: never.
    package func wait(from now: Seconds) -> Seconds {
        wakes.wait(until: nextDeadline(now: now), from: now)
    }

    /// One turn.
    package func turn(_ wake: Wake, now: Seconds) {
        recorder.now = now
        recorder.turn(wake, asleep: wakes.isNews(wake.asleep) ? wake.asleep : nil)
        guardian?.beginTurn()
        defer { recorder.handOn() }
        let wasStopped = wake.guardHasNews && hearGuard()
        let hasJumped = wakes.hasJumped(now: now, asleep: wake.asleep)
        if wake.isDue { metrics.woke(late: now - wakes.deadline) }
        if wasStopped || hasJumped { timeJumped(now: now) }
        keepGuard(now: now)
        if wake.portsHaveNews { heedPorts(now: now) }
        hasReport = false
        if wake.portIsReadable || wake.portHungUp { readPort(hungUp: wake.portHungUp, now: now) }
        var frames = 0
        if wake.inputIsReadable || isBehind { frames = readInput(now: now) }
        if wake.wasRung {
            takeCommands(now: now)
            if let magnification = outlet.takeZoom() {
                recorder.zoom(magnification)
                driver.zoom(to: magnification)
                serviceAt = min(serviceAt, now)
            }
        }
        turn(now: now, frames: frames)
    }

    func publish(now: Seconds) { outlet.onSnapshot(snapshot(now: now)) }

    private func nextDeadline(now: Seconds) -> Seconds {
        if isBehind { return now }
        var next = min(outbox.dueAt ?? .infinity, traceDue?.at ?? .infinity)
        if let retry = machine.retryAt { return min(next, retry) }
        next = min(next, serviceAt)
        // What is wanted of a dock that cannot move waits for its report, not for the clock.
        if wantsStep || stops.isMoving || (director.isActive && machine.state == .ready) {
            // What waits for its sixtieth goes then; the rest at the refresh.
            let earliest = (pacer.lastSent ?? 0) + pacer.interval
            next = min(next, wantsStep ? earliest : max(pacer.nextRefresh(now: now), earliest))
        }
        if machine.state == .ready, let stale = director.deadline { next = min(next, max(stale + 0.001, now + 0.001)) }
        if abilities.reportsPose, machine.state == .ready {
            next = min(next, max(now, (poses.latest?.time ?? readyAt) + Self.silence) + 0.001)
        }
        return min(next, latch.clear?.until ?? .infinity, torqueRelease.deadline, latch.nextRepeat)
    }
}
