public import Geometry

/// Where a face lies in the picture: its middle and those of its edges that are in it, as angles beside where the head points.
///
/// A face that leaves is cut off by the picture's edge, and the middle of what is left of it moves half as fast as the head
/// turns. So what is judged by its motion is judged by an edge that is whole.
public struct FaceOutline: Sendable, Equatable {
    /// Along one axis, radians; nil: cut off by the picture's edge.
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
    /// Angular width of what is seen, radians: a rectangle trembles in proportion.
    public private(set) var width: Double
    /// How much more than its bearing the pan angle of a face changes, that is high above the head or far below.
    private var stretch: Double

    /// So near the picture's edge a rectangle counts as cut off, share of the picture: detectors clip or guess there.
    static let margin = 0.01

    /// Of a rectangle that a camera saw from a pose.
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

    /// Mixes a later look in: what an edge cuts off in one of them is cut off.
    mutating func blend(_ other: FaceOutline, share: Double) {
        pan.blend(other.pan, share: share)
        tilt.blend(other.tilt, share: share)
        width += share * (other.width - width)
        stretch += share * (other.stretch - stretch)
    }

    /// The same point of a face in three looks: its middle where all of it was seen, else an edge that was; nil: none was.
    static func bearings(
        _ a: FaceOutline, _ b: FaceOutline, _ c: FaceOutline, _ axis: Axis
    ) -> (Double, Double, Double)? {
        let (a, b, c) = axis == .pan ? (a.pan, b.pan, c.pan) : (a.tilt, b.tilt, c.tilt)
        let lows = trio(a.low, b.low, c.low), highs = trio(a.high, b.high, c.high)
        return lows != nil && highs != nil ? (a.middle, b.middle, c.middle) : lows ?? highs
    }

    /// A point of a face whose motion is the face's.
    enum Part: Sendable, Equatable { case middle, low, high }

    /// Where its middle lies along an axis (radians), or an edge that the picture does not cut off; nil: it cuts off both.
    func whole(_ axis: Axis) -> (part: Part, bearing: Double)? {
        let span = axis == .pan ? pan : tilt
        switch (span.low, span.high) {
        case (.some, .some): return (.middle, span.middle)
        case (.some(let low), nil): return (.low, low)
        case (nil, .some(let high)): return (.high, high)
        case (nil, nil): return nil
        }
    }

    /// Where the middle of what is seen lies along an axis, radians.
    func center(_ axis: Axis) -> Double { (axis == .pan ? pan : tilt).middle }

    /// How much its middle trembles along an axis (standard deviation), radians.
    func noise(_ axis: Axis) -> Double { max(.degrees(0.4), 0.04 * width) * (axis == .pan ? stretch : 1) }

    private static func trio(_ a: Double?, _ b: Double?, _ c: Double?) -> (Double, Double, Double)? {
        guard let a, let b, let c else { return nil }
        return (a, b, c)
    }
}
