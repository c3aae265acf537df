/// A point of the picture, normalised: 0...1, origin top-left, of the upright, unmirrored picture.
public struct Point: Sendable, Equatable {
    /// From the left edge, in picture widths.
    public var x: Double
    /// From the top edge, in picture heights.
    public var y: Double

    /// A point in picture widths and heights.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle of the picture, normalised: 0...1, origin top-left, of the upright, unmirrored picture.
///
/// Values a little outside 0...1 are legal: a face can be cut by the picture's edge.
public struct Rect: Sendable, Equatable {
    /// Left edge, in picture widths.
    public var x: Double
    /// Top edge, in picture heights.
    public var y: Double
    /// Width, in picture widths.
    public var width: Double
    /// Height, in picture heights.
    public var height: Double

    /// The whole picture.
    public static let full = Rect(x: 0, y: 0, width: 1, height: 1)

    /// Edges and sizes in picture widths and heights.
    @inlinable
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Around a centre.
    @inlinable
    public init(center: Point, width: Double, height: Double) {
        self.init(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    }

    /// The middle.
    @inlinable
    public var center: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// Right edge, in picture widths.
    @inlinable
    public var maxX: Double { x + width }

    /// Bottom edge, in picture heights.
    @inlinable
    public var maxY: Double { y + height }

    /// Share of the picture's area.
    @inlinable
    public var area: Double { width * height }

    /// Whether the point lies inside, edges included.
    @inlinable
    public func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }

    /// The common part, or nil if there is none.
    @inlinable
    public func intersection(_ other: Rect) -> Rect? {
        let left = Swift.max(x, other.x), top = Swift.max(y, other.y)
        let right = Swift.min(maxX, other.maxX), bottom = Swift.min(maxY, other.maxY)
        guard right > left, bottom > top else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Intersection over union: 1 for the same rectangle, 0 for none in common.
    @inlinable
    public func overlap(_ other: Rect) -> Double {
        guard let common = intersection(other) else { return 0 }
        return common.area / (area + other.area - common.area)
    }

    /// The same rectangle shifted, in picture widths and heights.
    @inlinable
    public func offset(dx: Double, dy: Double) -> Rect { Rect(x: x + dx, y: y + dy, width: width, height: height) }
}
