public import Codecs
internal import Glibc

/// Depth as colours: near is red, far is blue. What was not measured is dark, and what is too far is grey.
public enum DepthColours {
    /// The distances of the first and the last colour, in metres.
    public static let near = 0.3, far = 5.0

    private static let unmeasured: [UInt8] = [24, 24, 24], beyond: [UInt8] = [150, 150, 165]
    /// The colours in between, at the same distance from each other.
    private static let stops: [[Double]] = [
        [200, 30, 30], [245, 150, 40], [235, 230, 70], [70, 200, 90], [60, 170, 220], [50, 60, 160],
    ]

    /// The colour of a reading. Colours follow the logarithm of the distance, because nearness has more steps that
    /// matter.
    public static func colour(of reading: DepthMap.Reading) -> [UInt8] {
        switch reading {
        case .none: return unmeasured
        case .beyond: return beyond
        case .metres(let metres):
            let share = min(max(log(metres / near) / log(far / near), 0), 1) * Double(stops.count - 1)
            let first = min(Int(share), stops.count - 2), rest = share - Double(first)
            return (0..<3).map {
                UInt8((stops[first][$0] + rest * (stops[first + 1][$0] - stops[first][$0])).rounded())
            }
        }
    }

    /// Returns a picture of this size. Each of its pixels shows one sample, because at the mean of two
    /// distances there may be nothing.
    public static func picture(_ map: DepthMap, width: Int, height: Int) -> RGBPicture? {
        guard (1...PictureLimits.side).contains(width), (1...PictureLimits.side).contains(height) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for y in 0..<height {
            let row = (2 * y + 1) * map.picture.height / (2 * height)
            for x in 0..<width {
                bytes += colour(of: map[(2 * x + 1) * map.picture.width / (2 * width), row])
            }
        }
        return RGBPicture(width: width, height: height, bytes: bytes)
    }
}
