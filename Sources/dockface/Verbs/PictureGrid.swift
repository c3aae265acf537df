import Geometry
import RobotFace

/// The cells of a terminal in which a picture is shown.
struct PictureRoom: Equatable {
    var columns: Int, rows: Int

    /// Returns the size, in pixels, at which a picture of this size fits. A cell has two pixels, because it is twice as
    /// high as wide.
    func fit(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        let scale = min(Double(columns) / Double(width), Double(rows * 2) / Double(height))
        return (max(1, Int(Double(width) * scale)), max(2, Int(Double(height) * scale) & ~1))
    }
}

/// A picture that is scaled down for a terminal: rows of red, green and blue, one byte each.
struct SmallPicture {
    let width: Int, height: Int
    let pixels: [UInt8]

    /// Scales a picture down, so that it fits. `bytes` has its rows without gaps.
    init(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int, for room: PictureRoom) {
        let size = room.fit(width, height), isSmaller = size.width < width && size.height < height
        let (columns, rows) = isSmaller ? size : (width, height)
        (self.width, self.height) = (columns, rows)
        pixels = [UInt8](unsafeUninitializedCapacity: columns * rows * 3) { buffer, count in
            var next = 0
            for y in 0..<rows {
                let row = y * height / rows * width
                for x in 0..<columns {
                    let place = (row + x * width / columns) * 3
                    for channel in 0..<3 {
                        buffer.initializeElement(at: next, to: bytes[place + channel])
                        next += 1
                    }
                }
            }
            count = next
        }
    }
}

/// A picture in cells of two pixels each, with boxes and shapes over it.
enum PictureGrid {
    /// Scales a picture to fit, and centres it.
    static func draw(
        _ picture: SmallPicture, _ faces: [Rect], _ shapes: [OverlayShape] = [], in room: PictureRoom,
        depth: ColourDepth
    ) -> CellGrid {
        let (width, height) = room.fit(picture.width, picture.height)
        let boxes = faces.map { Box($0, width: width, height: height) }
        var grid = CellGrid(columns: width, rows: height / 2)
        func colour(_ x: Int, _ y: Int) -> UInt32 {
            // Yellow, as in cameras. The outline of a box is one pixel wide.
            if boxes.contains(where: { $0.isEdge(x, y) }) { return shade(255, 208, 0, depth) }
            let place = (y * picture.height / height * picture.width + x * picture.width / width) * 3
            return shade(picture.pixels[place], picture.pixels[place + 1], picture.pixels[place + 2], depth)
        }
        for row in 0..<grid.rows {
            for column in 0..<width {
                grid[row, column] = Cell(
                    glyph: 0x2584, foreground: colour(column, row * 2 + 1), background: colour(column, row * 2))
            }
        }
        if !shapes.isEmpty {
            var overlay = TextOverlay()
            overlay.drawing = OverlayDrawing(version: 1) { shapes }
            overlay.draw(into: &grid, depth: depth == .trueColour ? .trueColour : .palette256)
        }
        return centred(grid, in: room)
    }

    private static func centred(_ picture: CellGrid, in room: PictureRoom) -> CellGrid {
        var grid = CellGrid(columns: max(room.columns, picture.columns), rows: max(room.rows, picture.rows))
        let left = (grid.columns - picture.columns) / 2, top = (grid.rows - picture.rows) / 2
        for row in 0..<picture.rows {
            for column in 0..<picture.columns { grid[top + row, left + column] = picture[row, column] }
        }
        return grid
    }

    private struct Box {
        var left: Int, top: Int, right: Int, bottom: Int

        init(_ face: Rect, width: Int, height: Int) {
            func place(_ share: Double, _ size: Int) -> Int {
                share.isFinite ? Int((share.clamped(to: -1...2) * Double(size)).rounded()) : 0
            }
            (left, top) = (place(face.x, width), place(face.y, height))
            right = max(left, place(face.maxX, width) - 1)
            bottom = max(top, place(face.maxY, height) - 1)
        }

        func isEdge(_ x: Int, _ y: Int) -> Bool {
            guard (left...right).contains(x), (top...bottom).contains(y) else { return false }
            return x == left || x == right || y == top || y == bottom
        }
    }

    /// Returns 0xRRGGBB, or the index of the nearest colour in the palette's 6 x 6 x 6 cube (xterm's 256 colours).
    private static func shade(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ depth: ColourDepth) -> UInt32 {
        if depth == .trueColour { return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
        func step(_ value: UInt8) -> UInt32 { value < 48 ? 0 : value < 115 ? 1 : (UInt32(value) - 35) / 40 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }
}
