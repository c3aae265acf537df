public import Geometry
internal import Glibc

/// A camera of the rig as its profile describes it.
public struct RigCameraReading: Record, Equatable {
    /// The horizontal field of view, in radians, as a lens without distortion would have it.
    public var horizontalFieldOfView = 1.0
    /// "head": the camera turns with the dock; "fixed": it does not.
    public var mount = "head"
    /// Where a fixed camera looks, in dock angles (radians), or nil for a camera on the head.
    public var direction: PanTilt?
    /// The lens without magnification, or nil if the camera was not calibrated.
    public var lens: LensReading?
    /// The shape of the pictures that the lens was calibrated with: width divided by height. Nil if it was not.
    public var aspect: Double?
    /// Degrees (0, 90, 180, 270) by which the camera's pictures are turned clockwise to be upright, or nil if the daemon is
    /// older. Its frames and rectangles are upright already.
    public var rotate: Int?
    /// Whether the camera's pictures are mirrored, which is undone before they are turned, or nil if the daemon is older.
    public var isMirrored: Bool?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<RigCameraReading>] = [
        RecordRow("hfov", .positive(upTo: .pi), get: { .number($0.horizontalFieldOfView) }) {
            $0.horizontalFieldOfView = $1.number ?? 1
        },
        RecordRow("mount", .word(["head", "fixed"]), get: { .string($0.mount) }) { $0.mount = $1.string ?? "" },
        RecordRow("direction", .orNull(.named("panTilt")), get: { $0.direction.map(JSONValue.panTilt) ?? .null }) {
            $0.direction = $1.panTilt
        },
        RecordRow("lens", .orNull(.named("lens")), get: { $0.lens?.json ?? .null }) { $0.lens = LensReading(json: $1) },
        RecordRow("aspect", .orNull(.positive(upTo: 100)), get: { .number(orNull: $0.aspect) }) {
            $0.aspect = $1.number
        },
        RecordRow(
            "rotate", .orNull(.multiple(of: 90, 0...270)), get: { $0.rotate.map { .number($0) } ?? .null }
        ) { $0.rotate = $1.integer },
        RecordRow("mirrored", .orNull(.flag), get: { $0.isMirrored.map { .bool($0) } ?? .null }) {
            $0.isMirrored = $1.bool
        },
    ]

    /// How much two pictures may differ in width divided by height and still be scaled copies of each other.
    private static let sameShape = 0.01

    /// Returns the lens of pictures.
    /// - Parameters:
    ///   - shape: their width divided by their height.
    ///   - zoom: how much their middle is magnified, 1 = not at all.
    public func lens(ofShape shape: Double, zoom: Double) -> LensReading {
        var reading = LensReading()
        (reading.mount, reading.direction, reading.turn) = (mount, direction, lens?.turn)
        if let lens, let aspect, abs(aspect / shape - 1) < Self.sameShape {
            (reading.focal, reading.principal) = (lens.focal, lens.principal)
            reading.coefficients = lens.coefficients
        } else {
            let x = 0.5 / tan(horizontalFieldOfView / 2)
            reading.focal = Point(x: x, y: x * shape)
        }
        reading.focal = Point(x: reading.focal.x * zoom, y: reading.focal.y * zoom)
        reading.principal = Point(
            x: 0.5 + (reading.principal.x - 0.5) * zoom, y: 0.5 + (reading.principal.y - 0.5) * zoom)
        return reading
    }
}

/// Where the rig is in the room, and the geometry of its head.
public struct StandReading: Record, Equatable {
    /// The place of the pan axis in the room, in metres: x to the right, y up, z backward.
    public var place: [Double] = [0, 0, 0]
    /// The direction of pan 0 from the room's -z, in radians; positive to the right.
    public var heading = 0.0
    /// The tilt axis from the pan axis, in metres: up, ahead.
    public var axis: [Double] = [0, 0]
    /// The lens from the tilt axis, in metres: to the right, up, ahead.
    public var lens: [Double] = [0, 0, 0]

    /// Creates a reading in which everything is at the origin.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<StandReading>] = [
        RecordRow("place", numbers(3), get: { .array($0.place.map { .number($0) }) }) { $0.place = read($1) },
        RecordRow("heading", .anyNumber, get: { .number($0.heading) }) { $0.heading = $1.number ?? 0 },
        RecordRow("axis", numbers(2), get: { .array($0.axis.map { .number($0) }) }) { $0.axis = read($1) },
        RecordRow("lens", numbers(3), get: { .array($0.lens.map { .number($0) }) }) { $0.lens = read($1) },
    ]

    private static func numbers(_ count: Int) -> Shape { .list(of: .anyNumber, count...count) }

    private static func read(_ value: JSONValue) -> [Double] { value.array?.compactMap(\.number) ?? [] }
}

/// The rig that the daemon drives.
public struct RigReading: Record, Equatable {
    /// The name of its model: the title of its profile.
    public var name = ""
    /// Its port, as the user named it.
    public var port = ""
    /// The name or path of its profile, or nil if none was named.
    public var profile: String?
    /// Its cameras, in the order of the profile. There is always a first one.
    public var cameras: [RigCameraReading] = []
    /// Where it is in the room, or nil if its profile does not say.
    public var stand: StandReading?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<RigReading>] = [
        RecordRow("name", .anyText, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("port", .anyText, get: { .string($0.port) }) { $0.port = $1.string ?? "" },
        RecordRow("profile", .orNull(.anyText), get: { .string(orNull: $0.profile) }) { $0.profile = $1.string },
        RecordRow("cameras", .list(of: .named("rigCamera"), 0...16), get: { .array($0.cameras.map(\.json)) }) {
            $0.cameras = ($1.array ?? []).compactMap(RigCameraReading.init(json:))
        },
        RecordRow("stand", .orNull(.named("stand")), get: { $0.stand?.json ?? .null }) {
            $0.stand = StandReading(json: $1)
        },
    ]
}
