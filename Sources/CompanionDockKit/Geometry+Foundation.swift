public import Foundation
public import Geometry

// Foundation's types of the frame beside those of the library. Both are normalised, with the origin at the top left.

extension Point {
    /// The same point of the frame.
    public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}

extension CGPoint {
    /// The same point of the frame.
    public init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension Rect {
    /// The same part of the frame. A negative width or height counts from the other edge.
    public init(_ rect: CGRect) {
        self.init(
            x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width), height: Double(rect.height))
    }
}

extension CGRect {
    /// The same part of the frame.
    public init(_ rect: Rect) { self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height) }
}
