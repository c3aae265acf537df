package import Geometry

/// Turns faces, and the text over them, into bytes for one terminal: cells, or pixels if it supports them.
///
/// A pure value: its output depends on the earlier calls and on the times passed in.
package struct FaceRenderer: Sendable {
    private var painter: FacePainter
    private var grid: CellGrid
    private var output: CellOutput
    private(set) var pace: FramePace
    private var cell: SIMD2<Double>?
    private var pixels = PixelLayer()
    /// The text over the face, and the part of it that the screen shows.
    package var overlay = TextOverlay()
    private var drawnOverlay = TextOverlay()

    /// Creates a renderer for 80 x 24 cells until `resize` is called.
    package init(_ glyphs: FaceGlyphs, depth: ColourDepth, tolerance: Int, isSynchronized: Bool = true) {
        painter = FacePainter(glyphs, columns: 80, rows: 24)
        grid = CellGrid(columns: 80, rows: 24)
        output = CellOutput(depth: depth, tolerance: tolerance, isSynchronized: isSynchronized)
        pace = FramePace(tolerance: tolerance)
    }

    /// The terminal's colours. While the terminal is too slow for them, fewer are used.
    package var fullDepth: ColourDepth {
        get { output.fullDepth }
        set { output.fullDepth = newValue }
    }

    /// The pixel graphics, or nil for cells. They need the size of a cell, and a panel that is not too large.
    package var graphics: FaceGraphics? {
        didSet { if graphics != oldValue { layOut() } }
    }

    /// Whether the screen currently shows pixels.
    package var showsPixels: Bool { pixels.isShown }

    /// Whether the face only blinks and moves its eyes.
    package var isCalm: Bool {
        get { pace.isCalm }
        set { pace.isCalm = newValue }
    }

    /// Sets the size of the panel in cells, and of a cell in pixels. If the latter is nil, it is unknown, and a cell is
    /// assumed to be twice as high as wide.
    package mutating func resize(columns: Int, rows: Int, cell: SIMD2<Double>?) {
        guard columns != painter.columns || rows != painter.rows || cell != self.cell else { return }
        self.cell = cell
        painter = FacePainter(
            painter.glyphs, columns: columns, rows: rows, cellAspect: cell.map { $0.y / $0.x } ?? 2)
        layOut()
    }

    private mutating func layOut() {
        pixels.painter = graphics.flatMap { graphics in
            cell.flatMap { GraphicsPainter(graphics, columns: painter.columns, rows: painter.rows, cell: $0) }
        }
        forget()
    }

    /// Records that the screen no longer shows any part of the face.
    package mutating func forget() {
        output.encoder.invalidate()
        pixels.painter?.invalidate()
        pace.forget()
    }

    /// Appends the bytes that make the screen show the face, as exactly as its tempo requires. Often there are none.
    package mutating func draw(
        _ face: FaceState, tempo: FaceTempo, within allowance: OutputGovernor.Allowance = .all, now: Seconds,
        into bytes: inout [UInt8]
    ) {
        if output.adopt(allowance) { forget() }
        // Text over the whole face needs cells.
        let wantsPixels = pixels.painter != nil && overlay.page.isEmpty && overlay.isClear
        if wantsPixels != pixels.isShown {
            pixels.show(wantsPixels)
            forget()
        }
        var face = face
        if !allowance.hasHalo { face.dim() }
        if pixels.isShown {
            drawPixels(face, tempo, now, &bytes)
        } else {
            drawCells(face, tempo, allowance.coarseness, now, &bytes)
        }
    }

    private mutating func drawCells(
        _ face: FaceState, _ tempo: FaceTempo, _ coarseness: Int, _ now: Seconds, _ bytes: inout [UInt8]
    ) {
        let before = pace.drawn
        var tolerance = 0
        switch pace.plan(face, tempo: tempo, cell: painter.cellHeight, now: now) {
        case .keep where overlay == drawnOverlay: return
        case .settle: break
        case .keep: paint(before ?? face)
        case .draw(let allowed):
            tolerance = allowed * coarseness
            paint(face)
        }
        pixels.clear(&bytes)
        output.encoder.encode(grid, tolerance: tolerance, into: &bytes)
    }

    private mutating func paint(_ face: FaceState) {
        painter.paint(face, depth: output.depth, into: &grid)
        if !overlay.isEmpty { overlay.draw(into: &grid, depth: output.depth) }
        drawnOverlay = overlay
    }

    /// Draws the face as pixels, and the status line below it as cells.
    private mutating func drawPixels(_ face: FaceState, _ tempo: FaceTempo, _ now: Seconds, _ bytes: inout [UInt8]) {
        let plan = pace.plan(face, tempo: tempo, cell: 3 * (pixels.painter?.pixel ?? 0), now: now)
        let isNew: Bool
        if case .draw = plan { isNew = true } else { isNew = false }
        guard isNew || overlay != drawnOverlay else { return }
        grid.resize(columns: painter.columns, rows: painter.rows)
        let blank = TextOverlay.blank(output.depth)
        for index in grid.cells.indices { grid.cells[index] = blank }
        if !overlay.isEmpty { overlay.draw(into: &grid, depth: output.depth) }
        drawnOverlay = overlay
        output.encoder.encode(grid, tolerance: 0, into: &bytes)
        guard isNew else { return }
        pixels.encode(face, isSynchronized: output.isSynchronized, isKitty: graphics == .kitty, into: &bytes)
    }
}

/// The output of cells to the terminal: its colours, and the encoder for them.
private struct CellOutput: Sendable {
    let tolerance: Int, isSynchronized: Bool
    /// The terminal's colours.
    var fullDepth: ColourDepth
    /// The colours that are used now.
    private(set) var depth: ColourDepth
    var encoder: FrameEncoder

    init(depth: ColourDepth, tolerance: Int, isSynchronized: Bool) {
        (self.tolerance, self.isSynchronized) = (tolerance, isSynchronized)
        (fullDepth, self.depth) = (depth, depth)
        encoder = FrameEncoder(depth: depth, tolerance: tolerance, isSynchronized: isSynchronized)
    }

    /// Selects the colours that are possible and allowed now. Returns whether they have changed.
    mutating func adopt(_ allowance: OutputGovernor.Allowance) -> Bool {
        let wanted = fullDepth == .trueColour && !allowance.hasTrueColour ? .palette256 : fullDepth
        guard wanted != depth else { return false }
        depth = wanted
        encoder = FrameEncoder(depth: depth, tolerance: tolerance, isSynchronized: isSynchronized)
        return true
    }
}

/// The face as pixels.
private struct PixelLayer: Sendable {
    /// The painter, or nil if the terminal gets cells.
    var painter: GraphicsPainter?
    /// Whether the screen currently shows pixels.
    private(set) var isShown = false
    /// Whether a kitty image is on the screen, and whether it must be removed before the next cells.
    private var showsKitty = false, leavesPicture = false

    mutating func show(_ wanted: Bool) {
        isShown = wanted
        if !wanted, showsKitty { leavesPicture = true }
        showsKitty = false
    }

    mutating func encode(_ face: FaceState, isSynchronized: Bool, isKitty: Bool, into bytes: inout [UInt8]) {
        painter?.encode(face, isSynchronized: isSynchronized, into: &bytes)
        if isKitty { showsKitty = true }
    }

    /// Appends the bytes that remove an image from under the cells.
    mutating func clear(_ bytes: inout [UInt8]) {
        if leavesPicture { KittyPainter.clear(&bytes) }
        leavesPicture = false
    }
}
