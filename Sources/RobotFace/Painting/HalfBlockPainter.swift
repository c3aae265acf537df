internal import Glibc

/// Draws a face into a grid of cells, two pixels a cell, one above the other.
///
/// The signed distance at the middle of a pixel says whether it lies wholly inside or outside a part; only pixels on an
/// edge are sampled 4x4.
public struct HalfBlockPainter: Sendable {
    /// Size of the pictures, in cells.
    public let columns: Int, rows: Int
    /// Height of a cell over its width.
    public let cellAspect: Double
    private let pixelWidth: Float, pixelHeight: Float
    /// Half a pixel's diagonal plus the ramp of one sample: beyond it a pixel is not on the edge.
    private let reach: Float
    private var shape = FaceShape()
    private var pixels: [Pixel]

    /// What one pixel shows: its light, and for palettes the part on top and how bright it is.
    private struct Pixel: Sendable {
        var light = SIMD3<Float>.zero
        var coverage: Float = 0
        var level: Float = 0
        var part = FacePart.ground
    }

    /// For a panel of columns x rows cells; `cellAspect` is a cell's height over its width (2 where a terminal does not tell).
    public init(columns: Int, rows: Int, cellAspect: Double = 2) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        let aspect = Float(cellAspect.isFinite ? min(max(cellAspect, 0.5), 4) : 2)
        self.cellAspect = cellAspect
        let unit = min(Float(self.columns) / 4, Float(self.rows) * aspect / 2.4)
        pixelWidth = 1 / unit
        pixelHeight = aspect / 2 / unit
        reach = (pixelWidth * pixelWidth + pixelHeight * pixelHeight).squareRoot() * 0.64
        pixels = Array(repeating: Pixel(), count: self.columns * self.rows * 2)
    }

    /// Draws the face; the grid takes the painter's size.
    public mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        grid.resize(columns: columns, rows: rows)
        shape.set(face)
        let ink = Ink(face, halo: depth == .trueColour)
        for row in 0..<rows * 2 {
            let y = (Float(row) + 0.5 - Float(rows)) * pixelHeight
            for column in 0..<columns {
                let x = (Float(column) + 0.5 - Float(columns) / 2) * pixelWidth
                pixels[row * columns + column] = pixel(x, y, ink)
            }
        }
        let palette = FacePalette(face.expression, depth: depth)
        LinearColour.encoded.withUnsafeBufferPointer { table in
            for row in 0..<rows {
                for column in 0..<columns {
                    let index = row * 2 * columns + column
                    grid.cells[row * columns + column] = cell(
                        pixels[index], pixels[index + columns], depth, palette, table)
                }
            }
        }
    }

    /// Which half blocks the union of all parts lights, one flag a pixel, row by row: coverage of at least 0.45.
    mutating func mask(_ face: FaceState) -> [Bool] {
        var grid = CellGrid(columns: columns, rows: rows)
        paint(face, depth: .mono, into: &grid)
        return pixels.map { $0.coverage >= 0.45 }
    }

    private struct Ink {
        var colour: SIMD3<Float>, accent: SIMD3<Float>
        var leftBrightness: Float, rightBrightness: Float, leftHalo: Float, rightHalo: Float

        init(_ face: FaceState, halo: Bool) {
            colour = face.colour.light
            accent = face.accent.light
            (leftBrightness, rightBrightness) = (face.left[.brightness], face.right[.brightness])
            leftHalo = halo ? 0.13 * face.left[.glow] * leftBrightness : 0
            rightHalo = halo ? 0.13 * face.right[.glow] * rightBrightness : 0
        }
    }

    /// Beyond this many units from an eye its halo is below one step of a screen.
    private static let haloReach: Float = 0.9

    private func pixel(_ x: Float, _ y: Float, _ ink: Ink) -> Pixel {
        var pixel = Pixel()
        let p = shape.inFace(x, y)
        let nearLeft = shape.left.bounds.distance(p.x, p.y) < Self.haloReach
        let nearRight = shape.right.bounds.distance(p.x, p.y) < Self.haloReach
        var left: (distance: Float, beyond: Float) = (.infinity, 0), right = left
        if nearLeft {
            left = shape.left.measure(p.x, p.y)
            addHalo(left, ink.leftHalo, ink.colour, &pixel)
        }
        if nearRight {
            right = shape.right.measure(p.x, p.y)
            addHalo(right, ink.rightHalo, ink.colour, &pixel)
        }
        addEye(shape.left, left.distance, ink.leftBrightness, x, y, ink, &pixel)
        for index in shape.leftLayers { addLayer(shape.layers[index], p, x, y, ink, ink.leftBrightness, &pixel) }
        addEye(shape.right, right.distance, ink.rightBrightness, x, y, ink, &pixel)
        for index in shape.rightLayers { addLayer(shape.layers[index], p, x, y, ink, ink.rightBrightness, &pixel) }
        for index in shape.markLayers { addLayer(shape.layers[index], p, x, y, ink, 1, &pixel) }
        return pixel
    }

    @inline(__always)
    private func addHalo(
        _ eye: (distance: Float, beyond: Float), _ gain: Float, _ colour: SIMD3<Float>, _ pixel: inout Pixel
    ) {
        guard gain > 0 else { return }
        let outside = max(eye.distance, 0)
        let far = eye.beyond > 0 ? (outside * outside + eye.beyond * eye.beyond).squareRoot() : outside
        let light = gain * expf(far / -0.15)
        pixel.light += colour * light
    }

    private func addEye(
        _ eye: EyeShape, _ distance: Float, _ brightness: Float, _ x: Float, _ y: Float, _ ink: Ink,
        _ pixel: inout Pixel
    ) {
        guard distance < reach else { return }
        let coverage =
            distance < -reach
            ? 1
            : sampled(x, y) {
                let p = shape.inFace($0, $1); return eye.measure(p.x, p.y).distance
            }
        guard coverage > 0 else { return }
        let depth = min(max(distance / -0.20, 0), 1), core = depth * depth * (3 - 2 * depth)
        let shade = brightness * (0.74 + 0.26 * core)
        let light = ink.colour * shade + (SIMD3(repeating: 1) - ink.colour) * (0.03 * brightness * core)
        lay(light, coverage, .eye, shade, &pixel)
    }

    private func addLayer(
        _ layer: FaceLayer, _ p: (x: Float, y: Float), _ x: Float, _ y: Float, _ ink: Ink, _ brightness: Float,
        _ pixel: inout Pixel
    ) {
        let own = layer.inFaceFrame ? p : (x: x, y: y)
        guard layer.bounds.distance(own.x, own.y) < reach else { return }
        let distance = shape.distance(layer, own.x, own.y)
        guard distance < reach else { return }
        let coverage =
            distance < -reach
            ? 1
            : sampled(x, y) { sx, sy in
                let s = layer.inFaceFrame ? shape.inFace(sx, sy) : (x: sx, y: sy)
                return shape.distance(layer, s.x, s.y)
            }
        guard coverage > 0 else { return }
        switch layer.role {
        case .brow: lay(ink.colour * (0.72 * brightness), coverage, .brow, 0.72, &pixel)
        case .blush: lay(ink.accent, coverage * layer.opacity, .blush, 1, &pixel)
        case .mark: lay(ink.accent, coverage * layer.opacity, .mark, 1, &pixel)
        }
    }

    @inline(__always)
    private func lay(
        _ light: SIMD3<Float>, _ coverage: Float, _ part: FacePart, _ level: Float, _ pixel: inout Pixel
    ) {
        pixel.light = pixel.light * (1 - coverage) + light * coverage
        pixel.coverage = 1 - (1 - pixel.coverage) * (1 - coverage)
        if coverage >= 0.5 || pixel.part == .ground && coverage >= 0.2 {
            pixel.level = level * coverage
            pixel.part = part
        }
    }

    /// The covered share of the pixel around (x, y): the mean of 4x4 samples, each with a ramp of its own size.
    @inline(__always)
    private func sampled(_ x: Float, _ y: Float, _ distance: (Float, Float) -> Float) -> Float {
        let stepX = pixelWidth / 4, stepY = pixelHeight / 4
        let ramp = 1 / stepX
        var sum: Float = 0
        for row in 0..<4 {
            let sy = y + (Float(row) - 1.5) * stepY
            for column in 0..<4 {
                let d = distance(x + (Float(column) - 1.5) * stepX, sy)
                sum += min(max(0.5 - d * ramp, 0), 1)
            }
        }
        return sum / 16
    }

    @inline(__always)
    private func cell(
        _ top: Pixel, _ bottom: Pixel, _ depth: ColourDepth, _ palette: FacePalette,
        _ table: UnsafeBufferPointer<UInt8>
    ) -> Cell {
        if depth == .mono {
            let glyph: UInt32 =
                switch (top.coverage >= 0.45, bottom.coverage >= 0.45) {
                case (false, false): 0x20
                case (true, false): 0x2580
                case (false, true): 0x2584
                case (true, true): 0x2588
                }
            return Cell(glyph: glyph, foreground: Cell.standard, background: Cell.standard)
        }
        let above: UInt32, below: UInt32
        if depth == .trueColour {
            above = packedRGB(top.light, table)
            below = packedRGB(bottom.light, table)
        } else {
            above = palette.index(top.part, top.level)
            below = palette.index(bottom.part, bottom.level)
        }
        return above == below
            ? Cell(glyph: 0x20, foreground: above, background: above)
            : Cell(glyph: 0x2580, foreground: above, background: below)
    }
}
