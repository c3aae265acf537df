public import Geometry

/// What one axis was told and what it reported while it was moved to and fro, for measuring how it responds.
public struct MotionRecording: Sendable, Equatable {
    /// From `time` on this velocity was commanded.
    public struct Command: Sendable, Equatable {
        /// CLOCK_MONOTONIC of the decision; it is written within a millisecond.
        public var time: Seconds
        /// rad/s.
        public var velocity: Double

        /// A velocity (rad/s) from a time on.
        public init(time: Seconds, velocity: Double) {
            self.time = time
            self.velocity = velocity
        }
    }

    /// Where the axis was at a time, as it reports.
    public struct Reading: Sendable, Equatable {
        /// CLOCK_MONOTONIC of the measurement, as far as the driver knows it.
        public var time: Seconds
        /// Radians.
        public var position: Double
        /// rad/s.
        public var rate: Double

        /// A position (rad) and a rate (rad/s) at a time.
        public init(time: Seconds, position: Double, rate: Double) {
            self.time = time
            self.position = position
            self.rate = rate
        }
    }

    /// What was commanded, oldest first; zero before the first.
    public var commands: [Command]
    /// What was reported, oldest first.
    public var readings: [Reading]
    /// When each stroke began, and the end of the last: the axis stood then.
    public var cuts: [Seconds]

    /// All parts.
    public init(commands: [Command], readings: [Reading], cuts: [Seconds]) {
        self.commands = commands
        self.readings = readings
        self.cuts = cuts
    }

    /// One axis, from what the flight recorder holds since a time.
    public init(_ records: [TraceRecord], axis: Axis, from start: Seconds, cuts: [Seconds]) {
        self.init(commands: [], readings: [], cuts: cuts)
        for record in records where record.time >= start {
            switch record.body {
            case .set(let velocity, _, _): commands.append(Command(time: record.time, velocity: velocity[axis]))
            case .pose(let sample, _):
                // Clocks that are mapped may step back a little.
                if let last = readings.last, sample.time <= last.time { continue }
                readings.append(Reading(time: sample.time, position: sample.pose[axis], rate: sample.rate[axis]))
            default: break
            }
        }
    }

    /// Standard deviation of the position while the axis stood before the first stroke, rad; nil: too few readings.
    public var noise: Double? {
        let still = readings.prefix { $0.time < (cuts.first ?? 0) }.map(\.position)
        guard still.count >= 5 else { return nil }
        let mean = still.reduce(0, +) / Double(still.count)
        return (still.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(still.count - 1)).squareRoot()
    }

    /// How far the axis was told to go in each stroke, and how far it went, rad.
    public var strokes: [(told: Double, moved: Double)] {
        zip(cuts, cuts.dropFirst()).compactMap { begin, end in
            guard let before = place(at: begin), let after = place(at: end) else { return nil }
            return (way(from: begin, to: end), after - before)
        }
    }

    /// Measured by commanded speed, and the standard error of that, from where the axis stood between the strokes; nil: too little
    /// was told or reported.
    public var speedRatio: (value: Double, error: Double)? {
        let strokes = strokes, told = strokes.reduce(0) { $0 + $1.told * $1.told }
        guard strokes.count >= 3, told > 1e-6 else { return nil }
        let ratio = strokes.reduce(0) { $0 + $1.told * $1.moved } / told
        let rest = strokes.reduce(0) { sum, stroke in
            let error = stroke.moved - ratio * stroke.told
            return sum + error * error
        }
        return (ratio, (rest / Double(strokes.count - 1) / told).squareRoot())
    }

    /// Reported rate by the slope of the reported positions: how wrong the device's unit of speed is read; nil: it hardly moved.
    public var rateRatio: Double? {
        var both = 0.0, own = 0.0
        for run in runs where run.count >= 4 {
            // The way that the rates make, beside the way that the positions tell.
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

    /// Readings that follow each other closely: a rig at rest reports seldom, and what its rate was between is not known.
    private var runs: [ArraySlice<Reading>] {
        var runs: [ArraySlice<Reading>] = [], begin = 0
        for index in 1..<max(1, readings.count) where readings[index].time - readings[index - 1].time > Self.longestStep
        {
            runs.append(readings[begin..<index])
            begin = index
        }
        return runs + [readings[begin...]]
    }

    /// A rig that moves reports more often than this, seconds.
    static let longestStep: Seconds = 0.06

    /// The readings of each stroke, those at its cuts included.
    var segments: [Range<Int>] {
        zip(cuts, cuts.dropFirst()).compactMap { begin, end in
            let low = readings.firstIndex { $0.time >= begin } ?? readings.endIndex
            let high = readings.firstIndex { $0.time > end } ?? readings.endIndex
            return high - low >= 3 ? low..<high : nil
        }
    }

    /// The mean of what was reported just before a moment at which it stood.
    private func place(at time: Seconds) -> Double? {
        let last = readings.prefix { $0.time <= time }.suffix(3)
        return last.isEmpty ? nil : last.reduce(0) { $0 + $1.position } / Double(last.count)
    }

    /// What was commanded between two moments, rad.
    public func way(from begin: Seconds, to end: Seconds) -> Double {
        var sum = 0.0
        for (index, command) in commands.enumerated() {
            let next = index + 1 < commands.count ? commands[index + 1].time : .infinity
            sum += command.velocity * max(0, min(end, next) - max(begin, command.time))
        }
        return sum
    }
}
