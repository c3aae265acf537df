/// Ordered values and their percentiles.
struct Percentiles {
    private let ordered: [Double]

    /// Of values in any order, at least one.
    init(_ values: [Double]) { ordered = values.sorted() }

    /// The nearest value at a share (0...1).
    func at(_ share: Double) -> Double { ordered[Int((share * Double(ordered.count - 1)).rounded())] }

    /// The middle one.
    var median: Double { at(0.5) }
}

extension Double {
    /// With so many decimals.
    func text(_ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let units = Int((self * Double(scale)).rounded()), rest = String(abs(units) % scale)
        let whole = (units < 0 ? "-" : "") + String(abs(units) / scale)
        return decimals == 0 ? whole : whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
    }
}
