internal import Geometry

/// Within 8 degrees of pan's own axis a picture says nothing about pan: whoever is there does not turn it.
struct PoleWatch {
    /// Since when everybody who is there has been near the axis, and in the pictures.
    private var since: Seconds?
    private var missed = 0
    private var isSpoilt = false

    /// Elevation of the lowest, rad: two degrees nearer than promised, for what noise and prediction make of it.
    static let least = Double.degrees(84)
    /// Until the estimate is there as well, seconds.
    static let patience: Seconds = 0.7
    /// rad/s.
    static let still = Double.degrees(3)

    /// A picture is on its way, with so many faces.
    mutating func pictured(faces: Int, lowest: Double?, at time: Seconds) {
        missed = faces > 0 ? 0 : missed + 1
        guard let lowest, lowest > Self.least, missed < 3 else {
            since = nil
            return
        }
        since = since ?? time
    }

    /// What the pictures tell belongs to another moment, or the poses do; or a program says where somebody is.
    mutating func spoil() { isSpoilt = true }

    /// The dock is greeted anew: until then nobody was followed, and nobody is known.
    mutating func greeted() { since = nil }

    /// A set-point of the tracking, and the one before; what is wrong, nil: nothing.
    func tracks(_ velocity: PanTilt, after before: PanTilt, at time: Seconds) -> String? {
        guard !isSpoilt, let since, time - since > Self.patience else { return nil }
        guard abs(velocity.pan) > Self.still, abs(velocity.pan) > abs(before.pan) else { return nil }
        return "pan at \(Int(velocity.pan.inDegrees)) deg/s, after whoever stands above the head"
    }
}
