public import Geometry

/// The dock's poses of the last second or so, looked up by time: a ring of motion samples.
///
/// A rectangle is converted to a world angle with the pose at its exposure, so the delay of the camera does not distort
/// it.
public struct PoseHistory: Sendable {
    private var samples: [MotionSample]
    private var start = 0
    private var count = 0

    /// Creates a history for `capacity` samples: 128 are 2.5 s at 50 Hz.
    public init(capacity: Int = 128) {
        samples = Array(repeating: MotionSample(time: 0, pose: .zero, rate: .zero), count: capacity)
    }

    /// The newest sample, or nil if there is none yet.
    public var latest: MotionSample? { count == 0 ? nil : sample(count - 1) }

    /// Returns the newest samples, at most `most`, oldest first.
    public func recent(_ most: Int) -> [MotionSample] {
        let taken = min(most, count)
        return (count - taken..<count).map { sample($0) }
    }

    /// Adds a sample. One that is not newer than the last is dropped.
    public mutating func append(_ sample: MotionSample) {
        if let latest, sample.time <= latest.time { return }
        if count < samples.count {
            samples[(start + count) % samples.count] = sample
            count += 1
        } else {
            samples[start] = sample
            start = (start + 1) % samples.count
        }
    }

    /// Discards everything, because the dock restarted or was turned by hand.
    public mutating func removeAll() {
        start = 0
        count = 0
    }

    /// Returns the pose at `time`. It is interpolated between samples and extrapolated after the newest with its rate,
    /// for at most `horizon` seconds. Before the oldest sample it is that of the oldest sample. The result is nil if
    /// nothing is known.
    public func pose(at time: Seconds, horizon: Seconds = 0.05) -> PanTilt? {
        guard let latest else { return nil }
        if time >= latest.time {
            return latest.pose + latest.rate * min(time - latest.time, horizon)
        }
        var newer = latest
        for back in 2...max(2, count) where back <= count {
            let older = sample(count - back)
            if older.time <= time {
                let share = (time - older.time) / (newer.time - older.time)
                return older.pose + (newer.pose - older.pose) * share
            }
            newer = older
        }
        return newer.pose
    }

    /// Returns how far the pose at `time` may be from the true one, in radians, because reports are lost or late.
    ///
    /// Between two samples, an axis that accelerates by at most `acceleration` (rad/s²) stays this close to the straight
    /// line, and after the newest one to the extrapolation. The result is infinite before the oldest sample.
    public func uncertainty(at time: Seconds, acceleration: Double, horizon: Seconds = 0.05) -> Double {
        guard let latest else { return .infinity }
        if time >= latest.time {
            let late = time - latest.time
            return acceleration * late * late / 2 + latest.rate.magnitude * max(0, late - horizon)
        }
        var newer = latest
        for back in 2...max(2, count) where back <= count {
            let older = sample(count - back)
            if older.time <= time { return acceleration * (time - older.time) * (newer.time - time) / 2 }
            newer = older
        }
        return .infinity
    }

    private func sample(_ index: Int) -> MotionSample { samples[(start + index) % samples.count] }
}
