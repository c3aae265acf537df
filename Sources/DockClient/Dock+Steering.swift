internal import ControlProtocol
public import DockTypes
public import Geometry

/// A subject that a program has observed itself, for custom tracking.
public struct ObservedSubject: Sendable, Equatable {
    /// Its number, from 0. The same subject keeps it.
    public var id: Int
    /// Its rectangle, normalised.
    public var rect: Rect
    /// Whether it is an object. Otherwise it is a person.
    public var isObject = false
    /// The confidence, 0...1.
    public var score = 1.0
    /// What is known of the face.
    public var attributes = FaceAttributes()

    /// Creates an observation of a person with a rectangle.
    public init(id: Int, rect: Rect) { (self.id, self.rect) = (id, rect) }

    var json: JSONValue {
        var members: [String: JSONValue] = ["id": .number(id), "rect": .rect(rect), "score": .number(score)]
        if isObject { members["kind"] = .string("object") }
        for attribute in FaceAttribute.all {
            guard let value = attributes[attribute] else { continue }
            members[attribute.coding.name.description] = .number(value)
        }
        return .object(members)
    }
}

/// The camera of a program's own observations.
public struct ObservedCamera: Sendable, Equatable {
    /// The horizontal field of view, in radians, or nil for the profile's.
    public var horizontalFieldOfView: Double?
    /// The size of the picture in pixels; needed with `intrinsics`.
    public var size: (width: Double, height: Double)?
    /// Focal lengths and principal point in pixels, or nil if unknown.
    public var intrinsics: (fx: Double, fy: Double, cx: Double, cy: Double)?
    /// How far the picture must be turned clockwise to be upright, in degrees: 0, 90, 180 or 270.
    public var rotate = 0
    /// Whether the picture is mirrored.
    public var isMirrored = false

    /// Creates a camera as the profile describes it.
    public init() {}

    var json: JSONValue {
        var members: [String: JSONValue] = ["rotate": .number(rotate), "mirrored": .bool(isMirrored)]
        members["hfov"] = horizontalFieldOfView.map { .number($0) }
        if let size { (members["width"], members["height"]) = (.number(size.width), .number(size.height)) }
        if let intrinsics {
            (members["fx"], members["fy"]) = (.number(intrinsics.fx), .number(intrinsics.fy))
            (members["cx"], members["cy"]) = (.number(intrinsics.cx), .number(intrinsics.cy))
        }
        return .object(members)
    }

    /// Whether both are the same.
    public static func == (a: ObservedCamera, b: ObservedCamera) -> Bool { a.json == b.json }
}

/// What steers the head. All of these throw the daemon's error, `notConnected`, or `timeout`.
extension Dock {
    /// Selects the source that steers. Returns the mode.
    @discardableResult
    public func setTrackingMode(_ mode: TrackingMode) async throws(DockError) -> TrackingMode {
        try await word("setTrackingMode", ["mode": .string(mode.rawValue)], "mode")
    }

    /// Selects the mode `system`, or `manual`; a later `track` then selects `custom`. Returns the mode.
    @discardableResult
    public func setSystemTrackingEnabled(_ isEnabled: Bool) async throws(DockError) -> TrackingMode {
        try await word("setSystemTrackingEnabled", ["enabled": .bool(isEnabled)], "mode")
    }

    /// Selects where in the frame the face is placed. Returns the framing.
    @discardableResult
    public func setFramingMode(_ mode: FramingMode) async throws(DockError) -> FramingMode {
        try await word("setFramingMode", ["mode": .string(mode.rawValue)], "framing")
    }

    /// Sets the part of the frame that counts, normalised; nil is the whole frame. Returns it.
    @discardableResult
    public func setRegionOfInterest(_ region: Rect?) async throws(DockError) -> Rect {
        try await member("setRegionOfInterest", ["rect": region.map(JSONValue.rect) ?? .null], "region") { $0.rect }
    }

    /// Follows the subject at a point of the frame, normalised. Returns its number.
    @discardableResult
    public func selectSubject(at point: Point) async throws(DockError) -> Int {
        try await member("selectSubject", ["x": .number(point.x), "y": .number(point.y)], "id") { $0.integer }
    }

    /// Follows these subjects, at most 16; none selects automatically. Returns them.
    @discardableResult
    public func selectSubjects(_ ids: [Int]) async throws(DockError) -> [Int] {
        try await member("selectSubjects", ["ids": .array(ids.map { .number($0) })], "ids") {
            $0.array?.compactMap(\.integer)
        }
    }

    /// Looks in a direction while tracking sees no person, because another observer sees a person there.
    /// - Parameters:
    ///   - direction: from the dock, in radians.
    ///   - duration: seconds, at most 2. Repeat the call while the person is expected.
    public func expect(_ direction: PanTilt, for duration: Seconds = 1) async throws(DockError) {
        let parameters: [String: JSONValue] = [
            "pan": .number(direction.pan), "tilt": .number(direction.tilt), "for": .number(duration),
        ]
        _ = try await core.call("expect", parameters, timeout: 10, feature: "expect").result.get()
    }

    /// Selects the detector that steers, by its name in `status`. Returns the name.
    @discardableResult
    public func selectSource(_ name: String) async throws(DockError) -> String {
        try await member("selectSource", ["name": .string(name)], "source") { $0.string }
    }

    /// Steers by the caller's own observations, 5 to 60 times a second.
    /// - Parameters:
    ///   - observations: at most 100, each number once.
    ///   - camera: the camera, or nil for the profile's.
    ///   - exposure: when the picture was taken, CLOCK_MONOTONIC, or nil for now.
    /// - Returns: the calls per second, or nil if they are not known yet.
    @discardableResult
    public func track(
        _ observations: [ObservedSubject], camera: ObservedCamera? = nil, exposure: Seconds? = nil
    ) async throws(DockError) -> Double? {
        var parameters: [String: JSONValue] = ["observations": .array(observations.map(\.json))]
        parameters["camera"] = camera?.json
        parameters["t"] = exposure.map { .number($0) }
        return try await call("track", parameters)["rate"]?.number
    }
}
