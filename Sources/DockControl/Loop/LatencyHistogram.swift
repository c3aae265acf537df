/// How long something took, counted in bins of 5 % width from 1 µs to 1 s; no allocation after its making.
public struct LatencyHistogram: Sendable, Equatable {
    private var bins = [UInt32](repeating: 0, count: 284)
    /// Number of values.
    public private(set) var count = 0

    private static let growth = 1.05

    /// Empty.
    public init() {}

    /// Counts a duration in seconds.
    public mutating func add(_ seconds: Double) {
        var bin = 0, edge = 1e-6
        while bin < bins.count - 1, edge < seconds {
            edge *= Self.growth
            bin += 1
        }
        bins[bin] &+= 1
        count += 1
    }

    /// The value (seconds, upper edge of its bin) below which `share` (0...1) of all lie; nil if there is none.
    public func percentile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = Int((Double(count) * share).rounded(.up))
        var seen = 0, edge = 1e-6
        for bin in bins {
            seen += Int(bin)
            if seen >= max(1, wanted) { return edge }
            edge *= Self.growth
        }
        return edge
    }
}
