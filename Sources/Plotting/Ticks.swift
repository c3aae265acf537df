/// Round numbers along an axis, spaced by 1, 2 or 5 times a power of ten.
package struct Ticks: Sendable, Equatable {
    /// In order, all within the range.
    package let values: [Double]
    /// The number of decimals.
    package let decimals: Int

    /// The ticks of a range: about `most`, and at least two; one for an empty range; none if an end is not a number.
    package init(_ range: ClosedRange<Double>, most: Int) {
        let width = range.upperBound - range.lowerBound
        guard width.isFinite, width > 0, width > 1e-9 * max(abs(range.lowerBound), abs(range.upperBound)) else {
            (values, decimals) = (width.isFinite ? [range.lowerBound] : [], 2)
            return
        }
        var (step, decimals) = Self.step(width / Double(max(1, most)))
        func ends() -> (Double, Double) {
            ((range.lowerBound / step - 1e-6).rounded(.up), (range.upperBound / step + 1e-6).rounded(.down))
        }
        var (first, last) = ends()
        // A single number shows no scale, so the next finer step is used.
        if last - first < 1 {
            (step, decimals) = Self.step(step / 2.6)
            (first, last) = ends()
        }
        self.decimals = decimals
        // Avoids negative zero, which would be written as -0.
        values = first > last ? [] : stride(from: first, through: last, by: 1).map { $0 * step + 0 }
    }

    /// A number as it is written at the axis.
    package func label(_ value: Double) -> String { SVGWriter.number(value, decimals: decimals, isFull: true) }

    /// The smallest round step that is not smaller, and the decimals that it needs.
    private static func step(_ least: Double) -> (Double, Int) {
        var power = 1.0, decimals = 0
        while power > least { (power, decimals) = (power / 10, decimals + 1) }
        while power * 10 <= least { (power, decimals) = (power * 10, max(0, decimals - 1)) }
        for factor in [1.0, 2, 5] where power * factor >= least * (1 - 1e-9) { return (power * factor, decimals) }
        return (power * 10, max(0, decimals - 1))
    }
}
