import Glibc
import Geometry

/// Determines how well detections and confirmed candidates match a track.
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
        let far = min(options.recognition.reach + options.recognition.growth * prior.x * missing, 6)
        reach = missing > 1.5 * options.retention.subject ? min(far, options.recognition.keptReach) : far
        // A single face at the position where a subject was lost long ago may be a false one.
        let isFresh = missing <= max(options.step.freshness, 2.5 * period)
        stride =
            isFresh
            ? min(options.step.most + options.step.growth * missing, options.recognition.reach + 0.5)
            : options.step.mostWhenLost
        let noise = 1.5 * options.motion.centreNoise
        varianceX = track.box.x.p00 / (track.box.width * track.box.width) + noise * noise
        varianceY = track.box.y.p00 / (track.box.height * track.box.height) + noise * noise
        // Sizes from real detectors vary more than a filter of them should accept.
        varianceSize = track.box.sizeVariance + 8 * options.motion.sizeNoise * options.motion.sizeNoise
        spread = log(varianceX * varianceY * varianceSize)
    }

    /// Returns the cost of continuing the track with a detection, or nil if it is too far away.
    @inline(__always)
    func cost(_ detection: Detection) -> Double? {
        let isWeak = detection.score < options.scores.acquire
        guard detection.kind == track.kind, !isWeak || missing < 1 else { return nil }
        let rect = detection.rect, center = rect.center
        let dx = (center.x - track.box.x.position) / (0.5 * (track.box.width + rect.width))
        let dy = (center.y - track.box.y.position) / (0.5 * (track.box.height + rect.height))
        guard dx * dx + dy * dy <= stride * stride else { return nil }
        let step = dx * dx / varianceX + dy * dy / varianceY
        guard step <= options.step.surprise * options.step.surprise else { return nil }
        let ratio = rect.area / (track.box.width * track.box.height)
        guard ratio > 0.2, ratio < 5 else { return nil }
        let growth = log(ratio)
        let cost = step + growth * growth / varianceSize + spread + (isWeak ? 2 : 0) + (track.isConfirmed ? 0 : 2)
        return cost <= options.step.mostCost ? cost : nil
    }

    /// Returns the cost of identifying a confirmed candidate with this lost track, or nil if it is out of reach.
    func cost(ofBeing candidate: Track) -> Double? {
        guard candidate.kind == track.kind else { return nil }
        let width = 0.5 * (track.box.width + candidate.box.width),
            height = 0.5 * (track.box.height + candidate.box.height)
        let dx = (candidate.box.x.position - track.box.x.position) / width
        let dy = (candidate.box.y.position - track.box.y.position) / height
        guard dx * dx + dy * dy <= reach * reach else { return nil }
        let slack = options.recognition.slack
        let x = track.box.x.surprise(of: candidate.box.x, slack: slack * width),
            y = track.box.y.surprise(of: candidate.box.y, slack: slack * height)
        let growth = log(candidate.box.width * candidate.box.height / (track.box.width * track.box.height))
        let size = growth * growth / varianceSize
        guard x.squared + y.squared + size <= options.recognition.surprise * options.recognition.surprise else {
            return nil
        }
        // In sizes instead of frame widths and heights.
        let scale = 4 * log(track.box.width * track.box.height)
        let cost = x.squared + y.squared + size + x.spread + y.spread
        return cost - scale <= options.recognition.mostCost ? cost : nil
    }
}
