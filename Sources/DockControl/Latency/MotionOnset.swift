public import Geometry
internal import Glibc

/// Determines when an axis begins to move after a command, by extrapolating back from its observed positions to the one
/// where it began.
///
/// Only clear starts count: the axis was at rest without commands, and is then commanded to turn. The positions
/// reported soon afterwards are compared with the path that results from the commands, its acceleration and its lag.
/// The delay of the real path behind this one is the time from the command to the first motion. The result is therefore
/// finer than the interval between reports, and small noise affects it little. An error in the profile's lag is part of
/// it.
public struct MotionOnset: Sendable, Equatable {
    /// A start that was measured completely.
    public struct Start: Sendable, Equatable {
        /// When the first command was written, CLOCK_MONOTONIC.
        public var commanded: Seconds
        /// When the head first moved, as its reports show it, CLOCK_MONOTONIC.
        public var moved: Seconds
    }

    /// The time for which the axis must have been at rest before, in seconds.
    static let pause: Seconds = 0.3
    /// The speed below which an axis is at rest, and the commanded speed above which a start is evaluated, in rad/s.
    static let standing = Double.degrees(0.5), clear = Double.degrees(3)
    /// The distance that the axis must have moved, in radians: ten times the noise of a good encoder, or some steps of
    /// a servo's.
    static let distance = Double.degrees(0.5)
    /// The number of reports that are evaluated. The median of the results is taken.
    static let looks = 3
    /// The time after which a start is given up, in seconds.
    static let patience: Seconds = 0.5
    /// The steps of the path, in seconds.
    private static let step: Seconds = 0.000_5

    private let lag: Seconds, acceleration: Double
    private var quietSince: Seconds?
    private var place = 0.0, readings = 0
    private var commands: [(time: Seconds, velocity: Double)] = []
    private var shifts: [Seconds] = []

    /// Creates the measurement for an axis with a time constant (seconds) and a maximum acceleration (rad/s²).
    public init(lag: Seconds, acceleration: Double) {
        self.lag = max(lag, 0.001)
        self.acceleration = acceleration
        commands.reserveCapacity(64)
        shifts.reserveCapacity(Self.looks)
    }

    /// When the start in progress was commanded, or nil if there is none.
    public var beganAt: Seconds? { commands.first?.time }
    /// The direction of the start in progress, -1 or 1.
    public var direction: Double { (commands.first?.velocity ?? 0) < 0 ? -1 : 1 }

    /// Discards what was known about the axis: from `now` on it has no commands.
    public mutating func reset(now: Seconds) {
        giveUp()
        quietSince = now
    }

    private mutating func giveUp() {
        commands.removeAll(keepingCapacity: true)
        shifts.removeAll(keepingCapacity: true)
        (quietSince, place, readings) = (nil, 0, 0)
    }

    /// Records that a velocity (rad/s) was written at a time.
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

    /// Processes a report of the axis: rad, rad/s. Returns a start when it is measured completely.
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
        // The axis cannot have begun before the command. In that case a clock is slightly off.
        return Start(commanded: start.time, moved: start.time + max(0, shift))
    }

    private mutating func rest(position: Double, rate: Double, at time: Seconds) {
        guard let since = quietSince else { return }
        guard abs(rate) < Self.standing, readings == 0 || abs(position - place) < Self.distance else {
            (quietSince, readings) = (max(since, time), 0)
            return
        }
        // Any motion that remained after the last command has ended.
        guard time - since > Self.pause / 2 else { return }
        readings = min(readings + 1, 8)
        place += (position - place) / Double(readings)
    }

    /// Returns when the path that results from the commands and the lag has covered this distance, as if it began at
    /// once. The result is nil if this is not clear.
    private func passes(_ way: Double) -> Seconds? {
        guard let start = commands.first?.time else { return nil }
        let share = 1 - exp(-Self.step / lag)
        var rate = 0.0, covered = 0.0, next = 0, target = 0.0, demand = 0.0, time = start
        while time - start < Self.patience {
            while next < commands.count, commands[next].time <= time {
                target = commands[next].velocity * direction
                next += 1
            }
            demand += (target - demand).clamped(to: -acceleration * Self.step...acceleration * Self.step)
            let before = rate
            rate += (demand - rate) * share
            let piece = (before + rate) / 2 * Self.step
            if covered + piece >= way {
                guard rate > Self.clear else { return nil }
                return time + Self.step * (way - covered) / piece
            }
            covered += piece
            time += Self.step
        }
        return nil
    }

    /// Returns whether both have the same state.
    public static func == (a: MotionOnset, b: MotionOnset) -> Bool {
        a.lag == b.lag && a.acceleration == b.acceleration && a.quietSince == b.quietSince && a.place == b.place
            && a.readings == b.readings
            && a.shifts == b.shifts && a.commands.elementsEqual(b.commands) { $0 == $1 }
    }
}
