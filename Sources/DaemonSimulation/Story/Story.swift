public import Geometry

/// One run of the whole daemon in virtual time: a rig, people in front of it, and what goes wrong when.
///
/// Everything follows from the seed; leaving out events (`keeping`) does not change the others, so a story can be shrunk.
public struct Story: Sendable {
    /// The seed that it was made of; also that of all noise in it.
    public let seed: UInt64
    /// The cheap rig; else the good one.
    public let isCheap: Bool
    /// The port counts as hardware: careful arming.
    public let isHardware: Bool
    /// Somebody has checked this rig (`dockface check`): it may turn at its full speed.
    public let isChecked: Bool
    /// The dock stops by itself when no set-points come; else only the guard is left.
    public let hasDeadman: Bool
    /// Starts in mode system; else manual.
    public let tracksAtFirst: Bool
    /// Frames of the detector a second.
    public let frameRate: Double
    /// Persons in front of the dock.
    public let persons: Int
    /// What is wrong with the camera; nil: nothing.
    public let camera: WrongCamera?
    /// How bad its pictures are; nil: no worse than others.
    public let sight: RoughSight?
    /// Virtual seconds.
    public let duration: Seconds
    /// How it ends in peace, and the number of the first event of that; nil: it just ends.
    let ending: (what: Ending, first: Int)?
    /// What happens, by time; the number of an event is its place in the whole story.
    public internal(set) var events: [(number: Int, at: Seconds, what: Happening)]

    /// Another dock comes to the port.
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

    /// The story of the seed.
    public init(seed: UInt64) {
        var teller = StoryTeller(seed: seed)
        self.seed = seed
        isCheap = teller.chance(0.4)
        isHardware = teller.chance(0.25)
        isChecked = teller.chance(0.5)
        hasDeadman = teller.chance(0.85)
        tracksAtFirst = teller.chance(0.8)
        let usualRate: Double = teller.pick([10, 15, 30])
        persons = teller.count(0...3)
        let end = teller.between(4, 10) + (isHardware ? 3 : 0)
        var scenes = StoryTeller(seed: seed ^ Self.scenesSeed)
        let told = scenes.scenes(until: end - 0.5)
        var axes = StoryTeller(seed: seed ^ Self.axesSeed)
        let turned = axes.axes(until: end - 0.5)
        var all = teller.events(until: end - 0.5, hasDeadman: hasDeadman, with: told + turned)
        var aside = StoryTeller(seed: seed ^ 0xCA3E_0000_0000)
        camera = aside.camera()
        var roughly = StoryTeller(seed: seed ^ Self.sightSeed)
        sight = camera != nil && roughly.chance(0.6) ? RoughSight(&roughly) : nil
        frameRate = sight?.frameRate ?? usualRate
        // Some end in peace: every trouble is over, and the dock has to show that it still works.
        if teller.chance(0.3) || camera != nil {
            let ending = camera == nil ? teller.ending(canFollow: isChecked || !isHardware) : .looks
            let last = end + ending.length, first = all.count
            duration = last
            self.ending = (ending, first)
            all += ending.events.enumerated().map { (first + $0.offset, last + $0.element.at, $0.element.what) }
        } else {
            duration = end
            ending = nil
        }
        events = all
    }

    /// A checked good rig on a pseudo-terminal with two people in front of it, and what happens.
    init(seed: UInt64, duration: Seconds, events: [(number: Int, at: Seconds, what: Happening)]) {
        (self.seed, self.duration, self.events) = (seed, duration, events)
        (isCheap, isHardware, isChecked, hasDeadman, tracksAtFirst) = (false, false, true, true, true)
        (frameRate, persons, camera, sight, ending) = (15, 2, nil, nil, nil)
    }

    /// The end in peace; nil: there is none, or it was cut when the story was shrunk.
    var wholeEnding: Ending? {
        guard let ending, events.count(where: { $0.number >= ending.first }) == ending.what.events.count else {
            return nil
        }
        return ending.what
    }

    /// The same with only these events.
    public func keeping(_ numbers: Set<Int>) -> Story {
        var story = self
        story.events = events.filter { numbers.contains($0.number) }
        return story
    }
}

/// Something that happens in a story. Times in seconds, angles in radians, shares 0...1.
public enum Happening: Sendable, Equatable {
    /// Bytes are lost, inserted, changed, either way, for a time.
    case badLine(drop: Double, insert: Double, flip: Double, for: Seconds)
    /// The line takes only so many bytes of each write.
    case narrowLine(bytes: Int, for: Seconds)
    /// Bytes come later, either way, for a time.
    case slowLine(by: Seconds, for: Seconds)
    /// The dock says nothing.
    case mute(for: Seconds)
    /// The dock hears nothing.
    case deaf(for: Seconds)
    /// The cable is pulled after so many more bytes, and put back.
    case unplug(afterBytes: Int, for: Seconds, reboots: Bool)
    /// The cable is pulled, and another dock comes in its place; later ours.
    case otherDock(for: Seconds)
    /// Another program has the port when we come back.
    case busyPort(for: Seconds)
    /// The dock restarts.
    case reboot
    /// Somebody presses the dock's own emergency button and lets go.
    case emergencyButton(for: Seconds)
    /// The motors get too hot.
    case heat(for: Seconds)
    /// A motor is blocked.
    case block(Axis, for: Seconds)
    /// A motor turns against its command.
    case wrongMotor(Axis, for: Seconds)
    /// An encoder counts the wrong way, or (frozen) not at all.
    case wrongEncoder(Axis, isFrozen: Bool, for: Seconds)
    /// The dock reports these rates, whatever its axes do.
    case falseRates(pan: Double, tilt: Double, for: Seconds)
    /// The motors let go by themselves.
    case letGo
    /// Another dock with the same boot id, which somebody else has greeted, takes the place of ours behind the same port.
    case swapDock(for: Seconds)
    /// The guard dies, and another can be had only later.
    case guardGone(for: Seconds)
    /// The daemon is ended, and started again at once.
    case restart
    /// The loop gets no time.
    case hang(for: Seconds)
    /// The machine sleeps: CLOCK_MONOTONIC stands still.
    case suspend(for: Seconds)
    /// The wall clock is set.
    case wallClock(by: Seconds)
    /// The detector says nothing.
    case detectorStall(for: Seconds)
    /// The detector delivers many lines at once.
    case detectorFlood(lines: Int)
    /// The detector writes something that is no line of the stream.
    case detectorGarbage(bytes: Int)
    /// The detector's times are off.
    case detectorClock(by: Seconds, for: Seconds)
    /// Somebody appears or walks off.
    case person(Int, isThere: Bool)
    /// Somebody comes, and stands still well within the picture of a camera that looks ahead.
    case stands(Int)
    /// Somebody jumps to another place.
    case teleport(Int)
    /// Somebody climbs to an elevation and stays there.
    case climb(Int, to: Double, for: Seconds)
    /// A battery is low, critical, or full again.
    case battery(level: Double)
    /// A key.
    case key(StoryKey)
    /// A person's words.
    case words(String)
    /// A program asks for something.
    case program(Int, ProgramWish)
    /// A program's connection ends.
    case programGone(Int)
}

/// A key that somebody presses.
public enum StoryKey: String, Sendable, CaseIterable {
    case left, right, up, down, stop, emergency, clear, home, mode, framing, yes, nope, wakeup, kapow, faster, slower
}

/// What a program asks for.
public enum ProgramWish: Sendable, Equatable {
    case acquire, release, stop, emergencyStop, clear
    case mode(Int)
    case velocity(pan: Double, tilt: Double, for: Seconds)
    case orient(pan: Double, tilt: Double, duration: Seconds)
    case animate(Int)
    case limits(low: Double, high: Double, speed: Double?)
    case track(x: Double)
    case torque(Bool)
    case status
}
