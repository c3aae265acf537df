internal import DockControl
internal import Geometry

/// Replaces many poses by a few keys whose flowing path passes near all of them.
///
/// It begins with both ends and adds keys where the deviation is largest, until the path is near everywhere. The
/// deviation is measured from the path of the replay, not from straight lines between the keys.
struct KeyReduction {
    /// A pose and its time in seconds.
    struct Sample: Sendable, Equatable {
        var time: Seconds
        var pose: PanTilt
    }

    /// The largest permitted deviation of the path, in radians.
    var tolerance = Double.degrees(0.4)
    /// The minimum time between keys, in seconds.
    var spacing: Seconds = 0.08
    /// The maximum number of keys.
    var mostKeys = MotionLibrary.mostKeys

    /// Returns the samples that become keys; `samples` are in order of time.
    func keys(of samples: [Sample]) -> [Sample] {
        guard samples.count > 2 else { return samples }
        var keys = [0, samples.count - 1]
        while keys.count < mostKeys {
            let worst = furthest(samples, keys).sorted { $0.distance > $1.distance }.prefix(mostKeys - keys.count)
            guard !worst.isEmpty else { break }
            keys = (keys + worst.map(\.index)).sorted()
        }
        return keys.map { samples[$0] }
    }

    /// Returns, for each section between two keys whose deviation is too large, the sample that becomes a key.
    private func furthest(_ samples: [Sample], _ keys: [Int]) -> [(index: Int, distance: Double)] {
        let path = FlowingPath(times: keys.map { samples[$0].time }, poses: keys.map { samples[$0].pose })
        return zip(keys, keys.dropFirst()).compactMap { low, high in
            var isOff = false
            var worst: (index: Int, distance: Double)?
            for index in (low + 1)..<max(low + 1, high) {
                let sample = samples[index]
                let distance = (path.target(at: sample.time).pose - sample.pose).magnitude
                isOff = isOff || distance > tolerance
                guard sample.time - samples[low].time >= spacing, samples[high].time - sample.time >= spacing else {
                    continue
                }
                if distance > worst?.distance ?? 0 { worst = (index, distance) }
            }
            return isOff ? worst : nil
        }
    }
}
