import Geometry
import Testing

@testable import RobotFace

@Suite struct FrameEncoderTests {
    /// The largest difference of a channel between the shown and the wanted screen; nil: another glyph.
    private func error(_ shown: CellGrid, _ wanted: CellGrid) -> Int? {
        var worst = 0
        for (a, b) in zip(shown.cells, wanted.cells) where a != b {
            let isPicture = [0x20, 0x2584].contains(a.glyph) && [0x20, 0x2584].contains(b.glyph)
            if !isPicture, a.glyph != b.glyph { return nil }
            let inks = (a.glyph == 0x20 ? a.background : a.foreground, b.glyph == 0x20 ? b.background : b.foreground)
            for (p, q) in [inks, (a.background, b.background)] {
                for shift: UInt32 in [0, 8, 16, 24] {
                    worst = max(worst, abs(Int(p >> shift & 255) - Int(q >> shift & 255)))
                }
            }
        }
        return worst
    }

    private func film(_ depth: ColourDepth, frames: Int, _ check: (Int, CellGrid, [UInt8], ScreenEmulator) -> Void) {
        var animator = FaceAnimator(seed: 2, style: .block, expression: .normal, now: 0)
        var painter = HalfBlockPainter(columns: 48, rows: 15)
        var grid = CellGrid(columns: 48, rows: 15)
        var encoder = FrameEncoder(depth: depth)
        var screen = ScreenEmulator(columns: 48, rows: 15)
        var bytes: [UInt8] = []
        for frame in 0..<frames {
            let now = Double(frame) / 30
            if frame % 6 == 0 { animator.show(Expression.all[frame / 3 % 21], now: now) }
            painter.paint(animator.face(at: now), depth: depth, into: &grid)
            if frame > frames / 2 {
                TextOverlay(statusLine: "pan \(frame)°", page: ["help", "é ü → ok"]).draw(into: &grid, depth: depth)
            }
            bytes.removeAll(keepingCapacity: true)
            encoder.encode(grid, into: &bytes)
            screen.feed(bytes)
            check(frame, grid, bytes, screen)
        }
        // The same once more: the picture is at rest.
        bytes.removeAll()
        encoder.encode(grid, into: &bytes)
        screen.feed(bytes)
        #expect(error(screen.grid, grid) == 0, "\(depth) settled")
        bytes.removeAll()
        encoder.encode(grid, into: &bytes)
        #expect(bytes.isEmpty)
    }

    @Test(arguments: ColourDepth.allCases)
    func `the terminal shows the picture, within the tolerance, after every frame`(depth: ColourDepth) {
        film(depth, frames: 64) { frame, grid, _, screen in
            let worst = error(screen.grid, grid)
            #expect((worst ?? 999) <= (depth == .trueColour ? 6 : 0), "\(depth) frame \(frame): \(worst ?? 999)")
            #expect(screen.unknown.isEmpty)
            #expect(!screen.isSynchronized)
        }
    }

    @Test func `every frame is one synchronized update`() {
        var last = 0
        film(.trueColour, frames: 60) { _, _, bytes, screen in
            #expect(screen.updates == last + (bytes.isEmpty ? 0 : 1))
            last = screen.updates
        }
    }

    @Test func `an equal picture costs no byte`() {
        var painter = HalfBlockPainter(columns: 80, rows: 24)
        var grid = CellGrid(columns: 80, rows: 24)
        var encoder = FrameEncoder(depth: .trueColour)
        var bytes: [UInt8] = []
        painter.paint(FaceState(.normal), depth: .trueColour, into: &grid)
        encoder.encode(grid, into: &bytes)
        #expect(bytes.count > 1000)
        bytes.removeAll()
        encoder.encode(grid, into: &bytes)
        #expect(bytes.isEmpty)
        encoder.invalidate()
        encoder.encode(grid, into: &bytes)
        #expect(bytes.count > 1000)
    }

    @Test func `after a change of size everything is sent`() {
        var encoder = FrameEncoder(depth: .trueColour)
        for (columns, rows) in [(40, 12), (60, 20), (20, 6), (1, 1)] {
            var painter = HalfBlockPainter(columns: columns, rows: rows)
            var grid = CellGrid(columns: 1, rows: 1)
            painter.paint(FaceState(.normal), depth: .trueColour, into: &grid)
            var bytes: [UInt8] = []
            encoder.encode(grid, into: &bytes)
            var screen = ScreenEmulator(columns: columns, rows: rows)
            screen.feed(bytes)
            #expect(error(screen.grid, grid) == 0)
        }
    }

    /// Average bytes per frame while the eyes move at 30 frames a second, 80x24. The limits are the measured values
    /// plus a third.
    @Test(arguments: [
        (ColourDepth.trueColour, 6000), (.palette256, 1000), (.palette16, 500), (.mono, 350),
    ])
    func `a moving face keeps its byte budget`(depth: ColourDepth, budget: Int) {
        var animator = FaceAnimator(seed: 2, style: .block, expression: .normal, now: 0)
        var painter = HalfBlockPainter(columns: 80, rows: 24)
        var grid = CellGrid(columns: 80, rows: 24)
        var encoder = FrameEncoder(depth: depth)
        var bytes: [UInt8] = []
        var sum = 0
        for frame in 0..<60 {
            let now = Double(frame) / 30
            if frame % 10 == 0 {
                animator.look(at: GazeTarget(bearing: frame % 20 == 0 ? 0.2 : -0.2, elevation: 0), now: now)
            }
            painter.paint(animator.face(at: now), depth: depth, into: &grid)
            bytes.removeAll(keepingCapacity: true)
            encoder.encode(grid, into: &bytes)
            if frame > 0 { sum += bytes.count }
        }
        #expect(sum / 59 <= budget, "\(depth): \(sum / 59)")
        #expect(sum > 0)
    }

    @Test(arguments: ColourDepth.allCases)
    func `a whole picture for a file is plain rows without cursor moves`(depth: ColourDepth) {
        var painter = HalfBlockPainter(columns: 40, rows: 12)
        var grid = CellGrid(columns: 40, rows: 12)
        painter.paint(FaceState(.normal), depth: depth, into: &grid)
        let text = String(decoding: FrameEncoder.whole(grid, depth: depth), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 12)
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            var visible = 0, isCode = false
            for scalar in line.unicodeScalars {
                if scalar == "\u{1b}" { isCode = true }
                if !isCode { visible += 1 }
                if isCode, scalar.properties.isAlphabetic {
                    #expect(scalar == "m")
                    isCode = false
                }
            }
            #expect(visible == 40)
        }
        if depth == .mono { #expect(!text.contains("\u{1b}")) }
    }

    @Test func `text from outside cannot control the terminal`() {
        var grid = CellGrid(columns: 30, rows: 3)
        TextOverlay(statusLine: "a\u{1b}[2J\nb\u{7}\u{9b}c 漢e\u{301}").draw(into: &grid, depth: .trueColour)
        let row = (0..<30).compactMap { UnicodeScalar(grid[2, $0].glyph).map(String.init) }.joined()
        #expect(row.hasPrefix(" a?[2J?b??c ?e "))
    }

    @Test func `an overlay larger than the screen is cut off`() {
        for size in [(1, 1), (3, 2), (10, 4)] {
            var grid = CellGrid(columns: size.0, rows: size.1)
            let lines = (0..<50).map { "line \($0) which is quite long" }
            TextOverlay(
                statusLine: String(repeating: "x", count: 200), page: lines,
                labels: [.init(x: 2, y: -1, text: "far"), .init(x: .nan, y: 0, text: "nowhere")]
            ).draw(into: &grid, depth: .mono)
            #expect(grid.cells.count == size.0 * size.1)
        }
    }
}
