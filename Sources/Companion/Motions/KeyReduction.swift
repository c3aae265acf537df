internal import DockControl
internal import Geometry

/// Replaces many poses by the few keys through which a flowing path passes near all of them.
///
/// It begins with both ends and adds a key where the path is furthest off, until it is near everywhere: what is measured is
/// the very path that the replay takes, not the straight lines between the keys.
struct KeyReduction {
    /// A pose at a time, seconds.
    struct Sample: Sendable, Equatable {
        var time: Seconds
        var pose: PanTilt
    }

    /// How far the path may be off, radians.
    var tolerance = Double.degrees(0.4)
    /// Keys are no closer than this, seconds.
    var spacing: Seconds = 0.08
    /// There are no more of them than this.
    var mostKeys = MotionLibrary.mostKeys

    /// The samples (in order of time, at least two) that are keys.
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

    /// For each way between two keys that leads too far off: the sample to become a key.
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
