public import ControlProtocol
public import DockControl
internal import Geometry

extension RigReading {
    /// Creates the reading of a profile's rig at a port. `cameraIsElsewhere`: its cameras do not turn with the dock.
    init(_ profile: RigProfile, port: String, cameraIsElsewhere: Bool = false) {
        self.init()
        (name, self.port) = (profile.name, port)
        let last = profile.otherCameras.keys.max() ?? 0
        cameras = (0...last).map { place in
            var camera = profile.camera(at: place)
            if cameraIsElsewhere { camera.mount = .fixed }
            return RigCameraReading(camera)
        }
        stand = profile.stand.map(StandReading.init)
    }
}

extension RigProfile {
    /// Returns whether the rig that a daemon reports can have this profile: the same name and the same cameras.
    public func describes(_ rig: RigReading) -> Bool {
        let own = RigReading(self, port: rig.port)
        guard own.name == rig.name, own.cameras.count == rig.cameras.count else { return false }
        return zip(own.cameras, rig.cameras).allSatisfy { mine, reported in
            // JSON has seven decimals.
            abs(mine.horizontalFieldOfView - reported.horizontalFieldOfView) < 1e-5
                && (mine.lens == nil) == (reported.lens == nil)
        }
    }
}

extension RigCameraReading {
    init(_ camera: RigProfile.Camera) {
        self.init()
        horizontalFieldOfView = camera.horizontalFieldOfView
        (mount, direction) = (camera.mount.rawValue, camera.mount == .head ? nil : camera.offset)
        (rotate, isMirrored) = (camera.rotate, camera.mirror)
        guard let calibrated = camera.lens else { return }
        aspect = calibrated.aspect
        lens = LensReading(CameraModel(camera: camera, aspect: calibrated.aspect))
    }
}

extension StandReading {
    init(_ stand: RigStand) {
        self.init()
        (place, heading) = ([stand.x, stand.y, stand.z], stand.heading)
        (axis, lens) = ([stand.axisUp, stand.axisAhead], [stand.lensRight, stand.lensUp, stand.lensAhead])
    }
}

extension LensReading {
    /// Creates the reading of a camera.
    init(_ camera: CameraModel) {
        self.init()
        (focal, principal) = (camera.focal, camera.principal)
        (distortion, mountAngles) = (camera.distortion, camera.mountAngles)
        (mount, direction) = (camera.mount.rawValue, camera.mount == .head ? nil : camera.offset)
    }
}
