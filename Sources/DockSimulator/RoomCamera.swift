public import DockControl
internal import ControlProtocol
internal import FaceTracker
public import Geometry

/// A camera on a simulated head in a recorded room, together with the detector that has seen the room: from each pose it
/// reports what was seen from the nearest recorded one, moved by the rest.
public struct RoomCamera: Sendable {
    /// The room.
    public let room: RecordedRoom
    /// The camera that has seen the room, and the one on the head.
    private let recorder: CameraModel, eye: CameraModel
    private var encoder = DetectionEncoder()
    /// The exposure of the next picture; nil before the first.
    private var exposure: Seconds?
    private var sequence = 0

    /// The time from one picture to the next, and the detector's time for one, in seconds: SSD MobileNet v2 on one core.
    static let period: Seconds = 0.1, latency: Seconds = 0.09
    /// A head that turns faster than this (radians per second) gives blurred pictures, and scores are lower by this
    /// factor then.
    static let blur = Double.degrees(20), fades = 0.5
    /// How long before the exposure the head's pose is compared with the one at the exposure, in seconds.
    private static let shutter: Seconds = 0.02
    /// A detector no longer names a thing of which less than this fraction is visible.
    static let visibleShare = 0.25
    /// Pictures that are this late, in seconds, are skipped.
    private static let patience: Seconds = 0.5

    /// A camera in a room, on the head of a rig. It sits on the head as the profile says, and has the lens that has seen
    /// the room.
    public init(_ room: RecordedRoom, profile: RigProfile) {
        self.room = room
        var straight = RigProfile.Camera()
        (straight.horizontalFieldOfView, straight.mount) = (room.fieldOfView, .head)
        recorder = CameraModel(camera: straight, aspect: room.size.aspect)
        var own = CameraModel(camera: profile.camera, aspect: room.size.aspect)
        (own.focal, own.principal, own.distortion) = (recorder.focal, recorder.principal, .none)
        eye = own
    }

    /// When the next picture has been processed, CLOCK_MONOTONIC; nil before `begin`.
    public var nextDelivery: Seconds? { exposure.map { $0 + Self.latency } }

    /// Writes the stream's first line. Pictures follow from `now` on.
    public mutating func begin(now: Seconds, into lines: inout [UInt8]) {
        exposure = now
        let width = room.size.width, height = room.size.height
        let hello: [String: JSONValue] = [
            "type": .string("hello"), "v": .number(1), "detector": .string("room"), "clock": .string("monotonic"),
            "mirrored": .bool(false), "rotate": .number(0), "fps": .number(1 / Self.period),
            "image": .object(["w": .number(width), "h": .number(height)]),
            "intrinsics": .object([
                "fx": .number(recorder.focal.x * width), "fy": .number(recorder.focal.y * height),
                "cx": .number(width / 2), "cy": .number(height / 2),
            ]),
        ]
        lines += JSONValue.object(hello).bytes + [0x0A]
    }

    /// Appends the line of the next picture. `looking` returns what the camera looked at, at a time.
    public mutating func deliver(now: Seconds, looking: (Seconds) -> HeadView, into lines: inout [UInt8]) {
        guard let exposure else { return }
        let view = looking(exposure), before = looking(exposure - Self.shutter)
        let seen = sightings(from: view, rate: (view.pose - before.pose).magnitude / Self.shutter)
        let faces = seen.faces.map { Detection(rect: $0.rect, score: $0.score) }
        let objects = seen.objects.map { one in
            let sides = [one.rect.x, one.rect.y, one.rect.width, one.rect.height]
            return JSONValue.object([
                "label": .string(one.label ?? ""), "rect": .array(sides.map { .number(Self.rounded($0)) }),
                "score": .number(Self.rounded(one.score)),
            ])
        }
        encoder.writeFrame(
            sequence: sequence, time: exposure, detections: faces,
            others: Array(#","objects":"#.utf8) + JSONValue.array(objects).bytes, to: &lines)
        sequence += 1
        self.exposure = max(exposure + Self.period, now - Self.patience)
    }

    /// A fraction of the picture without digits that no detector has.
    private static func rounded(_ value: Double) -> Double { (value * 1e5).rounded() / 1e5 }

    /// What the detector reports from a view, while the head turns at a rate (radians per second).
    public func sightings(from view: HeadView, rate: Double) -> RecordedRoom.View {
        let camera = eye.magnified(by: view.magnification)
        let (near, pose) = room.view(nearestTo: camera.world(of: camera.principal, from: view.pose))
        func moved(_ one: RecordedRoom.Sighting) -> RecordedRoom.Sighting? {
            var seen = one
            seen.score *= rate > Self.blur ? Self.fades : 1
            let bearing = recorder.world(of: one.rect.center, from: pose)
            guard seen.score >= room.lowestScore, let middle = camera.project(bearing, from: view.pose) else {
                return nil
            }
            let whole = Rect(
                center: middle, width: one.rect.width * view.magnification,
                height: one.rect.height * view.magnification)
            guard let visible = whole.intersection(.full), visible.area >= Self.visibleShare * whole.area else {
                return nil
            }
            seen.rect = visible
            return seen
        }
        return RecordedRoom.View(objects: near.objects.compactMap(moved), faces: near.faces.compactMap(moved))
    }
}
