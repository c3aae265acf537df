internal import Companion
internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// The daemon, the dock, the people and the faults of one story, in virtual time.
///
/// The world's time advances evenly. The host's CLOCK_MONOTONIC stands still while the machine sleeps. All events
/// happen one after another and always in the same order, so a seed determines the run.
final class World {
    let story: Story
    let profile: RigProfile
    let judge: Judge
    /// The world's time, seconds.
    private(set) var time: Seconds = 0
    /// Our dock, and the other one that may be plugged in.
    var docks: [SimulatedDock]
    /// The dock at the end of the cable; nil if there is none.
    var plugged: Int? = 0
    /// The cable is unplugged after this number of bytes.
    var cut: (bytes: Int, then: Repair, after: Seconds)?
    /// Number of bytes that the cable accepts per write; nil if all.
    var width: Int?
    var busyUntil: Seconds = 0
    /// Until when the loop gets no CPU time, because the machine sleeps or the process is held.
    var heldUntil: Seconds = 0
    var sleepsSince: Seconds?
    var detectorSilentUntil: Seconds = 0
    var detectorOffset: (by: Seconds, until: Seconds) = (0, 0)
    var wallOffset: Seconds = 0
    var crowd: Crowd
    var link: VirtualLink?
    private(set) lazy var guardian = VirtualGuard(now: { [unowned self] in host })
    private(set) var core: LoopCore!
    private(set) var session: VirtualSession!
    var repairs: [(at: Seconds, what: Repair)] = []
    /// The trace of each daemon in the story; nil if none is recorded.
    private(set) var traces: [TraceSpool]?
    private var slept: Seconds = 0
    private var nextEvent = 0
    private var nextPicture: Seconds
    private var nextHello: Seconds = 0
    private var pictures: [(due: Seconds, exposure: Seconds)] = []
    private var nextTick: Seconds = 0.25
    /// When the loop must be woken, on the host's clock.
    private(set) var deadline: Seconds = 0
    var detectorInbox: [UInt8] = []

    /// The end of a fault.
    enum Repair: Equatable {
        case line, slowness, mute, deaf, plug(Int, reboots: Bool), width, button, heat, rates, block(Axis), axis(Axis)
    }

    /// The host's clock at the start of the world. It is not zero, so that a time cannot pass for a duration.
    private static let epoch: Seconds = 1000
    private static let period: Seconds = 0.25
    /// Capacity of a detector's pipe, bytes.
    private static let pipe = 1 << 16
    /// Room for the whole story, bytes.
    private static let traceSize = 8 << 20

    /// Makes a world. If `records` is set, the inputs and decisions of each daemon are kept.
    init(story: Story, records: Bool = false) {
        self.story = story
        traces = records ? [] : nil
        let model = story.isCheap ? RigModel.cheap : .good
        profile = Self.profile(of: story, model: model)
        docks = [UInt64(1), 2].map { number in
            var configuration = SimulatedDock.Configuration(model: model, seed: story.seed &+ number)
            configuration.uniqueID += number
            configuration.hasDeadman = story.hasDeadman
            configuration.clockStart = number == 1 && story.seed % 5 == 0 ? .max - 2_000_000 : 0
            return SimulatedDock(configuration: configuration)
        }
        crowd = Crowd(story: story, camera: CameraModel(camera: profile.camera))
        nextPicture = 1 / story.frameRate
        judge = Judge(story: story, profile: profile, model: model)
        assemble()
    }

    private static func profile(of story: Story, model: RigModel) -> RigProfile {
        // The range is narrower than the mechanics, so that the daemon stops the head there, not the dock.
        RigProfile(of: model, margin: .degrees(8))
    }

    /// Starts a daemon. `latched` and `released` are what the previous one stored.
    private func assemble(latched: DockFault? = nil, released: Bool = false) {
        session = VirtualSession(
            profile: profile, seed: story.seed, now: { [unowned self] in host },
            realtime: { [unowned self] in 1.7e9 + time + wallOffset })
        session.onCommand = { [unowned self] in judge.commanded($0, by: $1, at: time) }
        session.onAnswer = { [unowned self] in judge.answered($0, by: $1, $2, at: time) }
        var options = LoopOptions(
            profile: profile, mode: story.tracksAtFirst && latched == nil && !released ? .system : .manual)
        options.latched = latched
        options.released = released
        options.policy = Pursuit.Policy()
        if traces != nil {
            let spool = TraceSpool(capacity: Self.traceSize)
            options.trace = spool
            traces?.append(spool)
        }
        if story.isChecked { options.checkedDocks = [String(docks[0].configuration.uniqueID, radix: 16)] }
        core = LoopCore(
            link: open(), options: options,
            driver: story.hasDeadman ? DlpDriver(profile: profile) : DriverWithoutDeadman(profile: profile),
            input: session.input,
            outlet: LoopOutlet(
                takeCommands: { [unowned self] in session.commands.take() },
                onSnapshot: { [unowned self] in session.take($0) },
                onEvent: { [unowned self] event in
                    judge.happened(event, at: time)
                    session.take(event)
                }),
            guardian: guardian,
            reopen: { [unowned self] () throws(DockError) in try reopen() }, clock: { [unowned self] in host })
        judge.loop = core
        judge.health.hasGuard = { [unowned self] in guardian.isAlive }
    }

    /// CLOCK_MONOTONIC.
    var host: Seconds { Self.epoch + (sleepsSince ?? time) - slept }

    // MARK: the run

    func run() {
        core.begin(now: host, asleep: slept)
        deadline = core.wait(from: host)
        while time < story.duration, judge.violation == nil { step() }
        guard judge.violation == nil else { return }
        if sleepsSince != nil { wake() }
        let isConnected = link.map { $0.isOpen && !$0.isHungUp } ?? false
        _ = core.end()
        session.commands.close()
        judge.ended(at: time, isConnected: isConnected)
    }

    /// Ends the daemon in order and starts another one. Latch and released torque are kept in its files.
    func restart() {
        _ = core.end()
        let latched: DockFault? = if case .faulted(let fault) = core.state { fault } else { nil }
        let released = core.isReleased
        session.commands.close()
        judge.restarted(at: time, isLatched: latched != nil, isReleased: released)
        assemble(latched: latched, released: released)
        core.begin(now: host, asleep: slept)
        deadline = core.wait(from: host)
    }

    private func step() {
        advance(to: min(next(), story.duration))
        while nextEvent < story.events.count, story.events[nextEvent].at <= time {
            happen(story.events[nextEvent].what)
            nextEvent += 1
        }
        repair()
        see()
        if time >= nextTick {
            nextTick += Self.period
            if sleepsSince == nil { session.tick() }
        }
        if heldUntil > 0, time >= heldUntil {
            heldUntil = 0
            if sleepsSince != nil { wake() }
        }
        if heldUntil == 0 { turn() }
        if let stop = guardian.stop(now: host), let plugged, link?.isOpen == true {
            docks[plugged].receive(stop, at: time)
            judge.guardWrote(at: time)
        }
    }

    private func wake() {
        slept += time - (sleepsSince ?? time)
        sleepsSince = nil
    }

    /// When the next thing happens.
    private func next() -> Seconds {
        // The guard checks its clock too.
        var next = min(
            nextTick, nextPicture, sleepsSince == nil ? time + max(0.001, guardian.deadline - host) : .infinity)
        if let due = pictures.first?.due { next = min(next, due) }
        if nextEvent < story.events.count { next = min(next, story.events[nextEvent].at) }
        for repair in repairs { next = min(next, repair.at) }
        if let plugged { next = min(next, docks[plugged].nextWake) }
        if heldUntil > 0 {
            next = min(next, heldUntil)
        } else {
            // The loop's deadline is on the host's clock.
            next = min(next, time + max(0, deadline - host))
            if session.hasRung || link?.inbox.isEmpty == false || !detectorInbox.isEmpty { next = time }
        }
        return max(next, time)
    }

    /// Advances the docks, and delivers their output to the host.
    private func advance(to target: Seconds) {
        repeat {
            // The steps are short: in 4 ms an axis at full speed moves a tenth of its margin.
            time = min(target, time + 0.004)
            for index in docks.indices where index == 0 || plugged == index {
                docks[index].advance(to: time)
                let bytes = docks[index].drainOutput()
                guard !bytes.isEmpty, plugged == index, let link, link.isOpen else { continue }
                link.deliver(bytes)
                judge.received(bytes, at: time)
            }
            judge.observe(docks[0], at: time)
        } while time < target && judge.violation == nil
    }

    private func turn() {
        var wake = LoopCore.Wake()
        wake.isDue = host >= deadline
        wake.asleep = slept
        wake.portIsReadable = link.map { $0.isOpen && !$0.inbox.isEmpty } ?? false
        wake.portHungUp = link.map { $0.isOpen && $0.isHungUp } ?? false
        wake.inputIsReadable = !detectorInbox.isEmpty
        wake.wasRung = session.hasRung
        wake.guardHasNews = guardian.hasNews
        guard
            wake.isDue || wake.portIsReadable || wake.portHungUp || wake.inputIsReadable || wake.wasRung
                || wake.guardHasNews
        else {
            return
        }
        if wake.inputIsReadable {
            session.detect(detectorInbox)
            judge.detected(at: time)
            detectorInbox.removeAll(keepingCapacity: true)
        }
        if wake.wasRung { session.heard() }
        core.turn(wake, now: host)
        judge.turned(at: time, hasLink: link.map { $0.isOpen && !$0.isHungUp } ?? false)
        deadline = core.wait(from: host)
    }

    /// The camera takes its frames, and the detector reports them later.
    private func see() {
        if time >= nextPicture {
            if sleepsSince == nil { pictures.append((time + profile.camera.latency, time)) }
            nextPicture += 1 / story.frameRate
        }
        while let picture = pictures.first, picture.due <= time {
            pictures.removeFirst()
            guard time >= detectorSilentUntil, sleepsSince == nil else { continue }
            if detectorInbox.isEmpty, picture.exposure < 1.5 / story.frameRate { crowd.hello(into: &detectorInbox) }
            if let hellos = story.sight?.hellos, hellos > 0, time >= nextHello {
                nextHello = time + 1 / hellos
                crowd.hello(into: &detectorInbox)
            }
            let shift = time < detectorOffset.until ? detectorOffset.by : 0
            self.picture(
                exposure: picture.exposure, told: host - (time - picture.exposure) + shift,
                from: docks[0].pose(at: picture.exposure))
        }
        if detectorInbox.count > Self.pipe { detectorInbox.removeLast(detectorInbox.count - Self.pipe) }
    }

    /// Sends one frame to the loop.
    func picture(exposure: Seconds, told: Seconds, from pose: PanTilt) {
        let faces = crowd.picture(at: exposure, told: told, from: pose, into: &detectorInbox)
        judge.pictured(
            faces: faces, nearest: crowd.nearest(at: exposure, to: pose), lowest: crowd.lowest(at: exposure), at: time)
    }
}
