public import Geometry
internal import Glibc

/// The response of the axes to a commanded velocity: a shared delay (the transport), then a first-order lag per axis.
///
/// The model is dv/dt = (g u(t - delay) - v) / lag. Its position has a separate offset in every stroke, because a rig
/// that stops at whole degrees does not accumulate them as the commands do. Offset and gain follow from linear least
/// squares. Lag and delay are searched on a grid and refined. The minimised quantity is the sum over the axes of n
/// log(squared error): each axis may have its own noise.
public struct ResponseFit: Sendable, Equatable {
    /// The response of one axis.
    public struct Response: Sendable, Equatable {
        /// The time constant, in seconds.
        public var lag: Seconds
        /// The measured velocity divided by the commanded velocity.
        public var gain: Double
        /// The motion that the model does not explain, root mean square, in radians.
        public var residual: Double
        /// The same as a fraction of the whole motion, 0...1.
        public var unexplained: Double
    }

    /// The time from a decision to the beginning of its effect, in seconds.
    public var delay: Seconds
    /// The axes in the order in which they were given.
    public var axes: [Response]

    /// The longest delay that is searched, in seconds.
    public static let longestDelay: Seconds = 0.4
    /// The shortest possible lag of a motor with a head on it, in seconds. The rest of a shorter lag counts as delay.
    public static let shortestLag: Seconds = 0.01
    /// The longest lag that is searched, in seconds.
    public static let longestLag: Seconds = 0.8
    /// The fraction of the motion that may remain unexplained. A model that leaves more does not describe the rig.
    public static let most = 0.2

    /// Fits the recordings of the axes of one rig.
    /// - Returns: nil if there is too little to fit, or if no such model describes it.
    public init?(_ recordings: [MotionRecording]) {
        let plants = recordings.map(Plant.init)
        guard !plants.isEmpty, plants.allSatisfy(\.isUseful) else { return nil }
        func cost(_ delay: Seconds) -> Double { plants.reduce(0) { $0 + $1.best(delay).cost } }
        delay = Self.least(of: cost, from: 0, to: Self.longestDelay, steps: 20, finest: 0.001)
        let delay = delay
        axes = plants.map { $0.best(delay).response }
        let isInside = delay < Self.longestDelay - 0.002
        guard isInside,
            axes.allSatisfy({ $0.unexplained < Self.most && $0.lag < Self.longestLag - 0.005 && $0.gain > 0 })
        else { return nil }
    }

    /// Returns where a function is smallest: the best point of a grid, and then of increasingly finer grids around it.
    static func least(
        of cost: (Double) -> Double, from low: Double, to high: Double, steps: Int, finest: Double
    ) -> Double {
        var low = low, high = high, best = low, steps = steps
        let floor = low, ceiling = high
        while true {
            let step = (high - low) / Double(steps)
            var least = Double.infinity
            for index in 0...steps {
                let at = low + step * Double(index), value = cost(at)
                if value < least { (least, best) = (value, at) }
            }
            if step <= finest { return best }
            (low, high) = (max(floor, best - step), min(ceiling, best + step))
            steps = 6
        }
    }

    /// One axis with its commands.
    private struct Plant {
        let recording: MotionRecording
        let segments: [Range<Int>]
        /// The sum of the squared deviations of the readings from their mean in each stroke.
        let spread: Double

        init(_ whole: MotionRecording) {
            var recording = whole
            // A command that repeats the previous one has no effect.
            recording.commands = whole.commands.enumerated().filter { index, command in
                index == 0 || command.velocity != whole.commands[index - 1].velocity
            }.map(\.element)
            self.recording = recording
            segments = recording.segments
            spread = segments.reduce(0) { sum, range in
                let places = recording.readings[range].map(\.position), mean = places.reduce(0, +) / Double(range.count)
                return sum + places.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            }
        }

        var count: Int { segments.reduce(0) { $0 + $1.count } }
        var isUseful: Bool { segments.count >= 2 && count >= 20 && spread > 1e-4 && !recording.commands.isEmpty }

        func best(_ delay: Seconds) -> (cost: Double, response: Response) {
            let lag = ResponseFit.least(
                of: { error(delay, $0).squares }, from: ResponseFit.shortestLag,
                to: ResponseFit.longestLag, steps: 12, finest: 0.001)
            let (squares, gain) = error(delay, lag)
            let response = Response(
                lag: lag, gain: gain, residual: (squares / Double(count)).squareRoot(),
                unexplained: (squares / spread).squareRoot())
            return (Double(count) * log(max(squares, 1e-12)), response)
        }

        /// Returns the remaining squares, and the gain that minimises them.
        private func error(_ delay: Seconds, _ lag: Seconds) -> (squares: Double, gain: Double) {
            let path = path(delay, lag)
            var both = 0.0, own = 0.0
            for range in segments {
                let count = Double(range.count)
                let mean = path[range].reduce(0, +) / count
                for index in range {
                    both += (path[index] - mean) * recording.readings[index].position
                    own += (path[index] - mean) * (path[index] - mean)
                }
            }
            guard own > 1e-9 else { return (spread, 0) }
            return (max(0, spread - both * both / own), both / own)
        }

        /// Returns the model's position at each reading, with gain 1, beginning at 0.
        private func path(_ delay: Seconds, _ lag: Seconds) -> [Double] {
            var path: [Double] = []
            path.reserveCapacity(recording.readings.count)
            var position = 0.0, velocity = 0.0, target = 0.0, next = 0
            let commands = recording.commands
            var time = min(commands[0].time + delay, recording.readings[0].time)
            func go(to end: Seconds) {
                let elapsed = end - time
                guard elapsed > 0 else { return }
                let rest = lag > 1e-6 ? exp(-elapsed / lag) : 0
                position += target * elapsed + (velocity - target) * lag * (1 - rest)
                velocity = target + (velocity - target) * rest
                time = end
            }
            for reading in recording.readings {
                while next < commands.count, commands[next].time + delay <= reading.time {
                    go(to: commands[next].time + delay)
                    target = commands[next].velocity
                    next += 1
                }
                go(to: reading.time)
                path.append(position)
            }
            return path
        }
    }
}
