public import DockControl
internal import Geometry

extension RigProfile {
    /// Returns this profile with the calibrated lens of a camera, whose place is counted from 0.
    public func with(_ lens: CalibratedLens, camera place: Int) -> RigProfile {
        var profile = self, camera = profile.camera(at: place)
        camera.lens = lens
        camera.horizontalFieldOfView = .degrees((lens.horizontalFieldOfView.inDegrees * 10).rounded() / 10)
        if place == 0 { profile.camera = camera } else { profile.otherCameras[place] = camera }
        return profile
    }
}
