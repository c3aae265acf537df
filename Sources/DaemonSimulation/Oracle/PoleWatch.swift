internal import Geometry

/// Within 8 degrees of the pan axis a frame does not determine a pan angle, so a face there must not turn pan.
struct PoleWatch {
    /// Since when every face in the frames has been near the axis.
    private var since: Seconds?
    private var missed = 0
    private var isSpoilt = false

    /// Elevation of the lowest face, rad. It is two degrees nearer than documented, because of noise and prediction.
    static let least = Double.degrees(84)
    /// Time until the estimate has arrived there too, seconds.
    static let patience: Seconds = 0.7
    /// Slower counts as standing, rad/s.
    static let still = Double.degrees(3)

    /// A frame with this number of faces is on its way.
    mutating func pictured(faces: Int, lowest: Double?, at time: Seconds) {
        missed = faces > 0 ? 0 : missed + 1
        guard let lowest, lowest > Self.least, missed < 3 else {
            since = nil
            return
        }
        since = since ?? time
    }

    /// The frames or the poses belong to another moment, or a program names the subject.
    mutating func spoil() { isSpoilt = true }

    /// A new handshake: until now no person was followed, and none is known.
    mutating func greeted() { since = nil }

    /// Takes a set-point of the tracking, and the one before. Returns what is wrong, or nil.
    func tracks(_ velocity: PanTilt, after before: PanTilt, at time: Seconds) -> String? {
        guard !isSpoilt, let since, time - since > Self.patience else { return nil }
        guard abs(velocity.pan) > Self.still, abs(velocity.pan) > abs(before.pan) else { return nil }
        return "pan at \(Int(velocity.pan.inDegrees)) deg/s, and the followed person is above the head"
    }
}
