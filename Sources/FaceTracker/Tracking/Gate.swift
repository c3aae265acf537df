import Glibc
import Geometry

/// How well detections, and confirmed candidates, match a track.
struct Gate {
    /// The largest step that continues the track at once, and the largest to a confirmed candidate, sizes.
    let stride: Double, reach: Double
    private let track: Track
    private let options: TrackerOptions
    private let varianceX: Double
    private let varianceY: Double
    private let varianceSize: Double
    private let spread: Double
    private let missing: Seconds

    init(_ track: Track, at time: Seconds, period: Seconds, prior: MotionPrior, _ options: TrackerOptions) {
        self.track = track
        self.options = options
        missing = max(0, time - track.lastSeen)
        let far = min(options.reach + options.reachGrowth * prior.x * missing, 6)
        reach = missing > 1.5 * options.memory ? min(far, options.keptReach) : far
        // A single face where a subject was lost long ago may be a false one.
        let isFresh = missing <= max(options.freshness, 2.5 * period)
        stride =
            isFresh ? min(options.stride + options.strideGrowth * missing, options.reach + 0.5) : options.lostStride
        let noise = 1.5 * options.measurementNoise
        varianceX = track.x.p00 / (track.width * track.width) + noise * noise
        varianceY = track.y.p00 / (track.height * track.height) + noise * noise
        // Sizes from real detectors vary more than a filter of them should accept.
        varianceSize = track.logWidth.p00 + track.logHeight.p00 + 8 * options.sizeNoise * options.sizeNoise
        spread = log(varianceX * varianceY * varianceSize)
    }

    /// The cost of continuing the track with a detection, or nil if it is too far away.
    @inline(__always)
    func cost(_ detection: Detection) -> Double? {
        let isWeak = detection.score < options.acquire
        guard detection.kind == track.kind, !isWeak || missing < 1 else { return nil }
        let rect = detection.rect, center = rect.center
        let dx = (center.x - track.x.position) / (0.5 * (track.width + rect.width))
        let dy = (center.y - track.y.position) / (0.5 * (track.height + rect.height))
        guard dx * dx + dy * dy <= stride * stride else { return nil }
        let step = dx * dx / varianceX + dy * dy / varianceY
        guard step <= options.surprise * options.surprise else { return nil }
        let ratio = rect.area / (track.width * track.height)
        guard ratio > 0.2, ratio < 5 else { return nil }
        let growth = log(ratio)
        return step + growth * growth / varianceSize + spread + (isWeak ? 2 : 0) + (track.isConfirmed ? 0 : 2)
    }

    /// The cost of identifying a confirmed candidate with this lost track; nil if it is out of reach.
    func cost(ofBeing candidate: Track) -> Double? {
        guard candidate.kind == track.kind else { return nil }
        let width = 0.5 * (track.width + candidate.width), height = 0.5 * (track.height + candidate.height)
        let dx = (candidate.x.position - track.x.position) / width
        let dy = (candidate.y.position - track.y.position) / height
        guard dx * dx + dy * dy <= reach * reach else { return nil }
        let slack = options.slack
        let x = track.x.surprise(of: candidate.x, slack: slack * width),
            y = track.y.surprise(of: candidate.y, slack: slack * height)
        let growth = log(candidate.width * candidate.height / (track.width * track.height))
        let size = growth * growth / varianceSize
        guard x.squared + y.squared + size <= options.recognition * options.recognition else { return nil }
        return x.squared + y.squared + size + x.spread + y.spread
    }
}
