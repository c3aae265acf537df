import Camera
import FaceTracker
import Geometry
import RobotFace

/// A camera frame in cells of two pixels each, with boxes.
enum PictureGrid {
    /// Scales the frame to fit, with cells twice as high as wide.
    static func draw(
        _ frame: CameraFrame, _ faces: [Detection], columns: Int, rows: Int, depth: ColourDepth
    ) -> CellGrid {
        let scale = min(Double(columns) / Double(frame.width), Double(rows * 2) / Double(frame.height))
        let width = max(1, Int(Double(frame.width) * scale)), height = max(2, Int(Double(frame.height) * scale) & ~1)
        var grid = CellGrid(columns: max(columns, width), rows: max(rows, height / 2))
        let left = (grid.columns - width) / 2, top = (grid.rows - height / 2) / 2
        let boxes = faces.map { box($0, width: width, height: height) }
        func colour(_ x: Int, _ y: Int) -> UInt32 {
            // Yellow, as in cameras. The outline of a box is one pixel wide.
            if boxes.contains(where: { $0.isEdge(x, y) }) { return shade(255, 208, 0, depth) }
            let place = (y * frame.height / height * frame.width + x * frame.width / width) * 3
            let bytes = frame.bytes
            return shade(bytes[place], bytes[place + 1], bytes[place + 2], depth)
        }
        for row in 0..<(height / 2) {
            for column in 0..<width {
                grid[top + row, left + column] = Cell(
                    glyph: 0x2584, foreground: colour(column, row * 2 + 1), background: colour(column, row * 2))
            }
        }
        return grid
    }

    private struct Box {
        var left: Int, top: Int, right: Int, bottom: Int

        func isEdge(_ x: Int, _ y: Int) -> Bool {
            guard (left...right).contains(x), (top...bottom).contains(y) else { return false }
            return x == left || x == right || y == top || y == bottom
        }
    }

    private static func box(_ face: Detection, width: Int, height: Int) -> Box {
        func place(_ share: Double, _ size: Int) -> Int { Int((share.clamped(to: -1...2) * Double(size)).rounded()) }
        let left = place(face.rect.x, width), top = place(face.rect.y, height)
        return Box(
            left: left, top: top, right: max(left, place(face.rect.maxX, width) - 1),
            bottom: max(top, place(face.rect.maxY, height) - 1))
    }

    /// Returns 0xRRGGBB, or the index of the nearest colour in the palette's 6 x 6 x 6 cube (xterm's 256 colours).
    private static func shade(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ depth: ColourDepth) -> UInt32 {
        if depth == .trueColour { return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
        func step(_ value: UInt8) -> UInt32 { value < 48 ? 0 : value < 115 ? 1 : (UInt32(value) - 35) / 40 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }
}
