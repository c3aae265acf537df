internal import Codecs
public import Geometry

/// How far a face is, from one depth picture: the median of what was measured in the inner half of its box. The mean
/// would include the wall, and the middle alone may be a hole.
public struct FaceDistance: Sendable, Equatable {
    /// The least share of the inner half that must have been measured.
    public static let leastShare = 0.3
    /// About the most pixels that are read.
    static let mostPixels = 4096

    /// The distance along the axis of the lens in metres; nil if too little was measured, or most of it is beyond what
    /// the unit can say.
    public let metres: Double?
    /// The share of the inner half that was measured.
    public let share: Double

    /// Measures in a box, which may extend beyond the picture. It must be in the coordinates of the depth picture; those
    /// of a picture through the same lens are.
    public init(in map: DepthMap, box: Rect) {
        let samples = Self.inner(map, box)
        guard let samples else {
            (metres, share) = (nil, 0)
            return
        }
        // What is too far to measure counts as the farthest, and never as a number.
        let measured = samples.filter { $0 != DepthMap.unmeasured }.sorted()
        share = Double(measured.count) / Double(samples.count)
        guard share >= Self.leastShare, case .metres(let median) = map.reading(measured[measured.count / 2]) else {
            metres = nil
            return
        }
        metres = median
    }

    /// The samples of the inner half, fewer if it is large; nil if no pixel is inside of the picture.
    private static func inner(_ map: DepthMap, _ box: Rect) -> [UInt16]? {
        guard [box.x, box.y, box.width, box.height].allSatisfy(\.isFinite), box.width > 0, box.height > 0 else {
            return nil
        }
        let half = Rect(center: box.center, width: box.width / 2, height: box.height / 2)
        guard let inside = half.intersection(.full) else { return nil }
        let columns = range(inside.x, inside.maxX, map.picture.width)
        let rows = range(inside.y, inside.maxY, map.picture.height)
        let step = max(1, Int((Double(columns.count * rows.count) / Double(mostPixels)).squareRoot().rounded(.up)))
        var samples: [UInt16] = []
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
                samples.append(map.picture.samples[y * map.picture.width + x])
            }
        }
        return samples
    }

    /// The pixels between two edges of 0...1, at least one.
    private static func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
        let first = min(Int(low * Double(count)), count - 1)
        return first..<max(first + 1, min(Int((high * Double(count)).rounded()), count))
    }
}
