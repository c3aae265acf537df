/// Draws a face into pixels: for image files and for terminals with graphics.
public struct FaceRaster: Sendable {
    /// The size in pixels.
    public let width: Int, height: Int
    private let frame: CellFrame
    private var shader = FaceShader()
    private let table = LinearColour.encoded

    /// Creates a raster for an image with square pixels.
    public init(width: Int, height: Int) {
        frame = CellFrame(columns: width, rows: height, aspect: 1)
        (self.width, self.height) = (frame.columns, frame.rows)
    }

    /// Draws the face as rows of three bytes per pixel: red, green, blue in sRGB.
    public mutating func draw(_ face: FaceState) -> [UInt8] {
        var bytes: [UInt8] = []
        draw(face, into: &bytes)
        return bytes
    }

    /// Draws the same into a reusable buffer.
    mutating func draw(_ face: FaceState, into bytes: inout [UInt8]) {
        let count = width * height * 3
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        bytes.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
        shader.set(face, .light)
        let black = table.packed(.zero)
        for row in 0..<height {
            for first in stride(from: 0, to: width, by: 8) {
                let patch = frame.patch(row: row, column: first, down: 0.5)
                guard shader.isLit(patch.middle, radius: patch.radius + frame.width) else { continue }
                let colours = table.packed(shader.light(patch, pixel: frame.width))
                for column in first..<min(first + 8, width) {
                    let colour = colours[column - first]
                    guard colour != black else { continue }
                    let index = (row * width + column) * 3
                    bytes[index] = UInt8(truncatingIfNeeded: colour >> 16)
                    bytes[index + 1] = UInt8(truncatingIfNeeded: colour >> 8)
                    bytes[index + 2] = UInt8(truncatingIfNeeded: colour)
                }
            }
        }
    }
}
