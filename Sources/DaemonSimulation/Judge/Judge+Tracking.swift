internal import Geometry

/// What the detector says, and what tracking makes of it.
extension Judge {
    func detected(at time: Seconds) {
        lastSightAt = time
        frames.arrived(at: time)
    }

    /// A picture is on its way to the loop, with so many faces in it; how far the head looks past the nearest, and how high
    /// above the horizon the lowest is, rad.
    func pictured(faces: Int, nearest: Double?, lowest: Double?, at time: Seconds) {
        pole.pictured(faces: faces, lowest: lowest, at: time)
        lost.pictured(faces: faces, at: time)
        signs.pictured(faces: faces, at: time)
        endings.pictured(faces: faces, nearest: nearest, pose: pose, at: time)
    }

    func checkTracking(_ velocity: PanTilt, _ time: Seconds) {
        let before = moving ?? .zero
        // Where an encoder lies, nobody can tell which way home is.
        let told = PanTilt(pan: lying[.pan] == nil ? velocity.pan : 0, tilt: lying[.tilt] == nil ? velocity.tilt : 0)
        if let text = lost.tracks(told, after: before, from: pose, at: time) { fail(.lostSlowsDown, time, text) }
        if let text = frames.tracks(velocity, at: time) { fail(.staleDetector, time, text) }
        if let text = proof.tracks(velocity, after: before) { fail(.unprovenIsSlow, time, text) }
        if let text = pole.tracks(velocity, after: before, at: time) { fail(.poleIsFrozen, time, text) }
    }
}
