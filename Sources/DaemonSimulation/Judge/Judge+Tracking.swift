internal import Geometry

/// Detections, and the tracking that follows from them.
extension Judge {
    func detected(at time: Seconds) {
        lastSightAt = time
        frames.arrived(at: time)
    }

    /// A frame with this number of faces is on its way to the loop. `nearest` is the angle between the view and the
    /// nearest face, `lowest` the elevation of the lowest face, rad.
    func pictured(faces: Int, nearest: Double?, lowest: Double?, at time: Seconds) {
        pole.pictured(faces: faces, lowest: lowest, at: time)
        lost.pictured(faces: faces, at: time)
        signs.pictured(faces: faces, at: time)
        endings.pictured(faces: faces, nearest: nearest, pose: pose, at: time)
    }

    func checkTracking(_ velocity: PanTilt, _ time: Seconds) {
        let before = moving ?? .zero
        // If an encoder is wrong, the direction home is unknown.
        let told = PanTilt(pan: lying[.pan] == nil ? velocity.pan : 0, tilt: lying[.tilt] == nil ? velocity.tilt : 0)
        if let text = lost.tracks(told, after: before, from: pose, at: time) { fail(.lostSlowsDown, time, text) }
        if let text = frames.tracks(velocity, at: time) { fail(.staleDetector, time, text) }
        if let text = proof.tracks(velocity, after: before) { fail(.unprovenIsSlow, time, text) }
        if let text = pole.tracks(velocity, after: before, at: time) { fail(.poleIsFrozen, time, text) }
    }
}
