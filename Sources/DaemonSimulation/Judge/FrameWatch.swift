internal import DockControl
internal import Geometry

/// No frames for max(0.12 s, 2.5 periods): tracking fades to standing from then on.
struct FrameWatch {
    private let usual: Seconds
    private let deceleration: PanTilt
    /// What the arrivals so far say of the period; it begins with a guess, and no frame counts for much.
    private var period: Seconds = 1.0 / 15
    private var lastArrival: Seconds?
    /// Frames in a row that came in time.
    private var inTime = 0
    /// The first set-point in a silence that is one.
    private var fading: (since: Seconds, velocity: PanTilt)?

    /// A turn, and the refresh before it, seconds.
    static let slack: Seconds = 0.04
    /// So many in time, and what was before them is forgotten.
    static let steady = 12
    /// rad/s.
    static let still = Double.degrees(3)

    init(frameRate: Double, profile: RigProfile) {
        usual = 1 / frameRate
        deceleration = PanTilt(pan: 0.6 * profile.pan.maxAcceleration, tilt: 0.6 * profile.tilt.maxAcceleration)
    }

    /// The loop has something of the detector's.
    mutating func arrived(at time: Seconds) {
        let gap = time - (lastArrival ?? time)
        if gap > 0, gap < 0.5 { period += 0.1 * (gap - period) }
        inTime = gap < 1.5 * usual ? inTime + 1 : min(inTime, 0)
        lastArrival = time
        fading = nil
    }

    /// A program says where somebody is, in place of the detector: nobody knows how often it will.
    mutating func spoil() { inTime = 0 }

    /// The loop does not use what is from another time, and takes the detector for slower than it is.
    mutating func clockJumped() { inTime = -2 * Self.steady }

    /// A set-point of the tracking; what is wrong, nil: nothing.
    mutating func tracks(_ velocity: PanTilt, at time: Seconds) -> String? {
        guard inTime >= Self.steady, let lastArrival else { return nil }
        let silence = time - lastArrival
        guard silence > max(0.12, 2.5 * max(period, usual)) + Self.slack else { return nil }
        let (since, first) = fading ?? (time, velocity)
        fading = (since, first)
        for axis in Axis.allCases {
            let most = abs(first[axis]) - deceleration[axis] * (time - since)
            guard abs(velocity[axis]) > max(0, most) + Self.still else { continue }
            return "\(axis.rawValue) at \(Int(velocity[axis].inDegrees)) deg/s does not fade, "
                + "and the last frame is \(Int(1000 * silence)) ms old"
        }
        return nil
    }
}
