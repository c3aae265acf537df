internal import DockControl
internal import Geometry

/// Punctuality of a real-time run: how late the machine made the stage, and how soon the daemon answered.
package struct LiveTimes: Sendable {
    /// Durations: a histogram, and the exact maximum.
    package struct Spread: Sendable {
        private var bins = LatencyHistogram()
        private var longest: Seconds = 0

        /// "p50 0.08, p99 0.9, max 12.3 ms"
        package var words: String {
            guard bins.count > 0 else { return "nothing was measured" }
            func milliseconds(_ time: Seconds) -> String { "\((time * 1e5).rounded() / 100)" }
            func share(_ part: Double) -> String { milliseconds(min(bins.percentile(part) ?? 0, longest)) }
            return "p50 \(share(0.5)), p99 \(share(0.99)), max \(milliseconds(longest)) ms"
        }

        mutating func add(_ time: Seconds) {
            bins.add(time)
            longest = max(longest, time)
        }
    }

    /// How late the simulated dock reached its milliseconds. What the daemon then received, and what it wrote, was
    /// equally late.
    package internal(set) var steps = Spread()
    /// From the `write` of a line to the `read` of the set-point that follows it.
    package internal(set) var answers = Spread()

    /// Creates empty measurements.
    init() {}
}
