public import Geometry

/// The head's pose during the last seconds: the newest 4096 samples, 4 s at one per millisecond.
public struct PoseTrack: Sendable {
    private struct Sample {
        var time: Seconds
        var pose: PanTilt
    }

    private static let capacity = 4096
    private var samples: [Sample] = []
    private var oldest = 0

    /// An empty track.
    public init() { samples.reserveCapacity(Self.capacity) }

    /// The time that it covers, seconds.
    public var span: Seconds {
        samples.isEmpty ? 0 : sample(samples.count - 1).time - sample(0).time
    }

    /// Adds the newest sample; times must not go backward.
    public mutating func append(_ pose: PanTilt, at time: Seconds) {
        let new = Sample(time: time, pose: pose)
        if samples.count < Self.capacity {
            samples.append(new)
        } else {
            samples[oldest] = new
            oldest = (oldest + 1) % Self.capacity
        }
    }

    /// The interpolated pose at a time. Before the first sample and after the last one it is that sample's pose; nil
    /// without samples.
    public func pose(at time: Seconds) -> PanTilt? {
        guard !samples.isEmpty else { return nil }
        var low = 0
        var high = samples.count - 1
        if time <= sample(low).time { return sample(low).pose }
        if time >= sample(high).time { return sample(high).pose }
        while high - low > 1 {
            let middle = (low + high) / 2
            if sample(middle).time <= time { low = middle } else { high = middle }
        }
        let before = sample(low)
        let after = sample(high)
        guard after.time > before.time else { return after.pose }
        return before.pose + (after.pose - before.pose) * ((time - before.time) / (after.time - before.time))
    }

    private func sample(_ index: Int) -> Sample { samples[(oldest + index) % samples.count] }
}
