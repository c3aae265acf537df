public import Geometry

extension JSONValue {
    /// Encodes a rectangle as [x, y, width, height].
    public static func rect(_ rect: Rect) -> JSONValue {
        .array([rect.x, rect.y, rect.width, rect.height].map(JSONValue.number))
    }

    /// Encodes a point as [x, y].
    public static func point(_ point: Point) -> JSONValue { .array([.number(point.x), .number(point.y)]) }

    /// Encodes both axes: radians, rad/s.
    public static func panTilt(_ value: PanTilt) -> JSONValue {
        .object(["pan": .number(value.pan), "tilt": .number(value.tilt)])
    }

    /// The rectangle of [x, y, width, height], or nil if it is none.
    public var rect: Rect? {
        guard let sides = numbers(4) else { return nil }
        return Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }

    /// The point of [x, y], or nil if it is none.
    public var point: Point? { numbers(2).map { Point(x: $0[0], y: $0[1]) } }

    /// The axes of {pan, tilt}, or nil if it is none.
    public var panTilt: PanTilt? {
        guard let pan = self["pan"]?.number, let tilt = self["tilt"]?.number else { return nil }
        return PanTilt(pan: pan, tilt: tilt)
    }

    private func numbers(_ count: Int) -> [Double]? {
        guard let all = array?.compactMap(\.number), all.count == count, array?.count == count else { return nil }
        return all
    }
}
