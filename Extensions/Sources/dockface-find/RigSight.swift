import ControlProtocol
import DockTypes
import Geometry
import SpatialModel
import ThingFinder

/// What a search must know of the rig: its camera, its range, and where it stands.
struct RigSight: Sendable {
    let eye: FinderEye
    let range: PoseRange
    let pace: HeadPace
    /// The place of the dock in the world of the layers.
    let foot: RigidTransform
    /// Which pictures the lens is right for.
    private let camera: Int, zoom: Double

    /// The shape of a picture whose size the detector does not say.
    private static let usualShape = 4.0 / 3
    /// The pace of a rig that does not say its own, in rad/s, and how long it speeds up, in seconds.
    private static let usualSpeed = Double.degrees(60), start: Seconds = 0.2

    /// Reads one answer of a detector, and the daemon's status after it.
    /// - Throws: `notSupported` if the camera does not turn with the head; `notConnected` if there is no dock.
    init(_ status: StatusReading, _ answer: DetectionsReading) throws(DockError) {
        let cameras = status.rig?.cameras ?? []
        guard let known = cameras.indices.contains(answer.camera) ? cameras[answer.camera] : cameras.first else {
            throw DockError(.notSupported, "the daemon does not report its lens", hint: "update the daemon")
        }
        let shape = answer.size.map { $0.width / $0.height } ?? Self.usualShape
        guard (0.1...10).contains(shape) else {
            throw DockError(.protocolError, "a picture of this shape is not possible", hint: "correct the detector")
        }
        // A lens that came with a frame counts more than the profile's.
        let lens = status.tracking.lens ?? known.lens(ofShape: shape, zoom: answer.zoom)
        guard lens.mount == "head" else {
            throw DockError(
                .notSupported, "the camera does not turn with the head",
                hint: "see camera.mount in the profile; a simulated dock needs `--detector room:room-a`")
        }
        var picture = PictureLens(focal: lens.focal, principal: lens.principal)
        picture.distortion = lens.distortion
        eye = FinderEye(picture, mount: lens.mountAngles)
        (camera, zoom) = (answer.camera, answer.zoom)
        guard let limits = status.accessory.limits, let pan = Self.range(limits.pan), let tilt = Self.range(limits.tilt)
        else { throw DockError(.notConnected, "there is no dock", hint: "see `dockface status`") }
        range = PoseRange(pan: pan, tilt: tilt)
        let speeds = [limits.pan.speed, limits.tilt.speed].compactMap { $0 }.filter { $0.isFinite && $0 > 0 }
        let speed = speeds.min() ?? Self.usualSpeed
        pace = HeadPace(speed: speed, acceleration: speed / Self.start)
        foot = status.rig?.stand.map(Self.foot) ?? .identity
    }

    private static func range(_ limit: LimitReading) -> ClosedRange<Double>? {
        guard limit.low.isFinite, limit.high.isFinite, limit.low <= limit.high else { return nil }
        return limit.low...limit.high
    }

    private static func foot(_ stand: StandReading) -> RigidTransform {
        var head = HeadModel()
        if stand.place.count == 3 {
            (head.stand, head.heading) = (SIMD3(stand.place[0], stand.place[1], stand.place[2]), stand.heading)
        }
        return head.foot
    }

    /// Whether the lens is right for the picture of an answer.
    func fits(_ answer: DetectionsReading) -> Bool { answer.camera == camera && abs(answer.zoom - zoom) < 0.01 }
}
