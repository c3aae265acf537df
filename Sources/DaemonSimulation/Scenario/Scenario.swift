public import Geometry

/// A rig, people in front of it, and faults at given times, for one run of the whole daemon in virtual time: a story.
///
/// Everything follows from the seed. Removing events (`keeping`) does not change the others, so a scenario can be reduced.
public struct Scenario: Sendable {
    /// The seed of the scenario and of all noise in it.
    public let seed: UInt64
    /// Whether the rig is the cheap one instead of the good one.
    public let isCheap: Bool
    /// Whether the port counts as hardware, so that arming is careful.
    public let isHardware: Bool
    /// Whether this rig was checked (`dockface check`), so that it may turn at full speed.
    public let isChecked: Bool
    /// Whether the dock has a deadman timer. If not, only the guard is left.
    public let hasDeadman: Bool
    /// Whether the scenario starts in mode system instead of manual.
    public let tracksAtFirst: Bool
    /// Frames of the detector per second.
    public let frameRate: Double
    /// Number of people in front of the dock.
    public let persons: Int
    /// The camera's fault; nil if there is none.
    public let camera: WrongCamera?
    /// The quality of its frames; nil if it is the usual one.
    public let sight: RoughSight?
    /// Duration in virtual seconds.
    public let duration: Seconds
    /// The quiet end and the number of its first event; nil if the scenario just ends.
    let ending: (what: Ending, first: Int)?
    /// The events by time. An event's number is its place in the whole scenario.
    public internal(set) var events: [(number: Int, at: Seconds, what: ScenarioEvent)]

    /// Whether another dock is attached to the port.
    var hasVisitor: Bool {
        events.contains {
            switch $0.what {
            case .otherDock, .swapDock: true
            default: false
            }
        }
    }

    private static let scenesSeed: UInt64 = 0x5CE7_E5, axesSeed: UInt64 = 0xA8E5_0000
    private static let sightSeed: UInt64 = 0x5169_4700_0000

    /// Makes the scenario of a seed.
    public init(seed: UInt64) {
        var teller = ScenarioGenerator(seed: seed)
        self.seed = seed
        isCheap = teller.chance(0.4)
        isHardware = teller.chance(0.25)
        isChecked = teller.chance(0.5)
        hasDeadman = teller.chance(0.85)
        tracksAtFirst = teller.chance(0.8)
        let usualRate: Double = teller.pick([10, 15, 30])
        persons = teller.count(0...3)
        let end = teller.between(4, 10) + (isHardware ? 3 : 0)
        var scenes = ScenarioGenerator(seed: seed ^ Self.scenesSeed)
        let staged = scenes.scenes(until: end - 0.5)
        var axes = ScenarioGenerator(seed: seed ^ Self.axesSeed)
        let turned = axes.axes(until: end - 0.5)
        var all = teller.events(until: end - 0.5, hasDeadman: hasDeadman, with: staged + turned)
        var aside = ScenarioGenerator(seed: seed ^ 0xCA3E_0000_0000)
        camera = aside.camera()
        var roughly = ScenarioGenerator(seed: seed ^ Self.sightSeed)
        sight = camera != nil && roughly.chance(0.6) ? RoughSight(&roughly) : nil
        frameRate = sight?.frameRate ?? usualRate
        // Some scenarios end quietly: every fault has ended, and the dock must show that it still works.
        if teller.chance(0.3) || camera != nil {
            let ending = camera == nil ? teller.ending(canFollow: isChecked || !isHardware) : .looks
            let last = end + ending.length
            let first = all.count + 1, checked = (all.count, last + ending.cleared + 0.3, ScenarioEvent.words("clear"))
            duration = last
            self.ending = (ending, first)
            let isUnchecked = all.contains { $0.what.isDeadEncoder }
            all += ending.events.enumerated().map { (first + $0.offset, last + $0.element.at, $0.element.what) }
            // After a dead encoder a person has checked the axes, and says so. The clear before may have released an
            // emergency stop, which does not prove that the axis turns.
            if isUnchecked { all.insert(checked, at: all.firstIndex { $0.at > checked.1 } ?? all.endIndex) }
        } else {
            duration = end
            ending = nil
        }
        events = all
    }

    /// Makes a scenario with the given events, a checked good rig on a pseudo-terminal and two people in front of it.
    init(seed: UInt64, duration: Seconds, events: [(number: Int, at: Seconds, what: ScenarioEvent)]) {
        (self.seed, self.duration, self.events) = (seed, duration, events)
        (isCheap, isHardware, isChecked, hasDeadman, tracksAtFirst) = (false, false, true, true, true)
        (frameRate, persons, camera, sight, ending) = (15, 2, nil, nil, nil)
    }

    /// The quiet end; nil if there is none, or if it was cut when the scenario was reduced.
    var wholeEnding: Ending? {
        guard let ending, events.count(where: { $0.number >= ending.first }) == ending.what.events.count else {
            return nil
        }
        return ending.what
    }

    /// Returns the same scenario with only these events.
    public func keeping(_ numbers: Set<Int>) -> Scenario {
        var scenario = self
        scenario.events = events.filter { numbers.contains($0.number) }
        return scenario
    }
}

extension ScenarioEvent {
    /// Whether an encoder always reports the same position for a time.
    fileprivate var isDeadEncoder: Bool {
        if case .wrongEncoder(_, isFrozen: true, _) = self { true } else { false }
    }
}

/// An event in a scenario. Times in seconds, angles in radians, fractions 0...1.
public enum ScenarioEvent: Sendable, Equatable {
    /// Bytes are lost, inserted or changed in both directions.
    case badLine(drop: Double, insert: Double, flip: Double, for: Seconds)
    /// The line accepts only this number of bytes per write.
    case narrowLine(bytes: Int, for: Seconds)
    /// Bytes are late in both directions.
    case slowLine(by: Seconds, for: Seconds)
    /// The dock sends nothing.
    case mute(for: Seconds)
    /// The dock receives nothing.
    case deaf(for: Seconds)
    /// The cable is unplugged after this number of bytes, and plugged in again.
    case unplug(afterBytes: Int, for: Seconds, reboots: Bool)
    /// The cable is unplugged, another dock is plugged in, and later ours again.
    case otherDock(for: Seconds)
    /// Another program has the port when the daemon reopens it.
    case busyPort(for: Seconds)
    /// The dock reboots.
    case reboot
    /// A person presses the dock's own emergency button and releases it.
    case emergencyButton(for: Seconds)
    /// The motors are too hot.
    case heat(for: Seconds)
    /// A motor is blocked.
    case block(Axis, for: Seconds)
    /// A motor turns against its command.
    case wrongMotor(Axis, for: Seconds)
    /// An encoder counts the wrong way, or (frozen) not at all.
    case wrongEncoder(Axis, isFrozen: Bool, for: Seconds)
    /// The dock reports these rates, whatever its axes do.
    case falseRates(pan: Double, tilt: Double, for: Seconds)
    /// The motors release on their own.
    case letGo
    /// Another dock with the same boot id, which another host has greeted, takes the place of ours behind the same open
    /// port.
    case swapDock(for: Seconds)
    /// The guard dies, and a new one can only start later.
    case guardGone(for: Seconds)
    /// The daemon exits and is restarted at once.
    case restart
    /// The loop gets no CPU time.
    case hang(for: Seconds)
    /// The machine sleeps: CLOCK_MONOTONIC stands still.
    case suspend(for: Seconds)
    /// The wall clock is set.
    case wallClock(by: Seconds)
    /// The detector sends nothing.
    case detectorStall(for: Seconds)
    /// The detector sends many lines at once.
    case detectorFlood(lines: Int)
    /// The detector sends bytes that are not a line of the stream.
    case detectorGarbage(bytes: Int)
    /// The detector's times are wrong.
    case detectorClock(by: Seconds, for: Seconds)
    /// A person appears or leaves.
    case person(Int, isThere: Bool)
    /// A person comes and stands still, well within the image of a camera that looks ahead.
    case stands(Int)
    /// A person jumps to another place.
    case teleport(Int)
    /// A person climbs to an elevation and stays there.
    case climb(Int, to: Double, for: Seconds)
    /// A battery is low, critical, or full again.
    case battery(level: Double)
    /// A key press.
    case key(ScenarioKey)
    /// A person's command words.
    case words(String)
    /// A request by a program.
    case program(Int, ProgramWish)
    /// A program's connection ends.
    case programGone(Int)
}

/// A key that a person presses.
public enum ScenarioKey: String, Sendable, CaseIterable {
    case left, right, up, down, stop, emergency, clear, home, mode, framing, yes, nope, wakeup, kapow, faster, slower
}

/// A request by a program.
public enum ProgramWish: Sendable, Equatable {
    case acquire, release, stop, emergencyStop, clear
    case mode(Int)
    case velocity(pan: Double, tilt: Double, for: Seconds)
    case orient(pan: Double, tilt: Double, duration: Seconds)
    case expect(pan: Double, tilt: Double, for: Seconds)
    case animate(Int)
    case limits(low: Double, high: Double, speed: Double?)
    case track(x: Double)
    /// It reports something at this distance in front of the camera, in metres.
    case near(Double)
    case torque(Bool)
    case status
}
