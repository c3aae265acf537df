import Geometry
import PictureShare

/// One grey picture of a calibration.
struct LensShot {
    /// The number of its view, from 0.
    var view: Int
    /// The head's pose at the exposure, in radians.
    var pose: PanTilt
    var width: Int, height: Int
    /// One byte a pixel, row by row.
    var grey: [UInt8]
    /// The place of the camera among the rig's cameras.
    var camera: Int
    /// When it was taken, CLOCK_MONOTONIC, and whether that is estimated from its arrival.
    var time: Seconds, isEstimated: Bool

    /// Creates a shot from the pixels of a shared picture in rgb24.
    init(view: Int, pose: PanTilt, _ pixels: [UInt8], of layout: ShareLayout, _ facts: PictureFacts) {
        (self.view, self.pose, width, height) = (view, pose, layout.width, layout.height)
        // The weights of ITU-R BT.601, in 256ths.
        grey = (0..<width * height).map { place in
            let red = Int(pixels[3 * place]), green = Int(pixels[3 * place + 1]), blue = Int(pixels[3 * place + 2])
            return UInt8((77 * red + 150 * green + 29 * blue) >> 8)
        }
        (camera, time, isEstimated) = (facts.optics.camera, facts.exposure, facts.isEstimated)
    }

    /// Returns whether it shows the same as another picture of its size: the means of at most a fiftieth of its squares of
    /// 16 pixels differ by more than 20 grey levels. Noise and a trembling head change them less.
    func isLike(_ other: LensShot) -> Bool {
        guard (width, height) == (other.width, other.height) else { return false }
        let side = 16, (columns, rows) = (width / side, height / side)
        var different = 0
        for row in 0..<rows {
            for column in 0..<columns {
                var change = 0
                for y in row * side..<(row + 1) * side {
                    for place in y * width + column * side..<y * width + (column + 1) * side {
                        change += Int(grey[place]) - Int(other.grey[place])
                    }
                }
                if abs(change) > 20 * side * side { different += 1 }
            }
        }
        return different * 50 <= columns * rows
    }
}
