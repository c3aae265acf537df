internal import Companion
internal import DockControl
internal import DockSimulator
internal import DockWire
internal import Geometry

/// Watches one story from outside the daemon: the bytes on the wire, the true axes, the requests and the answers. It
/// uses only its own observations. From the loop it takes only the owner of the motion.
final class Judge {
    let story: Story
    let profile: RigProfile
    let model: RigModel
    weak var loop: LoopCore?
    /// The first broken rule.
    private(set) var violation: Violation?
    /// A hash of all bytes on the wire and their times. Two runs of the same story have the same value.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Receives every message to and from the dock, and every answer to people, for `--aloud`.
    var onWord: ((Seconds, String) -> Void)?

    // The wire.
    var toDock = FrameDecoder(), toHost = FrameDecoder()
    /// The last set-point on the wire; nil if it was a stop.
    var moving: PanTilt?
    var lastSetpointAt: Seconds = -1
    var lastFrameWasStop = false
    var lastMotionReportAt: Seconds = -1
    var openedAt: Seconds = 0
    var isPlugged = false
    var helloAt: Seconds?
    var firstMotionAt: Seconds?
    var lastWriteWasCut = false
    /// Until then the dock receives nothing and the effect may still show, seconds.
    var deafUntil: Seconds = -1
    /// When a write was last cut off, seconds.
    var cutAt: Seconds = -1
    /// The next bytes complete a frame whose write was cut off.
    var followsCutWrite = false

    // Rules with state.
    var retreats = RetreatWatch()
    var stops = StopWatch()
    var lost: LostWatch
    var blocks = BlockWatch()
    var deadEncoders = DeadEncoderWatch()
    /// Another dock took the place of ours behind the same open port and has not identified itself.
    var isSwapUnknown = false
    var latch = LatchWatch()
    var accusations = Accusations()
    var endings = EndingWatch()
    var people = PeopleWatch()
    var release = ReleaseWatch()
    var proof = ProofWatch()
    var pole = PoleWatch()
    var frames: FrameWatch
    var holds = HoldWatch()
    var drift = DriftWatch()
    var deaf = DeafWatch()
    var queue = QueueWatch()
    var leases = LeaseWatch()
    var signs: SignWatch
    /// Since when the dock reports a low battery, seconds.
    var lowSince: Seconds?
    /// Whether a guard is ready.
    var hasGuard: () -> Bool = { true }
    var readySince: Seconds?
    var turns = (count: 0, since: Seconds(0))

    // The axes.
    var pose = PanTilt.zero
    var rate = PanTilt.zero
    var freshUntil: Seconds = 0
    var standsBy: Seconds?
    var soundSince: Seconds = 0
    var troubles = 0
    var torqueIsAsked = false
    var clearAskedAt: Seconds = -1, emergencyAskedAt: Seconds = -1, emergencyAt: Seconds = -1
    private(set) var hasTorque = true

    /// Axes with a wrong motor or encoder, the end of that fault (nil: it lasts), and how long they have turned since.
    var lying: [Axis: (until: Seconds?, turned: Seconds)] = [:]
    private(set) var hasLied = false
    private(set) var observedAt: Seconds = 0

    // The requests.
    var mustBeStill = false
    /// ... but the mode was set since then, and the head may move with the face's gestures.
    var mayStir = false
    /// Tracking was allowed, and nothing has ended that.
    var isTracking: Bool
    var isLatched = false
    var isSaving = false
    var mayGoHomeUntil: Seconds = -1
    var stopIsDue = false, prefixIsDue = false
    var manualUntil: Seconds = 0
    var limits: [Axis: (range: ClosedRange<Double>, speed: Double)] = [:]
    var limitsSetAt: Seconds = -1
    var lastSightAt: Seconds = -1
    var gapNeedsHello = false
    var personHolds = false
    var heldBefore = false
    /// The takeovers by people since the dock was last released, and those that are not answered yet.
    var takeovers: [MotionCommand] = []
    var lease: (client: Int, until: Seconds)?
    var running: (id: MotionID, client: Int?, isLeased: Bool)?
    var orphanedAt: Seconds?
    var commandsOut = 0
    var motionsOut: Set<Int> = []

    init(story: Story, profile: RigProfile, model: RigModel) {
        self.story = story
        self.profile = profile
        self.model = model
        isTracking = story.tracksAtFirst
        signs = SignWatch(camera: story.camera, isRough: story.sight != nil)
        if story.camera != nil { accusations.cameraIsWrong() }
        let ramp = max(
            profile.pan.maxSpeed / profile.pan.maxAcceleration, profile.tilt.maxSpeed / profile.tilt.maxAcceleration)
        frames = FrameWatch(frameRate: story.frameRate, profile: profile)
        lost = LostWatch(frameRate: story.frameRate, home: profile.home, ramp: ramp)
    }

    func fail(_ rule: Rule, _ time: Seconds, _ text: @autoclosure () -> String) {
        if violation == nil { violation = Violation(rule: rule, time: time, text: text()) }
    }

    func note(_ bytes: [UInt8], _ time: Seconds) {
        for byte in bytes { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
        fingerprint = (fingerprint ^ time.bitPattern) &* 0x100_0000_01B3
    }

    /// Range and speed limit of an axis, rad and rad/s.
    func allowed(_ axis: Axis) -> (range: ClosedRange<Double>, speed: Double) {
        limits[axis] ?? (profile[axis].softRange, profile[axis].maxSpeed)
    }

    // MARK: what happens to the world

    func happens(_ what: Happening, at time: Seconds) {
        accusations.happens(what)
        // A speed computed from the poses themselves is noisy.
        if case .falseRates = what { pole.spoil() }
        if case .deaf(let duration) = what {
            deaf.deaf(at: time)
            deafUntil = max(deafUntil, time + duration + 0.1)
        }
        if case .guardGone = what { holds.forgive() }
        if case .stands = what { signs.stands(at: time) }
        switch what {
        case .badLine, .narrowLine, .slowLine, .mute, .deaf, .unplug, .otherDock, .swapDock, .falseRates, .heat,
            .emergencyButton:
            // The other dock is plugged in, and ours after it: two repairs.
            if case .otherDock = what { troubles += 1 }
            troubles += 1
            blocks.forgive()
            if case .emergencyButton = what { people.pressedButton() }
        case .block(let axis, _):
            troubles += 1
            blocks.blocks(axis)
        case .letGo: release.letGo()
        case .reboot:
            release.restarted()
            soundSince = max(soundSince, time + 0.5)
            drift.sound(from: time + 0.5)
        case .wrongMotor(let axis, _), .wrongEncoder(let axis, _, _):
            troubles += 1
            lying[axis] = (nil, 0)
            hasLied = true
            pole.spoil()
            if case .wrongEncoder(_, true, _) = what { deadEncoders.dies(axis, at: pose) }
        case .suspend(let duration):
            if duration > 0.06 { gapNeedsHello = true }
            held(until: time + duration)
        case .hang(let duration):
            // A loop that had nothing to do does not know that it was held.
            if duration > 0.4, moving != nil { gapNeedsHello = true }
            held(until: time + duration)
        case .busyPort(let duration): soundSince = max(soundSince, time + duration + 0.5)
        case .detectorClock(_, let duration):
            lost.held(until: time + duration + 0.5)
            frames.clockJumped()
            pole.spoil()
        case .battery(let level):
            // A way home that has begun may end.
            mayGoHomeUntil = level <= 0.05 ? .infinity : min(mayGoHomeUntil, time + 15)
            isSaving = level <= 0.05
        default: break
        }
    }

    private func held(until time: Seconds) {
        soundSince = max(soundSince, time + 0.5)
        release.held(until: time)
        stops.forgive()
        deaf.forgive()
        drift.sound(from: time)
        lost.held(until: time)
    }

    /// Whether the line has worked for this time, without a fault at our dock.
    func isSound(for duration: Seconds, at time: Seconds) -> Bool {
        troubles == 0 && isPlugged && time > soundSince + duration
    }

    /// With several faults at once, some may last longer. The world counts as repaired when none is left.
    func repaired(at time: Seconds) {
        troubles = max(0, troubles - 1)
        deaf.forgive()
        drift.sound(from: time)
        soundSince = max(soundSince, time + 0.5)
    }

    func opened(at time: Seconds, dock: Int) {
        openedAt = time
        isSwapUnknown = false
        drift.sound(from: time + 0.5)
        isPlugged = dock == 0
        stops.portOpened()
        latch.portOpened()
        people.greets()
        release.restarted()
        lowSince = nil
        toDock.reset()
        toHost.reset()
        helloAt = nil
        firstMotionAt = nil
        moving = nil
        lastFrameWasStop = false
    }

    func unplugged(at time: Seconds) {
        moving = nil
        isPlugged = false
        stops.forgive()
        // Requested motion is over.
        manualUntil = min(manualUntil, time)
    }

    func left(_ client: Int, at time: Seconds) {
        guard lease?.client == client else { return }
        lease = nil
        leases.lost(by: client)
        if running?.isLeased == true, running?.client == client { orphanedAt = time }
    }

    // MARK: the true axes

    func observe(_ dock: SimulatedDock, at time: Seconds) {
        (pose, rate) = (dock.pose, dock.rate)
        hasTorque = dock.flags.contains(.torque)
        let elapsed = time - observedAt
        observedAt = time
        proof.passed(elapsed, rate: rate)
        watchDock(dock, elapsed, time)
        watchOwed(dock, elapsed, time)
        watchDeadEncoders(elapsed, time)
        // Hands move an axis without torque.
        guard hasTorque else { return }
        for axis in Axis.allCases {
            if let lie = lying[axis] {
                watch(axis, lie, elapsed, time)
                continue
            }
            let range = profile[axis].range, slack = Double.degrees(0.6)
            if pose[axis] > range.upperBound + slack || pose[axis] < range.lowerBound - slack {
                fail(.staysInRange, time, "\(axis.rawValue) at \(degrees(pose[axis]))")
            }
        }
        let speed = rate.magnitude
        // A dock that was given wrong positions creeps when it learns where it is. One with a noisy encoder corrects
        // its readings.
        guard speed > .degrees(hasLied ? 5 : story.isCheap ? 3 : 0.6), lying.isEmpty else { return }
        // Without a deadman timer nothing stops the dock while the line is faulty, or directly afterwards.
        guard story.hasDeadman || (troubles == 0 && time > soundSince + unheardTime) else { return }
        // The dock accepts no set-point older than its deadman time, and keeps none longer than that.
        if time > freshUntil + coasting(speed) {
            fail(.freshSetpoints, time, "turns at \(degrees(speed))/s, last set-point \(ms(time - lastSetpointAt)) old")
        }
        if let standsBy, time > standsBy, troubles == 0, soundSince < lastSetpointAt {
            fail(.stopIsEffective, time, "turns at \(degrees(speed))/s after a stop")
        }
    }

    /// How long after a repair the handshake may take, seconds. The daemon retries less often at a port that had
    /// another dock.
    private var unheardTime: Seconds { story.hasVisitor ? DockMachine.longestUnheardPause + 1.5 : 2.5 }

    /// What the dock must have received by now, and what must no longer be sent to it.
    private func watchDock(_ dock: SimulatedDock, _ elapsed: Seconds, _ time: Seconds) {
        if troubles == blocks.count, isPlugged, time > soundSince + 1,
            let text = blocks.passed(elapsed, moving: moving)
        {
            fail(.blockedStands, time, text)
        }
        guard isSound(for: 0, at: time), let helloAt else { return }
        if let text = stops.passed(to: time) { fail(.stopsAgain, time, text) }
        if latch.isDue(at: time, soundSince: max(soundSince, helloAt + 0.5)), !dock.isEmergencyStopped {
            fail(.emergencyArrives, time, "an emergency stop was requested, and the dock has not received it")
        }
    }

    func degrees(_ radians: Double) -> String { "\((radians.inDegrees * 10).rounded() / 10) deg" }
    func ms(_ seconds: Seconds) -> String { "\(Int(seconds * 1000)) ms" }
}
