public import ControlProtocol
public import Geometry
public import SpatialModel

/// The lens of a picture, in pixels.
public struct FrameLens: Sendable, Equatable {
    /// The focal lengths, and where the lens looks straight ahead.
    public var fx: Double, fy: Double, cx: Double, cy: Double
    /// The picture's size.
    public var width: Int, height: Int
    /// How the lens bends straight lines. The source system does not know it; it travels in a member of its own.
    public var distortion: LensDistortion

    /// Creates a lens from values in pixels.
    public init(
        fx: Double, fy: Double, cx: Double, cy: Double, width: Int, height: Int, distortion: LensDistortion = .none
    ) {
        (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
        (self.width, self.height, self.distortion) = (width, height, distortion)
    }

    /// Creates a lens from values in picture widths and heights.
    public init(_ lens: PictureLens, width: Int, height: Int) {
        self.init(
            fx: lens.focal.x * Double(width), fy: lens.focal.y * Double(height),
            cx: lens.principal.x * Double(width), cy: lens.principal.y * Double(height), width: width,
            height: height, distortion: lens.distortion)
    }

    /// The same lens in picture widths and heights.
    public var normalised: PictureLens {
        let (w, h) = (Double(width), Double(height))
        var lens = PictureLens(focal: Point(x: fx / w, y: fy / h), principal: Point(x: cx / w, y: cy / h))
        lens.distortion = distortion
        return lens
    }

    /// The member `intrinsics` of a message.
    public var json: JSONValue {
        .object([
            "fx": .number(fx), "fy": .number(fy), "cx": .number(cx), "cy": .number(cy), "width": .number(width),
            "height": .number(height),
        ])
    }

    /// The member `distortion` of a message, or nil for a lens that keeps lines straight.
    public var distortionJSON: JSONValue? {
        guard distortion != .none else { return nil }
        let numbers = [distortion.k1, distortion.k2, distortion.p1, distortion.p2, distortion.k3]
        return .object(["model": .string("plumb_bob"), "d": .array(numbers.map(JSONValue.number))])
    }

    /// Reads both members; nil if they are no lens.
    public init?(_ intrinsics: JSONValue?, distortion: JSONValue?) {
        guard let intrinsics, let width = intrinsics["width"]?.integer, let height = intrinsics["height"]?.integer,
            (1...Self.largest).contains(width), (1...Self.largest).contains(height),
            let fx = intrinsics["fx"]?.number, let fy = intrinsics["fy"]?.number, let cx = intrinsics["cx"]?.number,
            let cy = intrinsics["cy"]?.number
        else { return nil }
        let (w, h) = (Double(width), Double(height))
        // 0.1 of the width is a field of view of 157 degrees, and 100 one of half a degree.
        guard (0.1 * w...100 * w).contains(fx), (0.1 * h...100 * h).contains(fy), (-w...2 * w).contains(cx),
            (-h...2 * h).contains(cy)
        else { return nil }
        self.init(fx: fx, fy: fy, cx: cx, cy: cy, width: width, height: height)
        guard let distortion, !distortion.isNull else { return }
        let numbers = (distortion["d"]?.array ?? []).compactMap(\.number)
        guard distortion["model"]?.string == "plumb_bob", numbers.count == 5,
            numbers.allSatisfy({ abs($0) <= Self.mostBent })
        else { return nil }
        self.distortion = LensDistortion(
            k1: numbers[0], k2: numbers[1], p1: numbers[2], p2: numbers[3], k3: numbers[4])
    }

    /// The greatest width and height in pixels, and the greatest coefficient of a distortion.
    static let largest = 16_384, mostBent = 100.0
}

extension FrameLens {
    /// The lens of the same picture in another size.
    public func scaled(width: Int, height: Int) -> FrameLens {
        FrameLens(normalised, width: width, height: height)
    }
}
