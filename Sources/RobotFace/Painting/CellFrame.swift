/// The layout of a panel's cells on the canvas of 4 x 2.4 units, which is fitted into the panel and centred.
struct CellFrame: Sendable, Equatable {
    let columns: Int, rows: Int
    /// A cell's height over its width: 0.25...4.
    let aspect: Double
    /// The size of a cell in units.
    let width: Float, height: Float
    /// The top left corner of the first cell.
    let left: Float, top: Float

    /// Creates a layout. `aspect` is a cell's height over its width.
    init(columns: Int, rows: Int, aspect: Double) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        self.aspect = aspect.isFinite ? min(max(aspect, 0.25), 4) : 2
        let aspect = Float(self.aspect)
        let unit = min(Float(self.columns) / 4, Float(self.rows) * aspect / 2.4)
        (width, height) = (1 / unit, aspect / unit)
        (left, top) = (Float(self.columns) * width / -2, Float(self.rows) * height / -2)
    }

    /// The distance from the middle of a cell beyond which neither the edge of a part nor the soft edge of a sample is
    /// in the cell.
    var reach: Float { (width * width + height * height).squareRoot() / 2 + width / 8 }

    /// Returns the middles of eight cells of a row, starting at a column. `down` is the position in the cell from the
    /// top, 0...1.
    @inline(__always)
    func patch(row: Int, column: Int, down: Float) -> Patch {
        let x = left + (Float(column) + 0.5) * width, y = top + (Float(row) + down) * height
        return Patch(
            x: x + Self.steps * width, y: Lanes(repeating: y), middle: SIMD2(x + 3.5 * width, y), radius: 3.5 * width)
    }

    private static let steps = Lanes(0, 1, 2, 3, 4, 5, 6, 7)
}

/// The samples in one cell: `4 x rows` of them, eight at a time.
struct CellSamples: Sendable {
    private let x: Lanes, y: Lanes
    private let step: Float, radius: Float
    /// The width of the square that a sample represents.
    let pixel: Float

    /// Creates samples for cells of a size in units, sampled in four columns and `rows` rows (an even number). With
    /// `sharpness` above 1, a sample represents less than its share of the cell, and shows more clearly on which side
    /// of an edge it is.
    init(width: Float, height: Float, rows: Int, sharpness: Float = 1) {
        let across = width / 4, down = height / Float(rows)
        x = (Lanes(0, 1, 2, 3, 0, 1, 2, 3) - 1.5) * across
        y = (Lanes(0, 0, 0, 0, 1, 1, 1, 1) - 0.5) * down
        step = 2 * down
        radius = (width * width + down * down).squareRoot() / 2
        pixel = (across * down).squareRoot() / sharpness
    }

    /// Returns two rows of samples. `pair` counts them from the middle of the cell: -1 is the pair that ends there.
    @inline(__always)
    func patch(around middle: SIMD2<Float>, pair: Float) -> Patch {
        let y0 = middle.y + pair * step
        return Patch(x: middle.x + x, y: y0 + y, middle: SIMD2(middle.x, y0), radius: radius)
    }
}
