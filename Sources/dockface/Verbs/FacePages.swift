import Companion
import CPosix
import Files
import Glibc
import RobotFace

/// The still images of `dockface face`: one face, all faces, the test card.
struct FacePages {
    let look: LookOptions
    /// The requested size, or nil to fit the terminal.
    let size: (columns: Int, rows: Int)?
    private let depth: ColourDepth, glyphs: FaceGlyphs

    /// Chooses the rendering: on a terminal the best one that it supports, and elsewhere the finest one, because the
    /// reader is unknown.
    init(look: LookOptions, size: (columns: Int, rows: Int)?) {
        (self.look, self.size) = (look, size)
        var guess = isTerminal(1) ? TerminalGuess.ofProcess() : nil
        if look.colour == nil { guess?.askTmux() }
        // TERM=dumb and NO_COLOR are an exception: then nothing better is available.
        let isDumb = ProcessEnvironment.value("TERM") == "dumb"
        let isPlain = isDumb || ProcessEnvironment.value("NO_COLOR") != nil
        depth = look.colour ?? (isPlain ? .mono : guess?.depth ?? .trueColour)
        glyphs = look.painter?.glyphs ?? guess?.glyphs ?? (isDumb ? .ascii : .blocks)
    }

    /// Returns one face.
    func text(_ expression: Expression) -> [UInt8] {
        let size = size ?? terminalSize().map { ($0.columns, $0.rows - 1) } ?? (80, 24)
        return FrameEncoder.whole(painted(expression, size, glyphs, depth), depth: depth)
    }

    /// Returns all faces, with as many side by side as fit into `width` cells.
    func sheet(_ faces: [Expression], width: Int) -> [UInt8] {
        let tile = size ?? (min(width, 40), min(width, 40) * 3 / 10)
        let grid = ContactSheet.text(
            faces, columns: tile.columns, rows: max(tile.rows, 1), width: width, style: look.style,
            glyphs: glyphs, depth: depth)
        return FrameEncoder.whole(grid, depth: depth)
    }

    /// Returns one face in pixels.
    func picture(_ expression: Expression) -> (pixels: [UInt8], width: Int, height: Int) {
        let cells = size ?? (80, 24)
        var raster = FaceRaster(width: cells.columns * 10, height: cells.rows * 20)
        return (raster.draw(FaceState(expression, style: look.style)), raster.width, raster.height)
    }

    /// Returns all faces in pixels.
    func sheetPicture(_ faces: [Expression]) -> (pixels: [UInt8], width: Int, height: Int) {
        let cells = size ?? (24, 7)
        return ContactSheet.picture(
            faces, width: cells.columns * 10, height: cells.rows * 20, across: 7, style: look.style)
    }

    /// Shows how a font and a terminal render each family of glyphs and each number of colours.
    func testCard() -> [UInt8] {
        var bytes: [UInt8] = []
        func line(_ text: String) { bytes += Array(text.utf8) + [0x0A] }
        func row(_ depths: [(FaceGlyphs, ColourDepth)], _ names: String) {
            line(names)
            let grids = depths.map { painted(Expression(named: "happy") ?? .normal, (24, 7), $0.0, $0.1) }
            for row in 0..<7 {
                for (grid, kind) in zip(grids, depths) {
                    var part = CellGrid(columns: 24, rows: 1)
                    for column in 0..<24 { part[0, column] = grid[row, column] }
                    bytes += FrameEncoder.whole(part, depth: kind.1).dropLast()
                    bytes += [0x20, 0x20]
                }
                bytes.append(0x0A)
            }
            bytes.append(0x0A)
        }
        line("The eyes should be smooth arcs, without gaps, lines or boxes in them.")
        line("")
        row(
            [(.blocks, depth), (.half, depth), (.ascii, depth)],
            "--painter blocks          half                      ascii")
        line(
            "blocks uses  \u{2581}\u{2582}\u{2583}\u{2584}\u{2585}\u{2586}\u{2587}\u{2588}  rising steps,  "
                + "\u{258E}\u{258C}\u{258A}\u{2588}  growing bars,  \u{2596}\u{2597}\u{2598}\u{259D}\u{259A}  quarters."
        )
        line("If one of them is a box, a question mark or too narrow, use half; if half also fails, use ascii.")
        line("")
        row(
            [(glyphs, .trueColour), (glyphs, .palette256), (glyphs, .palette16)],
            "--colour true             256                       16")
        line("If the left one is grey, striped or has wrong colours, use 256, then 16, then mono.")
        line("Under tmux, true needs: set -as terminal-features ',*:RGB'")
        return bytes
    }

    private func painted(
        _ expression: Expression, _ size: (columns: Int, rows: Int), _ glyphs: FaceGlyphs, _ depth: ColourDepth
    ) -> CellGrid {
        var painter = FacePainter(glyphs, columns: size.columns, rows: size.rows)
        var grid = CellGrid(columns: size.columns, rows: size.rows)
        painter.paint(FaceState(expression, style: look.style), depth: depth, into: &grid)
        return grid
    }
}
