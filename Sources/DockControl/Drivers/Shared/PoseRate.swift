internal import Geometry

/// The rate of the pose of a device that reports positions only: the slope of the straight line through its newest
/// positions.
struct PoseRate: Sendable, Equatable {
    /// The maximum age of the positions that count, in seconds. The last two always count. At 50 positions a second and
    /// 4096 per turn, the slope has about 0.6 deg/s of noise and is 30 ms old; with the last two alone it would have 4
    /// deg/s of noise.
    static let window: Seconds = 0.065
    /// The longest pause, in seconds. After a longer one the earlier positions are dropped.
    static let longestPause: Seconds = 0.5

    private var samples: [(time: Seconds, pose: PanTilt)] = []

    static func == (a: Self, b: Self) -> Bool {
        a.samples.count == b.samples.count
            && zip(a.samples, b.samples).allSatisfy { $0.time == $1.time && $0.pose == $1.pose }
    }

    mutating func forget() { samples.removeAll(keepingCapacity: true) }

    /// Records a position (rad) at a time, and returns the rate, in rad/s. A position that is not newer than the last
    /// one is ignored.
    mutating func record(_ pose: PanTilt, at time: Seconds) -> PanTilt {
        if let last = samples.last, time - last.time > Self.longestPause || time < last.time { forget() }
        if samples.last.map({ time > $0.time }) ?? true { samples.append((time, pose)) }
        while samples.count > 2, samples.count > 16 || samples[0].time < time - Self.window { samples.removeFirst() }
        guard samples.count > 1 else { return .zero }
        let count = Double(samples.count)
        let meanTime = samples.reduce(0) { $0 + $1.time } / count
        let meanPose = samples.reduce(PanTilt.zero) { $0 + $1.pose } * (1 / count)
        var square = 0.0, slope = PanTilt.zero
        for sample in samples {
            let offset = sample.time - meanTime
            square += offset * offset
            slope = slope + (sample.pose - meanPose) * offset
        }
        return square > 0 ? slope * (1 / square) : .zero
    }
}
