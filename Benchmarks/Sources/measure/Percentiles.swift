/// Sorted values and their percentiles.
struct Percentiles {
    private let ordered: [Double]

    /// Sorts at least one value.
    init(_ values: [Double]) { ordered = values.sorted() }

    /// The nearest value at a fraction (0...1).
    func at(_ share: Double) -> Double { ordered[Int((share * Double(ordered.count - 1)).rounded())] }

    /// The median.
    var median: Double { at(0.5) }
}

extension Double {
    /// Formats the value with this number of decimals.
    func text(_ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let units = Int((self * Double(scale)).rounded()), rest = String(abs(units) % scale)
        let whole = (units < 0 ? "-" : "") + String(abs(units) / scale)
        return decimals == 0 ? whole : whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
    }
}
