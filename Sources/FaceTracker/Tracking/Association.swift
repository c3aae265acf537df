import Glibc
import Geometry

/// Decides which detection continues which track.
///
/// A pair is possible if the detection lies within reach of the prediction. Distances are measured in sizes of the
/// rectangle, so that head-sized boxes may move by more than their own size. The cost of a pair is its surprise: how
/// unlikely that step is for that track, and how different the sizes are (see `Gate`). The cheapest pairs win, over all
/// tracks at once. A grid avoids comparing every detection with every track.
struct Association: Sendable {
    /// A possible pair.
    private struct Pair {
        var cost: Double
        var track: Int
        var detection: Int
    }

    /// The maximum number of detections that are considered for one track.
    private static let candidates = 6

    /// The track of each detection, or -1.
    private(set) var trackOf: [Int] = []
    /// The detection of each track, or -1.
    private(set) var detectionOf: [Int] = []
    private var pairs: [Pair] = []
    private var grid = DetectionGrid()

    mutating func match(
        _ tracks: [Track], _ detections: [Detection], at time: Seconds, period: Seconds, prior: MotionPrior,
        options: TrackerOptions
    ) {
        trackOf.removeAll(keepingCapacity: true)
        detectionOf.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        for _ in detections { trackOf.append(-1) }
        for _ in tracks { detectionOf.append(-1) }
        guard !tracks.isEmpty, !detections.isEmpty else { return }
        grid.fill(detections, above: options.scores.hold)
        for index in tracks.indices { weigh(tracks[index], index, detections, at: time, period, prior, options) }
        pairs.heapSort { ($0.cost, $0.track, $0.detection) < ($1.cost, $1.track, $1.detection) }
        for pair in pairs where trackOf[pair.detection] < 0 && detectionOf[pair.track] < 0 {
            trackOf[pair.detection] = pair.track
            detectionOf[pair.track] = pair.detection
        }
    }

    private mutating func weigh(
        _ track: Track, _ index: Int, _ detections: [Detection], at time: Seconds, _ period: Seconds,
        _ prior: MotionPrior,
        _ options: TrackerOptions
    ) {
        let first = pairs.count
        let gate = Gate(track, at: time, period: period, prior: prior, options)
        grid.forEach(around: track, reach: gate.stride) { detection in
            guard let cost = gate.cost(detections[detection]) else { return }
            let pair = Pair(cost: cost, track: index, detection: detection)
            if pairs.count - first < Self.candidates {
                pairs.append(pair)
            } else if let worst = (first..<pairs.count).max(by: { pairs[$0].cost < pairs[$1].cost }),
                cost < pairs[worst].cost
            {
                pairs[worst] = pair
            }
        }
    }
}
