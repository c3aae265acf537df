internal import Geometry

/// How fast a pose changes, of a device that tells places alone: the slope of the straight line through its newest places.
struct PoseRate: Sendable, Equatable {
    /// Places not older than this count, seconds, and always the last two. At 50 places a second and 4096 in a turn the slope
    /// is about 0.6 deg/s rough and 30 ms old; with the last two alone it would be 4 deg/s rough.
    static let window: Seconds = 0.065
    /// After a pause longer than this it begins anew, seconds.
    static let longestPause: Seconds = 0.5

    private var samples: [(time: Seconds, pose: PanTilt)] = []

    static func == (a: Self, b: Self) -> Bool {
        a.samples.count == b.samples.count
            && zip(a.samples, b.samples).allSatisfy { $0.time == $1.time && $0.pose == $1.pose }
    }

    mutating func forget() { samples.removeAll(keepingCapacity: true) }

    /// Takes a place (rad) at a time, and tells the rate, rad/s. One that is not newer than the last does not count.
    mutating func take(_ pose: PanTilt, at time: Seconds) -> PanTilt {
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
