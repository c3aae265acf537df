internal import DockControl
internal import Geometry

/// Limits how long tracking may follow the frames of a mirrored camera, or of one beside the dock, while one person
/// stands still in front of it.
struct SignWatch {
    private let camera: WrongCamera?
    /// Since when the person stands still, seconds; nil: nothing is required yet.
    private var since: Seconds?
    /// How long the axes have turned after the face, seconds.
    private var turned: Seconds = 0
    private var faceAt: Seconds = -.infinity
    /// The pose when the person came, rad.
    private var start: PanTilt?
    /// How far the axes have turned since then without a pursuit, for example on the way home, rad.
    private var carried = PanTilt.zero
    private var lastPose = PanTilt.zero
    /// When the axes last pursued the face, seconds.
    private var pursuedAt: Seconds = -.infinity
    /// The pose at that time, rad, and whether something else has turned the axes since then.
    private var pursuedPose = PanTilt.zero
    private var isCarrying = false
    /// The frames are too bad to tell, so the fault need not be noticed.
    private let isRough: Bool

    /// Slower does not count as turning, rad/s.
    static let run = Double.degrees(5)
    /// Highest speed of an axis before the frames have shown that its sign is right, rad/s.
    static let fastest = Double.degrees(60.1)
    /// By then, motion from before the person came has ended, seconds.
    static let ramp: Seconds = 1
    /// Time after which the motion of a pursuit has ended, seconds.
    static let coasting: Seconds = 0.5
    /// Time for which a frame with a face counts as pursuit, seconds.
    static let pursuitTime: Seconds = 0.3
    /// The fault is mostly noticed within 5 s (docs/SAFETY.md). As chance is involved, this is the upper bound,
    /// seconds.
    static let longest: Seconds = 9

    /// The motion without a pursuit after which the range of an unproven axis begins again, rad (docs/SAFETY.md).
    static let restart = Double.degrees(12)

    /// Farthest motion of a wrong axis with frames that show nothing, rad.
    static let farthest = Double.degrees(45)

    init(camera: WrongCamera?, isRough: Bool) { (self.camera, self.isRough) = (camera, isRough) }

    /// One person stands still in front of the camera, and earlier proofs are void. From now on the fault can be seen.
    mutating func stands(at time: Seconds) { (since, turned, start, carried) = (time, 0, nil, .zero) }

    mutating func pictured(faces: Int, at time: Seconds) { if faces > 0 { faceAt = time } }

    /// Takes a velocity of the tracking, rad/s. Returns what is wrong, or nil.
    func tracks(_ velocity: PanTilt, at time: Seconds) -> String? {
        guard let camera, let since, time > since + Self.ramp,
            let axis = camera.axes.first(where: { abs(velocity[$0]) > Self.fastest })
        else { return nil }
        return "\(axis.rawValue) at \(velocity[axis].inDegrees) deg/s, and the camera is \(camera.rawValue)"
    }

    /// Advances the time with this set-point of the tracking in force (rad/s) at this pose (rad). Returns what is
    /// wrong, or nil.
    mutating func passed(_ elapsed: Seconds, tracking velocity: PanTilt?, pose: PanTilt, at time: Seconds) -> String? {
        defer { lastPose = pose }
        guard let camera, since != nil, let velocity, time - faceAt < Self.pursuitTime else {
            if time - pursuedAt > Self.coasting, start != nil { carried = carried + (pose - lastPose) }
            isCarrying = true
            return nil
        }
        if isCarrying { restartRange(at: pose) }
        (pursuedAt, pursuedPose) = (time, pose)
        let begin = start ?? pose
        start = begin
        let away = pose - begin
        if let axis = camera.axes.first(where: { min(abs(away[$0]), abs(away[$0] - carried[$0])) > Self.farthest }) {
            return "\(axis.rawValue) has moved \(away[axis].inDegrees) deg away, and the camera is \(camera.rawValue)"
        }
        guard !isRough else { return nil }
        guard camera.axes.contains(where: { abs(velocity[$0]) > Self.run }) else { return nil }
        turned += elapsed
        guard turned > Self.longest else { return nil }
        return "has turned after a face for \(Int(1000 * turned)) ms, and the camera is \(camera.rawValue)"
    }

    /// The range of an axis begins again where something else than a pursuit has turned it far.
    private mutating func restartRange(at pose: PanTilt) {
        isCarrying = false
        for axis in Axis.allCases where abs(pose[axis] - pursuedPose[axis]) > Self.restart {
            start?[axis] = pose[axis]
            carried[axis] = 0
        }
    }
}
