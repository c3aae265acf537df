public import Geometry
internal import Glibc

/// When an axis begins to move after it was told to: from where it is seen, back to where it began.
///
/// Only clear starts count: the axis stood, nobody told it anything, and then it is told to turn. Where it is reported to be
/// soon afterwards is held against the path that its commands make through its acceleration and its lag; by how much that path
/// has to be later is the time from the command to the first motion. So the answer is finer than the reports come, and a little noise moves it
/// little; what the profile's lag has wrong goes into it.
public struct MotionOnset: Sendable, Equatable {
    /// A start that was seen through.
    public struct Start: Sendable, Equatable {
        /// When the first command was written, CLOCK_MONOTONIC.
        public var commanded: Seconds
        /// The head's first motion, as its reports tell; CLOCK_MONOTONIC.
        public var moved: Seconds
    }

    /// The axis stood for so long before, seconds.
    static let pause: Seconds = 0.3
    /// Slower is standing, rad/s; a start is judged where the axis should turn faster than this.
    static let standing = Double.degrees(0.5), clear = Double.degrees(3)
    /// It has moved by so much when it is looked at, rad: ten times the noise of a good encoder, some steps of a servo's.
    static let distance = Double.degrees(0.5)
    /// So many reports are looked at, and the middle of what they say is taken.
    static let looks = 3
    /// A start is given up after so long, seconds.
    static let patience: Seconds = 0.5
    /// Steps of the path, seconds.
    private static let step: Seconds = 0.000_5

    private let lag: Seconds, acceleration: Double
    private var quietSince: Seconds?
    private var place = 0.0, readings = 0
    private var commands: [(time: Seconds, velocity: Double)] = []
    private var shifts: [Seconds] = []

    /// For an axis with a time constant (seconds) and a greatest acceleration (rad/s²).
    public init(lag: Seconds, acceleration: Double) {
        self.lag = max(lag, 0.001)
        self.acceleration = acceleration
        commands.reserveCapacity(64)
        shifts.reserveCapacity(Self.looks)
    }

    /// When the start that is under way was commanded; nil: none is.
    public var beganAt: Seconds? { commands.first?.time }
    /// Which way it goes, -1 or 1.
    public var direction: Double { (commands.first?.velocity ?? 0) < 0 ? -1 : 1 }

    /// What was known of the axis is old: since `now` nobody tells it anything.
    public mutating func reset(now: Seconds) {
        giveUp()
        quietSince = now
    }

    private mutating func giveUp() {
        commands.removeAll(keepingCapacity: true)
        shifts.removeAll(keepingCapacity: true)
        (quietSince, place, readings) = (nil, 0, 0)
    }

    /// A velocity (rad/s) was written at a time.
    public mutating func commanded(_ velocity: Double, at time: Seconds) {
        if !commands.isEmpty {
            if commands.count < 64 { commands.append((time, velocity)) }
            return
        }
        if velocity == 0 {
            quietSince = quietSince ?? time
            return
        }
        let stood = quietSince.map { time - $0 >= Self.pause } ?? false
        guard stood, readings >= 2 else { return giveUp() }
        commands.append((time, velocity))
    }

    /// A report of the axis: rad, rad/s. A start, when it is seen through.
    public mutating func measured(position: Double, rate: Double, at time: Seconds) -> Start? {
        guard let start = commands.first else {
            rest(position: position, rate: rate, at: time)
            return nil
        }
        guard time > start.time else { return nil }
        guard time - start.time < Self.patience else {
            giveUp()
            return nil
        }
        let way = (position - place) * direction
        guard way > Self.distance, let passed = passes(way) else { return nil }
        shifts.append(time - passed)
        guard shifts.count == Self.looks else { return nil }
        let shift = shifts.sorted()[Self.looks / 2]
        giveUp()
        // Before it was told to it cannot have begun: a clock that is a little off.
        return Start(commanded: start.time, moved: start.time + max(0, shift))
    }

    private mutating func rest(position: Double, rate: Double, at time: Seconds) {
        guard let since = quietSince else { return }
        guard abs(rate) < Self.standing, readings == 0 || abs(position - place) < Self.distance else {
            (quietSince, readings) = (max(since, time), 0)
            return
        }
        // What it ran on by after the last command is over.
        guard time - since > Self.pause / 2 else { return }
        readings = min(readings + 1, 8)
        place += (position - place) / Double(readings)
    }

    /// When the commands' path through the lag has gone so far, as if it began at once; nil: it is not clear.
    private func passes(_ way: Double) -> Seconds? {
        guard let start = commands.first?.time else { return nil }
        let share = 1 - exp(-Self.step / lag)
        var rate = 0.0, gone = 0.0, next = 0, told = 0.0, wish = 0.0, time = start
        while time - start < Self.patience {
            while next < commands.count, commands[next].time <= time {
                told = commands[next].velocity * direction
                next += 1
            }
            wish += (told - wish).clamped(to: -acceleration * Self.step...acceleration * Self.step)
            let before = rate
            rate += (wish - rate) * share
            let piece = (before + rate) / 2 * Self.step
            if gone + piece >= way {
                guard rate > Self.clear else { return nil }
                return time + Self.step * (way - gone) / piece
            }
            gone += piece
            time += Self.step
        }
        return nil
    }

    /// Two that know the same.
    public static func == (a: MotionOnset, b: MotionOnset) -> Bool {
        a.lag == b.lag && a.acceleration == b.acceleration && a.quietSince == b.quietSince && a.place == b.place
            && a.readings == b.readings
            && a.shifts == b.shifts && a.commands.elementsEqual(b.commands) { $0 == $1 }
    }
}
