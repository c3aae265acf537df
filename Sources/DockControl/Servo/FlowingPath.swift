public import Geometry

/// A path through keys without a stop: cubics, at rest at both ends.
///
/// Between two keys an axis never leaves the range of their values, so a path with all keys inside the limits is inside
/// the limits. If two keys are equal, the path is at rest between them (tangents by Fritsch and Butland's rule). The
/// speed has no steps.
public struct FlowingPath: Sendable, Equatable {
    /// The times at which the path passes its keys, in seconds, ascending from 0.
    public let times: [Seconds]
    /// The poses of the keys, in radians.
    public let poses: [PanTilt]
    private let tangents: [PanTilt]

    /// Creates a path through keys at these times (s, ascending) and poses (rad).
    public init(times: [Seconds], poses: [PanTilt]) {
        let count = min(times.count, poses.count)
        self.times = Array(times.prefix(count))
        self.poses = Array(poses.prefix(count))
        tangents = (0..<count).map { key in
            guard key > 0, key + 1 < count else { return .zero }
            var tangent = PanTilt.zero
            let before = times[key] - times[key - 1], after = times[key + 1] - times[key]
            for axis in Axis.allCases {
                let coming = (poses[key][axis] - poses[key - 1][axis]) / before
                let going = (poses[key + 1][axis] - poses[key][axis]) / after
                // The path passes a turning point at rest.
                guard coming * going > 0 else { continue }
                tangent[axis] =
                    3 * (before + after) / ((2 * after + before) / coming + (after + 2 * before) / going)
            }
            return tangent
        }
    }

    /// Returns the pose (rad) and rate (rad/s) at a time, in seconds from the start. Before and after the path, they
    /// are those of its ends.
    public func target(at time: Seconds) -> (pose: PanTilt, rate: PanTilt) {
        guard let first = poses.first, let last = poses.last else { return (.zero, .zero) }
        guard time > 0 else { return (first, .zero) }
        guard let end = times.last, time < end else { return (last, .zero) }
        var low = 0, high = times.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] > time { high = middle } else { low = middle }
        }
        let length = times[high] - times[low], s = (time - times[low]) / length
        var pose = PanTilt.zero, rate = PanTilt.zero
        for axis in Axis.allCases {
            let cubic = cubic(segment: low, axis)
            pose[axis] = poses[low][axis] + s * (cubic.c1 + s * (cubic.c2 + s * cubic.c3))
            rate[axis] = (cubic.c1 + s * (2 * cubic.c2 + s * 3 * cubic.c3)) / length
        }
        return (pose, rate)
    }

    /// Returns the factor by which the path must be slowed down to stay within a fraction of the rig's speed and
    /// acceleration. Below 1, it already does.
    public func stretch(for profile: RigProfile, share: Double) -> Double {
        var stretch = 0.0
        for segment in 0..<max(0, times.count - 1) {
            let length = times[segment + 1] - times[segment]
            guard length > 0 else { continue }
            for axis in Axis.allCases {
                let (c1, c2, c3) = cubic(segment: segment, axis)
                // The acceleration is linear, so it is greatest at an end; the speed is greatest at an end or where the
                // acceleration is zero.
                let turn = c3 == 0 ? 0 : (-c2 / (3 * c3)).clamped(to: 0...1)
                let speeds = [0, turn, 1].map { (s: Double) -> Double in abs(c1 + s * (2 * c2 + s * 3 * c3)) }
                let speed = speeds.max() ?? 0
                let acceleration = max(abs(2 * c2), abs(2 * c2 + 6 * c3))
                stretch = max(stretch, speed / length / (share * profile[axis].maxSpeed))
                let harder = acceleration / (length * length) / (share * profile[axis].maxAcceleration)
                stretch = max(stretch, harder.squareRoot())
            }
        }
        return stretch
    }

    /// Returns the coefficients of the powers of s = 0...1 between one key and the next.
    private func cubic(segment: Int, _ axis: Axis) -> (c1: Double, c2: Double, c3: Double) {
        let length = times[segment + 1] - times[segment], way = poses[segment + 1][axis] - poses[segment][axis]
        let leaving = tangents[segment][axis] * length, arriving = tangents[segment + 1][axis] * length
        return (leaving, 3 * way - 2 * leaving - arriving, leaving + arriving - 2 * way)
    }
}
