internal import Geometry

/// Detections, and the tracking that follows from them.
extension SafetyOracle {
    func detected(at time: Seconds) {
        requests.lastSightAt = time
        onSession.frames.arrived(at: time)
    }

    /// A frame with this number of faces is on its way to the loop. `nearest` is the angle between the view and the
    /// nearest face, `lowest` the elevation of the lowest face, rad.
    func pictured(faces: Int, nearest: Double?, lowest: Double?, at time: Seconds) {
        onAxes.pole.pictured(faces: faces, lowest: lowest, at: time)
        onSession.lost.pictured(faces: faces, at: time)
        onAxes.signs.pictured(faces: faces, at: time)
        onSession.endings.pictured(faces: faces, nearest: nearest, pose: axes.pose, at: time)
    }

    func checkTracking(_ velocity: PanTilt, _ time: Seconds) {
        let before = wire.moving ?? .zero
        // If an encoder is wrong, the direction home is unknown.
        let judged = PanTilt(
            pan: axes.lying[.pan] == nil ? velocity.pan : 0, tilt: axes.lying[.tilt] == nil ? velocity.tilt : 0)
        if let text = onSession.lost.tracks(judged, after: before, from: axes.pose, at: time) {
            fail(.lostSlowsDown, time, text)
        }
        if let text = onSession.frames.tracks(velocity, at: time) { fail(.staleDetector, time, text) }
        if let text = onAxes.proof.tracks(velocity, after: before) { fail(.unprovenIsSlow, time, text) }
        if let text = onAxes.pole.tracks(velocity, after: before, at: time) { fail(.noPanForOverheadFace, time, text) }
    }
}
