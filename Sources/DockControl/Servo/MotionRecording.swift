public import Geometry

/// Commands and reports of one axis while it was moved back and forth, for measuring its response.
public struct MotionRecording: Sendable, Equatable {
    /// A command: from `time` on this velocity was commanded.
    public struct Command: Sendable, Equatable {
        /// CLOCK_MONOTONIC of the decision; the command is written within a millisecond.
        public var time: Seconds
        /// The velocity, in rad/s.
        public var velocity: Double

        /// Creates a command from a velocity (rad/s) and a time.
        public init(time: Seconds, velocity: Double) {
            self.time = time
            self.velocity = velocity
        }
    }

    /// A reported position of the axis.
    public struct Reading: Sendable, Equatable {
        /// The CLOCK_MONOTONIC time of the measurement, as far as the driver can determine it.
        public var time: Seconds
        /// The position, in radians.
        public var position: Double
        /// The rate, in rad/s.
        public var rate: Double

        /// Creates a reading from a position (rad) and a rate (rad/s) at a time.
        public init(time: Seconds, position: Double, rate: Double) {
            self.time = time
            self.position = position
            self.rate = rate
        }
    }

    /// The commands, oldest first. Before the first one, the velocity is zero.
    public var commands: [Command]
    /// The reports, oldest first.
    public var readings: [Reading]
    /// The times at which each stroke began, and the end of the last one. The axis was at rest at these times.
    public var cuts: [Seconds]

    /// Creates a recording from its parts.
    public init(commands: [Command], readings: [Reading], cuts: [Seconds]) {
        self.commands = commands
        self.readings = readings
        self.cuts = cuts
    }

    /// Extracts one axis from the contents of the flight recorder since a time.
    public init(_ records: [TraceRecord], axis: Axis, from start: Seconds, cuts: [Seconds]) {
        self.init(commands: [], readings: [], cuts: cuts)
        for record in records where record.time >= start {
            switch record.body {
            case .set(let velocity, _, _): commands.append(Command(time: record.time, velocity: velocity[axis]))
            case .pose(let sample, _):
                // Mapped clocks may step back slightly.
                if let last = readings.last, sample.time <= last.time { continue }
                readings.append(Reading(time: sample.time, position: sample.pose[axis], rate: sample.rate[axis]))
            default: break
            }
        }
    }

    /// The standard deviation of the position while the axis was at rest before the first stroke, in radians, or nil if
    /// there are too few readings.
    public var noise: Double? {
        let still = readings.prefix { $0.time < (cuts.first ?? 0) }.map(\.position)
        guard still.count >= 5 else { return nil }
        let mean = still.reduce(0, +) / Double(still.count)
        return (still.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(still.count - 1)).squareRoot()
    }

    /// The commanded and measured motion of each stroke, in radians.
    public var strokes: [(commanded: Double, moved: Double)] {
        zip(cuts, cuts.dropFirst()).compactMap { begin, end in
            guard let before = place(at: begin), let after = place(at: end) else { return nil }
            return (way(from: begin, to: end), after - before)
        }
    }

    /// The measured speed divided by the commanded speed, and its standard error, from the positions between the
    /// strokes, or nil if there are too few commands or reports.
    public var speedRatio: (value: Double, error: Double)? {
        let strokes = strokes, squares = strokes.reduce(0) { $0 + $1.commanded * $1.commanded }
        guard strokes.count >= 3, squares > 1e-6 else { return nil }
        let ratio = strokes.reduce(0) { $0 + $1.commanded * $1.moved } / squares
        let rest = strokes.reduce(0) { sum, stroke in
            let error = stroke.moved - ratio * stroke.commanded
            return sum + error * error
        }
        return (ratio, (rest / Double(strokes.count - 1) / squares).squareRoot())
    }

    /// The reported rate divided by the slope of the reported positions: the error in reading the device's unit of
    /// speed, or nil if the axis hardly moved.
    public var rateRatio: Double? {
        var both = 0.0, own = 0.0
        for run in runs where run.count >= 4 {
            // The path according to the rates, compared with the path according to the positions.
            var ways: [Double] = [0]
            for (before, after) in zip(run, run.dropFirst()) {
                ways.append((ways.last ?? 0) + (before.rate + after.rate) / 2 * (after.time - before.time))
            }
            let count = Double(run.count), middle = run.reduce(0) { $0 + $1.position } / count
            let mean = ways.reduce(0, +) / count
            for (reading, way) in zip(run, ways) {
                both += (reading.position - middle) * (way - mean)
                own += (reading.position - middle) * (reading.position - middle)
            }
        }
        return own > 1e-3 ? both / own : nil
    }

    /// The runs of readings that follow each other closely. A rig at rest reports rarely, and its rate in between is
    /// unknown.
    private var runs: [ArraySlice<Reading>] {
        var runs: [ArraySlice<Reading>] = [], begin = 0
        for index in 1..<max(1, readings.count) where readings[index].time - readings[index - 1].time > Self.longestStep
        {
            runs.append(readings[begin..<index])
            begin = index
        }
        return runs + [readings[begin...]]
    }

    /// The longest interval between the reports of a moving rig, in seconds.
    static let longestStep: Seconds = 0.06

    /// The readings of each stroke, including those at its cuts.
    var segments: [Range<Int>] {
        zip(cuts, cuts.dropFirst()).compactMap { begin, end in
            let low = readings.firstIndex { $0.time >= begin } ?? readings.endIndex
            let high = readings.firstIndex { $0.time > end } ?? readings.endIndex
            return high - low >= 3 ? low..<high : nil
        }
    }

    /// Returns the mean of the last reports before a time at which the axis was at rest.
    private func place(at time: Seconds) -> Double? {
        let last = readings.prefix { $0.time <= time }.suffix(3)
        return last.isEmpty ? nil : last.reduce(0) { $0 + $1.position } / Double(last.count)
    }

    /// Returns the commanded path between two times, in radians.
    public func way(from begin: Seconds, to end: Seconds) -> Double {
        var sum = 0.0
        for (index, command) in commands.enumerated() {
            let next = index + 1 < commands.count ? commands[index + 1].time : .infinity
            sum += command.velocity * max(0, min(end, next) - max(begin, command.time))
        }
        return sum
    }
}
