import ControlProtocol
import ExtensionKit
import Geometry
import PictureShare
import SpatialModel
import Synchronization
import Uplink

/// What a picture was seen with.
struct PictureView: Sendable {
    /// The lens.
    var lens: PictureLens
    /// The head, and the pose of its axes at the exposure.
    var head: HeadModel, pose: PanTilt
    /// The time of the exposure: CLOCK_MONOTONIC, and seconds since 1970.
    var exposure: Seconds, unix: Double

    /// Where the camera was.
    var camera: RigidTransform { head.camera(at: pose) }
}

/// What the uplink knows of the robot's head and cameras: from its own settings, from the daemon's profile, and from the
/// frames of a detector.
final class RigKnowledge: Sendable {
    private struct Known {
        var rig: RigReading?
        /// How much the rig's own lens magnifies; 1 if it cannot.
        var magnification = 1.0
        /// The lens of the last frame that a detector has answered, with the picture that it belongs to.
        var seen: (lens: LensReading, optics: FrameOptics?)?
    }

    private let known = Mutex(Known())
    /// What the settings say; nil if they leave it to the profile.
    private let own: HeadModel?

    /// Creates knowledge of the settings alone.
    init(_ settings: UplinkSettings) { own = settings.stand == .init() ? nil : settings.stand.model }

    /// Receives the rig of a daemon.
    func learn(_ status: StatusReading) {
        known.withLock { ($0.rig, $0.magnification) = (status.rig, status.camera?.magnification ?? 1) }
    }

    /// Why the view of a picture is unknown.
    func problem(of facts: PictureFacts) -> String {
        guard lens(of: facts, shape: 1) == nil else { return "where the head points is unknown" }
        return known.withLock { known in
            known.rig == nil
                ? "the daemon does not report its lens: update it, or run a detector"
                : "the lens is unknown while the camera is zoomed in, without a detector"
        }
    }

    /// Receives the lens of a frame. `optics`: those of the newest picture.
    func learn(_ lens: LensReading?, optics: FrameOptics?) {
        known.withLock { $0.seen = lens.map { ($0, optics) } }
    }

    /// Where the robot stands, and its head.
    var stand: RoomStand {
        let described = known.withLock { $0.rig?.stand }
        // The daemon draws with the geometry of the profile, wherever the settings put the robot.
        return RoomStand(own ?? described.map(HeadModel.init) ?? HeadModel(), isKnownToDock: described != nil)
    }

    /// Returns the lens of a picture, or nil if it is unknown. A lens that came with a frame counts more than the profile's,
    /// because tracking corrects it, but only for pictures of the same camera and magnification.
    /// - Parameter shape: the picture's width divided by its height.
    func lens(of facts: PictureFacts, shape: Double) -> LensReading? {
        known.withLock { known in
            if let seen = known.seen, seen.optics == facts.optics { return seen.lens }
            guard let cameras = known.rig?.cameras, let first = cameras.first else { return nil }
            // A magnification that is not that of a cut-out is the rig's own lens, whose focal length is unknown there.
            guard known.magnification == 1 || abs(known.magnification - facts.optics.zoom) < 0.01 else { return nil }
            let camera = cameras.indices.contains(facts.optics.camera) ? cameras[facts.optics.camera] : first
            return camera.lens(ofShape: shape, zoom: facts.optics.zoom)
        }
    }

    /// Returns what a picture was seen with, or nil if its lens or the pose of the head is unknown.
    /// - Parameter shape: the picture's width divided by its height.
    func view(of facts: PictureFacts, shape: Double) -> PictureView? {
        guard let reading = lens(of: facts, shape: shape), let pose = reading.direction(from: facts.pose?.pose) else {
            return nil
        }
        var lens = PictureLens(focal: reading.focal, principal: reading.principal), head = stand.head
        lens.distortion = reading.distortion
        head.mount = reading.mountAngles
        let unix = SystemTime.unix - (SystemTime.monotonic - facts.exposure)
        return PictureView(lens: lens, head: head, pose: pose, exposure: facts.exposure, unix: unix)
    }
}

extension HeadModel {
    /// Creates the head of a profile.
    init(_ reading: StandReading) {
        self.init()
        guard reading.place.count == 3, reading.axis.count == 2, reading.lens.count == 3 else { return }
        (stand, heading) = (Place(reading.place[0], reading.place[1], reading.place[2]), reading.heading)
        axis = (reading.axis[0], reading.axis[1])
        lens = (reading.lens[0], reading.lens[1], reading.lens[2])
    }
}
