internal import Geometry

/// Compares the rates that a dock reports with its poses. A pose is extrapolated with its rate until the next report,
/// so a wrong rate could place a head inside its range although it is outside.
///
/// Over the last reports, the integral of the rates must match the change of the poses. If it does not, the rate of the
/// poses is used instead, until both have agreed for a while.
struct RateWatch: Sendable, Equatable {
    /// The time span of the reports that are compared, in seconds.
    static let span: Seconds = 0.25
    /// The largest error of the integral of correct rates, radians: noise at both ends, filtered and therefore late
    /// rates, and an axis that was stopped between two reports.
    static let tolerance = Double.degrees(5)
    /// The time for which the rates must agree again, in seconds.
    static let doubt: Seconds = 1
    /// The time after which doubted rates count as wrong, in seconds. A single wild position is forgotten by then.
    static let lie: Seconds = 2
    /// The factor above the profile's speed that no axis reaches.
    static let excess = 1.5

    private let most: PanTilt
    private var samples = Recent<MotionSample>(capacity: 32)
    /// The time for each axis until which its rates are not used.
    private var doubted: (pan: Seconds, tilt: Seconds) = (-.infinity, -.infinity)
    private var doubtedSince: Seconds?

    /// Whether the rates have contradicted the poses for some time.
    private(set) var isContradicted = false

    /// Creates a watch for a rig.
    init(profile: RigProfile) {
        most = PanTilt(pan: profile.pan.maxSpeed * Self.excess, tilt: profile.tilt.maxSpeed * Self.excess)
    }

    /// Starts again for a new session.
    mutating func reset() {
        samples.removeAll()
        (doubted, doubtedSince, isContradicted) = ((-.infinity, -.infinity), nil, false)
    }

    /// Returns the report with a rate that fits the poses.
    mutating func believed(_ sample: MotionSample) -> MotionSample {
        guard !SafetyMutant.believesRates.isOn else { return sample }
        guard sample.time > samples.newest?.time ?? -.infinity else { return sample }
        samples.append(sample, at: sample.time)
        var believed = sample
        var isDoubted = false
        for axis in Axis.allCases {
            var until = axis == .pan ? doubted.pan : doubted.tilt
            if disagrees(axis) { until = sample.time + Self.doubt }
            if axis == .pan { doubted.pan = until } else { doubted.tilt = until }
            if sample.time < until {
                isDoubted = true
                believed.rate[axis] = slope(axis)
            }
            believed.rate[axis] = believed.rate[axis].clamped(to: -most[axis]...most[axis])
        }
        doubtedSince = isDoubted ? doubtedSince ?? sample.time : nil
        isContradicted = doubtedSince.map { sample.time - $0 > Self.lie } ?? false
        return believed
    }

    /// Returns whether the integral of the rates of one axis differs from the change of its poses.
    private func disagrees(_ axis: Axis) -> Bool {
        guard var newer = samples.newest?.value else { return false }
        let newest = newer
        var way = 0.0
        for back in 2...max(2, samples.count) where back <= samples.count {
            let older = samples[samples.count - back].value
            guard newest.time - older.time <= Self.span else { return false }
            way += (newer.rate[axis] + older.rate[axis]) / 2 * (newer.time - older.time)
            if abs(newest.pose[axis] - older.pose[axis] - way) > Self.tolerance { return true }
            newer = older
        }
        return false
    }

    /// Returns the rate of the newest poses, in rad/s: the median of pairwise slopes, so that a wild one has no effect.
    private func slope(_ axis: Axis) -> Double {
        guard let newest = samples.newest?.value else { return 0 }
        var newer = newest, slopes: (Double, Double, Double, Double) = (0, 0, 0, 0), count = 0
        for back in 2...max(2, samples.count) where back <= min(samples.count, 5) {
            let older = samples[samples.count - back].value
            guard newest.time - older.time <= Self.span else { break }
            let slope = (newer.pose[axis] - older.pose[axis]) / (newer.time - older.time)
            switch count {
            case 0: slopes.0 = slope
            case 1: slopes.1 = slope
            case 2: slopes.2 = slope
            default: slopes.3 = slope
            }
            count += 1
            newer = older
        }
        let (a, b, c, d) = slopes
        switch count {
        case 0: return 0
        case 1: return a
        case 2: return (a + b) / 2
        case 3: return max(min(a, b), min(max(a, b), c))
        default: return (a + b + c + d - max(a, b, c, d) - min(a, b, c, d)) / 2
        }
    }

    /// Returns whether both have received the same reports.
    static func == (a: Self, b: Self) -> Bool {
        a.most == b.most && a.samples == b.samples && a.doubted == b.doubted && a.doubtedSince == b.doubtedSince
    }
}
