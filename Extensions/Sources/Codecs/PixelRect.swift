public import Geometry

/// A rectangle of whole pixels. It may extend beyond the picture.
public struct PixelRect: Sendable, Equatable {
    /// The first column and the first row inside.
    public let left: Int, top: Int
    /// The first column and the first row after it; never less than `left` and `top`.
    public let right: Int, bottom: Int

    /// Edges are limited to this distance from the picture's corner, in pixels, so that sums cannot overflow.
    public static let limit = 1 << 20

    /// Creates a rectangle from its edges, in pixels. An edge before its opposite gives an empty rectangle.
    public init(left: Int, top: Int, right: Int, bottom: Int) {
        let range = -Self.limit...Self.limit
        (self.left, self.top) = (left.limited(to: range), top.limited(to: range))
        self.right = max(self.left, right.limited(to: range))
        self.bottom = max(self.top, bottom.limited(to: range))
    }

    /// Creates the smallest rectangle of whole pixels that contains a normalised one, in a picture of this size. A
    /// rectangle that is not finite gives the whole picture, because it could be anywhere.
    public init(covering rect: Rect, width: Int, height: Int) {
        let edges = [rect.x, rect.y, rect.maxX, rect.maxY]
        guard edges.allSatisfy(\.isFinite) else {
            self.init(left: 0, top: 0, right: width, bottom: height)
            return
        }
        let (across, down) = (Double(width), Double(height))
        self.init(
            left: Self.whole((edges[0] * across).rounded(.down)), top: Self.whole((edges[1] * down).rounded(.down)),
            right: Self.whole((edges[2] * across).rounded(.up)), bottom: Self.whole((edges[3] * down).rounded(.up)))
    }

    /// The size in pixels.
    public var width: Int { right - left }
    /// The size in pixels.
    public var height: Int { bottom - top }
    /// Whether it contains no pixel.
    public var isEmpty: Bool { width == 0 || height == 0 }

    private static func whole(_ edge: Double) -> Int { Int(edge.clamped(to: -Double(limit)...Double(limit))) }
}

extension Int {
    fileprivate func limited(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
