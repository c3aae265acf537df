public import Geometry

/// The position of a face in the image: its middle and its visible edges, as angles relative to the direction of the
/// head.
///
/// A face that leaves the frame is cut off by the image's edge, and the middle of the rest moves half as fast as the
/// head turns. Its motion is therefore judged by an edge that is visible.
public struct FaceOutline: Sendable, Equatable {
    /// The extent along one axis, in radians. An end is nil if it is cut off by the image's edge.
    private struct Span: Sendable, Equatable {
        var middle: Double
        var low: Double?
        var high: Double?

        mutating func blend(_ other: Span, share: Double) {
            func mixed(_ a: Double?, _ b: Double?) -> Double? {
                guard let a, let b else { return nil }
                return a + share * (b - a)
            }
            middle += share * (other.middle - middle)
            (low, high) = (mixed(low, other.low), mixed(high, other.high))
        }
    }

    private var pan: Span
    private var tilt: Span
    /// The angular width of the visible part, in radians. The noise of a rectangle is proportional to it.
    public private(set) var width: Double
    /// The factor by which the pan angle of a face far above or below the head changes more than its bearing.
    private var stretch: Double

    /// The distance from the image's edge at which a rectangle counts as cut off, as a fraction of the image. Detectors
    /// clip or guess there.
    static let margin = 0.01

    /// Creates the outline of a rectangle that a camera saw from a pose.
    public init(of rect: Rect, camera: CameraModel, from pose: PanTilt) {
        func angle(_ x: Double, _ y: Double, _ axis: Axis) -> Double {
            (camera.world(of: Point(x: x, y: y), from: pose) - pose)[axis]
        }
        let middle = rect.center, inside = Self.margin...(1 - Self.margin)
        pan = Span(
            middle: angle(middle.x, middle.y, .pan),
            low: inside.contains(rect.x) ? angle(rect.x, middle.y, .pan) : nil,
            high: inside.contains(rect.maxX) ? angle(rect.maxX, middle.y, .pan) : nil)
        tilt = Span(
            middle: angle(middle.x, middle.y, .tilt),
            low: inside.contains(rect.maxY) ? angle(middle.x, rect.maxY, .tilt) : nil,
            high: inside.contains(rect.y) ? angle(middle.x, rect.y, .tilt) : nil)
        let seen =
            camera.bearing(of: Point(x: rect.maxX, y: middle.y)).pan
            - camera.bearing(of: Point(x: rect.x, y: middle.y)).pan
        width = seen
        let turned = angle(rect.maxX, middle.y, .pan) - angle(rect.x, middle.y, .pan)
        stretch = seen > 0 ? max(1, turned / seen) : 1
    }

    /// Merges a later look. An edge that is cut off in one of them is cut off.
    mutating func blend(_ other: FaceOutline, share: Double) {
        pan.blend(other.pan, share: share)
        tilt.blend(other.tilt, share: share)
        width += share * (other.width - width)
        stretch += share * (other.stretch - stretch)
    }

    /// Returns the same point of a face in three looks: its middle if the whole face was seen, and otherwise a visible
    /// edge. The result is nil if there is none.
    static func bearings(
        _ a: FaceOutline, _ b: FaceOutline, _ c: FaceOutline, _ axis: Axis
    ) -> (Double, Double, Double)? {
        let (a, b, c) = axis == .pan ? (a.pan, b.pan, c.pan) : (a.tilt, b.tilt, c.tilt)
        let lows = trio(a.low, b.low, c.low), highs = trio(a.high, b.high, c.high)
        return lows != nil && highs != nil ? (a.middle, b.middle, c.middle) : lows ?? highs
    }

    /// A point of a face that moves as the face does.
    enum Part: Sendable, Equatable { case middle, low, high }

    /// Returns the bearing of the middle along an axis (radians), or of an edge that the image does not cut off. The
    /// result is nil if both edges are cut off.
    func whole(_ axis: Axis) -> (part: Part, bearing: Double)? {
        let span = axis == .pan ? pan : tilt
        switch (span.low, span.high) {
        case (.some, .some): return (.middle, span.middle)
        case (.some(let low), nil): return (.low, low)
        case (nil, .some(let high)): return (.high, high)
        case (nil, nil): return nil
        }
    }

    /// Returns the bearing of the middle of the visible part along an axis, in radians.
    func center(_ axis: Axis) -> Double { (axis == .pan ? pan : tilt).middle }

    /// Returns the noise of the middle along an axis (standard deviation), in radians.
    func noise(_ axis: Axis) -> Double { max(.degrees(0.4), 0.04 * width) * (axis == .pan ? stretch : 1) }

    private static func trio(_ a: Double?, _ b: Double?, _ c: Double?) -> (Double, Double, Double)? {
        guard let a, let b, let c else { return nil }
        return (a, b, c)
    }
}
