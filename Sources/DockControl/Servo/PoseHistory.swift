public import Geometry

/// Where the dock was during the last second or so, asked by time: a ring of motion samples.
///
/// A rectangle is turned into a world angle with the pose at its exposure, so the loop has no delayed view of itself.
public struct PoseHistory: Sendable {
    private var samples: [MotionSample]
    private var start = 0
    private var count = 0

    /// Room for `capacity` samples: 128 are 2.5 s at 50 Hz.
    public init(capacity: Int = 128) {
        samples = Array(repeating: MotionSample(time: 0, pose: .zero, rate: .zero), count: capacity)
    }

    /// The newest sample, or nil if none came yet.
    public var latest: MotionSample? { count == 0 ? nil : sample(count - 1) }

    /// The newest samples, at most so many, oldest first.
    public func recent(_ most: Int) -> [MotionSample] {
        let taken = min(most, count)
        return (count - taken..<count).map { sample($0) }
    }

    /// Adds a sample; one that is not newer than the last is dropped.
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

    /// Forgets everything: the dock restarted or was turned by hand.
    public mutating func removeAll() {
        start = 0
        count = 0
    }

    /// The pose at `time`: interpolated between samples; after the newest, carried on with its rate for at most
    /// `horizon` seconds; before the oldest, the oldest. Nil if nothing is known.
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

    private func sample(_ index: Int) -> MotionSample { samples[(start + index) % samples.count] }
}
