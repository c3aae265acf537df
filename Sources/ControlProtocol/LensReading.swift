public import Geometry

/// How the camera of a frame sees the room: its lens at the frame's magnification, and whether it turns with the dock.
public struct LensReading: Record, Equatable {
    /// The focal lengths, in picture widths and heights.
    public var focal = Point(x: 1, y: 1)
    /// Where the lens looks straight ahead, normalised.
    public var principal = Point(x: 0.5, y: 0.5)
    /// How the lens bends straight lines: k1, k2, p1, p2, k3 of Brown and Conrady, as OpenCV has them. Nil if the lens was
    /// not calibrated, or moved since.
    public var coefficients: [Double]?
    /// How the camera is turned against the head, in radians: to the right, then up, then clockwise. Nil if the camera
    /// was not calibrated.
    public var turn: [Double]?
    /// "head": the camera turns with the dock; "fixed": it does not.
    public var mount = "head"
    /// Where a fixed camera looks, in dock angles (radians), or nil for a camera on the head.
    public var direction: PanTilt?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<LensReading>] = [
        RecordRow("focal", .named("point"), get: { .point($0.focal) }) { $0.focal = $1.point ?? Point(x: 1, y: 1) },
        RecordRow("principal", .named("point"), get: { .point($0.principal) }) {
            $0.principal = $1.point ?? Point(x: 0.5, y: 0.5)
        },
        RecordRow("distortion", .orNull(numbers(5)), get: { .numbers($0.coefficients) }) {
            $0.coefficients = $1.array?.compactMap(\.number)
        },
        RecordRow("mountAngles", .orNull(numbers(3)), get: { .numbers($0.turn) }) {
            $0.turn = $1.array?.compactMap(\.number)
        },
        RecordRow("mount", .word(["head", "fixed"]), get: { .string($0.mount) }) { $0.mount = $1.string ?? "" },
        RecordRow("direction", .orNull(.named("panTilt")), get: { $0.direction.map(JSONValue.panTilt) ?? .null }) {
            $0.direction = $1.panTilt
        },
    ]

    private static func numbers(_ count: Int) -> Shape { .list(of: .anyNumber, count...count) }

    /// How the lens bends straight lines; not at all if that is unknown.
    public var distortion: LensDistortion {
        get {
            guard let coefficients, coefficients.count == 5 else { return .none }
            return LensDistortion(
                k1: coefficients[0], k2: coefficients[1], p1: coefficients[2], p2: coefficients[3], k3: coefficients[4])
        }
        set {
            coefficients = newValue == .none ? nil : [newValue.k1, newValue.k2, newValue.p1, newValue.p2, newValue.k3]
        }
    }

    /// How the camera is turned against the head; not at all if that is unknown.
    public var mountAngles: MountAngles {
        get {
            guard let turn, turn.count == 3 else { return .straight }
            return MountAngles(yaw: turn[0], pitch: turn[1], roll: turn[2])
        }
        set { turn = newValue == .straight ? nil : [newValue.yaw, newValue.pitch, newValue.roll] }
    }

    /// Returns where the camera looks, apart from its mount angles, in dock angles (radians), while the head is in a pose. The result is nil if that
    /// is unknown.
    public func direction(from head: PanTilt?) -> PanTilt? {
        switch mount {
        case "head": head
        case "fixed": direction
        default: nil
        }
    }
}

extension JSONValue {
    /// The numbers as an array, or null.
    fileprivate static func numbers(_ numbers: [Double]?) -> JSONValue {
        numbers.map { .array($0.map { .number($0) }) } ?? .null
    }
}
