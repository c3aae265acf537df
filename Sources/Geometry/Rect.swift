/// A point of the frame, normalised: 0...1, origin top-left, in the upright, unmirrored frame.
public struct Point: Sendable, Equatable {
    /// From the left edge, in frame widths.
    public var x: Double
    /// From the top edge, in frame heights.
    public var y: Double

    /// A point in frame widths and heights.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle of the frame, normalised: 0...1, origin top-left, in the upright, unmirrored frame.
///
/// Values a little outside 0...1 are valid: the frame's edge can cut a face.
public struct Rect: Sendable, Equatable {
    /// Left edge, in frame widths.
    public var x: Double
    /// Top edge, in frame heights.
    public var y: Double
    /// Width, in frame widths.
    public var width: Double
    /// Height, in frame heights.
    public var height: Double

    /// The whole frame.
    public static let full = Rect(x: 0, y: 0, width: 1, height: 1)

    /// Edges and sizes in frame widths and heights.
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

    /// Right edge, in frame widths.
    @inlinable
    public var maxX: Double { x + width }

    /// Bottom edge, in frame heights.
    @inlinable
    public var maxY: Double { y + height }

    /// The area, as a fraction of the frame.
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

    /// The same rectangle shifted, in frame widths and heights.
    @inlinable
    public func offset(dx: Double, dy: Double) -> Rect { Rect(x: x + dx, y: y + dy, width: width, height: height) }
}
