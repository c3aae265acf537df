internal import DockControl
internal import Geometry

/// If no frame arrives for max(0.12 s, 2.5 periods), tracking must fade until the axes stand.
struct FrameWatch {
    private let usual: Seconds
    private let deceleration: PanTilt
    /// The period estimated from the arrivals. It starts with a guess, and a single frame has little weight.
    private var period: Seconds = 1.0 / 15
    private var lastArrival: Seconds?
    /// Number of consecutive frames that were on time.
    private var inTime = 0
    /// The first set-point in a silence.
    private var fading: (since: Seconds, velocity: PanTilt)?

    /// A turn, and the refresh before it, seconds.
    static let slack: Seconds = 0.04
    /// After this number of frames on time, earlier ones no longer count.
    static let steady = 12
    /// Slower counts as standing, rad/s.
    static let still = Double.degrees(3)

    init(frameRate: Double, profile: RigProfile) {
        usual = 1 / frameRate
        deceleration = PanTilt(pan: 0.6 * profile.pan.maxAcceleration, tilt: 0.6 * profile.tilt.maxAcceleration)
    }

    /// The loop received something from the detector.
    mutating func arrived(at time: Seconds) {
        let gap = time - (lastArrival ?? time)
        if gap > 0, gap < 0.5 { period += 0.1 * (gap - period) }
        inTime = gap < 1.5 * usual ? inTime + 1 : min(inTime, 0)
        lastArrival = time
        fading = nil
    }

    /// A program names the subject instead of the detector. Its rate is unknown.
    mutating func spoil() { inTime = 0 }

    /// The loop ignores frames with times from before a clock jump, and assumes a slower detector than the real one.
    mutating func clockJumped() { inTime = -2 * Self.steady }

    /// Takes a set-point of the tracking. Returns what is wrong, or nil.
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
