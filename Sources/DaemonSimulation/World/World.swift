internal import Companion
internal import DockControl
internal import DockSimulator
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The daemon, the dock, the people and the faults of one scenario, in virtual time.
///
/// The world's time advances evenly. The host's CLOCK_MONOTONIC stands still while the machine sleeps. All events
/// happen one after another and always in the same order, so a seed determines the run.
final class World {
    let scenario: Scenario
    let profile: RigProfile
    let oracle: SafetyOracle
    var clock = WorldClock()
    /// Our dock, and the other one that may be plugged in.
    var docks: [SimulatedDock]
    var cable = Cable()
    var detector: ScenarioDetector
    var script: Script
    private(set) lazy var guardian = VirtualGuard(now: { [unowned self] in host })
    private(set) var core: LoopCore!
    private(set) var session: VirtualSession!
    /// The trace of each daemon in the scenario; nil if none is recorded.
    private(set) var traces: [TraceSpool]?
    /// When the session is next due, in the world's time.
    private var nextTick: Seconds = 0.25
    /// When the loop must be woken, on the host's clock.
    private(set) var deadline: Seconds = 0

    /// The end of a fault.
    enum Repair: Equatable {
        case line, slowness, mute, deaf, plug(Int, reboots: Bool), width, button, heat, rates, block(Axis), axis(Axis)
    }

    private static let period: Seconds = 0.25
    /// Room for the whole scenario, bytes.
    private static let traceSize = 8 << 20

    /// Makes a world. If `records` is set, the inputs and decisions of each daemon are kept.
    init(scenario: Scenario, records: Bool = false) {
        self.scenario = scenario
        traces = records ? [] : nil
        let model = scenario.isCheap ? RigModel.cheap : .good
        profile = Self.profile(of: scenario, model: model)
        docks = [UInt64(1), 2].map { number in
            var configuration = SimulatedDock.Configuration(model: model, seed: scenario.seed &+ number)
            configuration.uniqueID += number
            configuration.hasDeadman = scenario.hasDeadman
            configuration.clockStart = number == 1 && scenario.seed % 5 == 0 ? .max - 2_000_000 : 0
            return SimulatedDock(configuration: configuration)
        }
        detector = ScenarioDetector(scenario: scenario, camera: profile.camera)
        script = Script(scenario)
        oracle = SafetyOracle(scenario: scenario, profile: profile, model: model)
        assemble()
    }

    private static func profile(of scenario: Scenario, model: RigModel) -> RigProfile {
        // The range is narrower than the mechanics, so that the daemon stops the head there, not the dock.
        RigProfile(of: model, margin: .degrees(8))
    }

    /// Starts a daemon. `latched` and `released` are what the previous one stored.
    private func assemble(latched: DockFault? = nil, released: Bool = false) {
        session = VirtualSession(
            profile: profile, seed: scenario.seed, watchesNear: true, now: { [unowned self] in host },
            realtime: { [unowned self] in clock.realtime })
        session.onCommand = { [unowned self] in oracle.commanded($0, by: $1, at: time) }
        session.onAnswer = { [unowned self] in oracle.answered($0, by: $1, $2, at: time) }
        var options = LoopOptions(
            profile: profile, mode: scenario.tracksAtFirst && latched == nil && !released ? .system : .manual)
        options.latched = latched
        options.released = released
        options.policy = Pursuit.Policy()
        if traces != nil {
            let spool = TraceSpool(capacity: Self.traceSize)
            options.trace = spool
            traces?.append(spool)
        }
        if scenario.isChecked { options.checkedDocks = [String(docks[0].configuration.uniqueID, radix: 16)] }
        core = LoopCore(
            link: open(), options: options,
            driver: scenario.hasDeadman ? DlpDriver(profile: profile) : DriverWithoutDeadman(profile: profile),
            input: session.input,
            outlet: LoopOutlet(
                takeCommands: { [unowned self] in session.commands.take() },
                onSnapshot: { [unowned self] in session.receive($0) },
                onEvent: { [unowned self] event in
                    oracle.happened(event, at: time)
                    session.receive(event)
                }),
            guardian: guardian,
            reopen: { [unowned self] () throws(DockError) in try reopen() }, clock: { [unowned self] in host })
        oracle.loop = core
        oracle.health.hasGuard = { [unowned self] in guardian.isAlive }
    }

    /// CLOCK_MONOTONIC.
    var host: Seconds { clock.host }
    /// The world's time, seconds.
    var time: Seconds { clock.time }

    // MARK: the run

    func run() {
        core.begin(now: host, asleep: clock.slept)
        deadline = core.wait(from: host)
        while time < scenario.duration, oracle.violation == nil { step() }
        guard oracle.violation == nil else { return }
        clock.wake()
        let isConnected = cable.isConnected
        _ = core.end()
        session.commands.close()
        oracle.ended(at: time, isConnected: isConnected)
    }

    /// Ends the daemon in order and starts another one. Latch and released torque are kept in its files.
    func restart() {
        _ = core.end()
        let latched: DockFault? = if case .faulted(let fault) = core.state { fault } else { nil }
        let released = core.isReleased
        session.commands.close()
        oracle.restarted(at: time, isLatched: latched != nil, isReleased: released)
        assemble(latched: latched, released: released)
        core.begin(now: host, asleep: clock.slept)
        deadline = core.wait(from: host)
    }

    private func step() {
        advance(to: min(next(), scenario.duration))
        while let what = script.event(at: time) { happen(what) }
        for what in script.drainRepairs(at: time) { repair(what) }
        see()
        if time >= nextTick {
            nextTick += Self.period
            if !clock.isAsleep { session.tick() }
        }
        clock.release()
        if !clock.isHeld { turn() }
        if let stop = guardian.stop(now: host), let plugged = cable.plugged, cable.link?.isOpen == true {
            docks[plugged].receive(stop, at: time)
            oracle.guardWrote(at: time)
        }
    }

    /// When the next thing happens.
    private func next() -> Seconds {
        // The guard checks its clock too.
        var next = min(nextTick, detector.next, script.next)
        if !clock.isAsleep { next = min(next, time + max(0.001, guardian.deadline - host)) }
        if let plugged = cable.plugged { next = min(next, docks[plugged].nextWake) }
        if clock.isHeld {
            next = min(next, clock.heldUntil)
        } else {
            // The loop's deadline is on the host's clock.
            next = min(next, time + max(0, deadline - host))
            if session.hasRung || cable.link?.inbox.isEmpty == false || !detector.inbox.isEmpty { next = time }
        }
        return max(next, time)
    }

    /// Advances the docks, and delivers their output to the host.
    private func advance(to target: Seconds) {
        repeat {
            // The steps are short: in 4 ms an axis at full speed moves a tenth of its margin.
            clock.advance(to: min(target, time + 0.004))
            for index in docks.indices where index == 0 || cable.plugged == index {
                docks[index].advance(to: time)
                let bytes = docks[index].drainOutput()
                guard !bytes.isEmpty, cable.plugged == index, let link = cable.link, link.isOpen else { continue }
                link.deliver(bytes)
                oracle.received(bytes, at: time)
            }
            oracle.observe(docks[0], at: time)
        } while time < target && oracle.violation == nil
    }

    private func turn() {
        var wake = LoopCore.Wake()
        wake.isDue = host >= deadline
        wake.asleep = clock.slept
        wake.portIsReadable = cable.isReadable
        wake.portHungUp = cable.isHungUp
        wake.inputIsReadable = !detector.inbox.isEmpty
        wake.wasRung = session.hasRung
        wake.guardHasNews = guardian.hasNews
        guard
            wake.isDue || wake.portIsReadable || wake.portHungUp || wake.inputIsReadable || wake.wasRung
                || wake.guardHasNews
        else {
            return
        }
        if wake.inputIsReadable {
            session.detect(detector.inbox)
            oracle.detected(at: time)
            detector.inbox.removeAll(keepingCapacity: true)
        }
        if wake.wasRung { session.heard() }
        core.turn(wake, now: host)
        oracle.turned(at: time, hasLink: cable.isConnected)
        deadline = core.wait(from: host)
    }

    /// The camera takes its frames, and the detector reports them later.
    private func see() {
        detector.expose(at: time, isAsleep: clock.isAsleep)
        while let exposure = detector.nextResult(at: time) {
            guard !detector.isSilent(at: time), !clock.isAsleep else { continue }
            detector.greet(before: exposure, at: time)
            picture(
                exposure: exposure, stamp: host - (time - exposure) + detector.clockError(at: time),
                from: docks[0].pose(at: exposure))
        }
        detector.limit()
    }

    /// Sends one frame to the loop.
    func picture(exposure: Seconds, stamp: Seconds, from pose: PanTilt) {
        let faces = detector.write(exposure: exposure, stamp: stamp, from: pose)
        oracle.pictured(
            faces: faces, nearest: detector.crowd.nearest(at: exposure, to: pose),
            lowest: detector.crowd.lowest(at: exposure), at: time)
    }
}
