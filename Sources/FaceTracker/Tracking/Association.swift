import Glibc
import Geometry

/// Decides which detection continues which track.
///
/// A pair is possible when the detection lies within reach of the prediction (told in sizes of the rectangle, so that
/// head-sized boxes may jump out of themselves), and costs its surprise: how unlikely that step is for that track,
/// and how unlike the sizes are. The cheapest pairs win, over all tracks at once. A grid keeps it from comparing
/// everything with everything.
struct Association: Sendable {
    /// A possible pair.
    private struct Pair {
        var cost: Double
        var track: Int
        var detection: Int
    }

    /// At most so many detections are weighed for one track.
    private static let candidates = 6

    /// For each detection its track, or -1.
    private(set) var trackOf: [Int] = []
    /// For each track its detection, or -1.
    private(set) var detectionOf: [Int] = []
    private var pairs: [Pair] = []
    private var grid = DetectionGrid()

    mutating func match(_ tracks: [Track], _ detections: [Detection], at time: Seconds, options: TrackerOptions) {
        trackOf.removeAll(keepingCapacity: true)
        detectionOf.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        for _ in detections { trackOf.append(-1) }
        for _ in tracks { detectionOf.append(-1) }
        guard !tracks.isEmpty, !detections.isEmpty else { return }
        grid.fill(detections, above: options.hold)
        for index in tracks.indices { weigh(tracks[index], index, detections, at: time, options) }
        pairs.heapSort { ($0.cost, $0.track, $0.detection) < ($1.cost, $1.track, $1.detection) }
        for pair in pairs where trackOf[pair.detection] < 0 && detectionOf[pair.track] < 0 {
            trackOf[pair.detection] = pair.track
            detectionOf[pair.track] = pair.detection
        }
    }

    private mutating func weigh(
        _ track: Track, _ index: Int, _ detections: [Detection], at time: Seconds, _ options: TrackerOptions
    ) {
        let first = pairs.count
        let gate = Gate(track, at: time, options)
        grid.forEach(around: track, reach: min(gate.reach, options.stride)) { detection in
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

/// What a track thinks of detections.
struct Gate {
    let reach: Double
    private let track: Track
    private let options: TrackerOptions
    private let varianceX: Double
    private let varianceY: Double
    private let spread: Double
    private let missing: Seconds

    init(_ track: Track, at time: Seconds, _ options: TrackerOptions) {
        self.track = track
        self.options = options
        missing = max(0, time - track.lastSeen)
        reach = min(options.reach + options.reachGrowth * missing, 4)
        let noise = 1.5 * options.measurementNoise
        varianceX = track.x.p00 / (track.width * track.width) + noise * noise
        varianceY = track.y.p00 / (track.height * track.height) + noise * noise
        spread = 0.5 * log(varianceX * varianceY)
    }

    /// What it costs that a detection continues the track, or nil if it is too far away for that.
    @inline(__always)
    func cost(_ detection: Detection) -> Double? {
        guard detection.kind == track.kind, let step = step(to: detection.rect) else { return nil }
        let isWeak = detection.score < options.acquire
        guard step.distance <= options.stride * options.stride,
            step.surprise <= options.surprise * options.surprise, !isWeak || missing < 1
        else { return nil }
        return step.surprise + spread + step.growth + (isWeak ? 2 : 0) + (track.isConfirmed ? 0 : 2)
    }

    /// What it costs that a candidate, who has proved to be somebody, is this lost track; nil if it is out of reach.
    func cost(ofBeing candidate: Track) -> Double? {
        guard candidate.kind == track.kind, let step = step(to: candidate.rect) else { return nil }
        return step.distance + step.growth
    }

    /// How far it is to a rectangle, squared: in sizes, and in deviations; and how unlike the sizes are.
    @inline(__always)
    private func step(to rect: Rect) -> (distance: Double, surprise: Double, growth: Double)? {
        let center = rect.center
        let dx = (center.x - track.x.position) / (0.5 * (track.width + rect.width))
        let dy = (center.y - track.y.position) / (0.5 * (track.height + rect.height))
        let distance = dx * dx + dy * dy
        guard distance <= reach * reach else { return nil }
        let ratio = rect.area / (track.width * track.height)
        guard ratio > 0.2, ratio < 5 else { return nil }
        let growth = log(ratio) / (0.4 + missing)
        return (distance, dx * dx / varianceX + dy * dy / varianceY, growth * growth)
    }
}
