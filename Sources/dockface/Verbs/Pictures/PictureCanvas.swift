import Geometry
import PictureShare

/// A copy of a picture that can be drawn on: rows of red, green and blue, one byte each.
struct PictureCanvas {
    private(set) var pixels: [UInt8]
    let width: Int
    let height: Int

    init(_ pixels: [UInt8], of layout: ShareLayout) {
        (self.pixels, width, height) = (pixels, layout.width, layout.height)
    }

    /// The colour of a box, as in cameras: yellow.
    private static let colour: (UInt8, UInt8, UInt8) = (255, 208, 0)

    /// Draws the outline of a rectangle in normalised coordinates; 1 pixel wide for each 320 of the picture.
    mutating func draw(_ rect: Rect) {
        func place(_ share: Double, _ size: Int) -> Int { Int((share.clamped(to: -1...2) * Double(size)).rounded()) }
        let left = place(rect.x, width), right = place(rect.maxX, width) - 1
        let top = place(rect.y, height), bottom = place(rect.maxY, height) - 1
        let stroke = max(1, width / 320)
        guard left <= right, top <= bottom else { return }
        for y in max(0, top)...max(max(0, top), min(bottom, height - 1)) where y < height {
            for x in max(0, left)...max(max(0, left), min(right, width - 1)) where x < width {
                let edge = min(x - left, right - x, y - top, bottom - y)
                guard edge < stroke else { continue }
                let index = (y * width + x) * 3
                (pixels[index], pixels[index + 1], pixels[index + 2]) = Self.colour
            }
        }
    }
}
