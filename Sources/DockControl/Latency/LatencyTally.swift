public import Geometry

/// The values of one stage: all of them and the newest, counted in bins of at most 6 %. Adding a value takes some
/// nanoseconds and allocates nothing.
public struct LatencyTally: Sendable, Equatable {
    /// The number of values that count as the newest.
    public static let window = 256

    private var all = LatencyHistogram()
    private var recent = LatencyHistogram()
    private var sum: Seconds = 0
    private var places = [UInt16](repeating: 0, count: window)

    /// Creates a tally without values.
    public init() {}

    /// Counts a duration in seconds. One below a microsecond, or a negative one, counts as a microsecond.
    public mutating func add(_ seconds: Seconds) {
        let place = all.count % Self.window
        if all.count >= Self.window { recent.remove(bin: Int(places[place])) }
        let bin = LatencyHistogram.bin(of: seconds)
        sum += max(0, seconds)
        places[place] = UInt16(bin)
        all.add(bin: bin)
        recent.add(bin: bin)
    }

    /// The number of values.
    public var count: Int { all.count }

    /// Returns the figures of the stage. `why` is the reason if there are no values.
    func figures(of stage: LatencyStage, why: String) -> StageFigures {
        var figures = StageFigures(stage: stage)
        guard count > 0 else {
            figures.why = why
            return figures
        }
        figures.all = whole
        figures.recent = Self.spread(recent)
        return figures
    }

    /// The spread of all values.
    public var whole: StageFigures.Spread {
        var spread = Self.spread(all)
        spread.sum = sum
        spread.counts = all.counts
        return spread
    }

    private static func spread(_ histogram: LatencyHistogram) -> StageFigures.Spread {
        var spread = StageFigures.Spread()
        spread.count = histogram.count
        spread.p50 = histogram.percentile(0.5)
        spread.p99 = histogram.percentile(0.99)
        return spread
    }
}
