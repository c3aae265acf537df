internal import Geometry

/// The size of the terminal.
struct ScreenPanel {
    /// The size in cells, 0 before the first frame.
    private(set) var columns = 0, rows = 0
    /// The size of a cell in pixels, as the terminal reported it.
    var cell: SIMD2<Double>?
    /// When to ask for the size again.
    var nextLook: Seconds = 0

    private static let interval: Seconds = 0.25
    /// The maximum size. No terminal is larger, and a larger size is a mistake that would only waste memory.
    private static let most = (columns: 1000, rows: 400)

    /// Returns whether a known size has changed.
    mutating func look(columns: Int, rows: Int, now: Seconds) -> Bool {
        nextLook = now + Self.interval
        let (new, old) = ((min(columns, Self.most.columns), min(rows, Self.most.rows)), (self.columns, self.rows))
        (self.columns, self.rows) = new
        return new != old && old.0 > 0
    }
}
