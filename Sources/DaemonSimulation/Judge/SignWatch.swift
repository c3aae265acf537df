internal import DockControl
internal import Geometry

/// How long tracking may turn by the pictures of a camera that is mirrored, or stands beside the dock, where somebody stands
/// still before it, alone.
struct SignWatch {
    private let camera: WrongCamera?
    /// Since when somebody stands there; nil: nothing is asked yet.
    private var since: Seconds?
    /// How long the axes have turned after the face, seconds.
    private var turned: Seconds = 0
    private var faceAt: Seconds = -.infinity
    /// Where the axes were when somebody came, rad.
    private var start: PanTilt?
    /// The pictures are too bad to tell: then it need not be noticed.
    private let isRough: Bool

    /// Slower is no run, rad/s.
    static let run = Double.degrees(5)
    /// What an axis may do before the picture has shown that it is right, rad/s.
    static let fastest = Double.degrees(60.1)
    /// What was under way when somebody came has ended by then, seconds.
    static let ramp: Seconds = 1
    /// Pictures with a face count as pursuit for so long, seconds.
    static let memory: Seconds = 0.3
    /// Mostly it is noticed within 5 s (docs/SAFETY.md); that is a matter of chance, and this is the end of chance, seconds.
    static let longest: Seconds = 9

    /// By pictures that say nothing a wrong axis gets no farther than this, rad.
    static let farthest = Double.degrees(45)

    init(camera: WrongCamera?, isRough: Bool) { (self.camera, self.isRough) = (camera, isRough) }

    /// Somebody stands still before it, alone, and what was learnt before is forgotten: from now on there is no doubt.
    mutating func stands(at time: Seconds) { (since, turned, start) = (time, 0, nil) }

    mutating func pictured(faces: Int, at time: Seconds) { if faces > 0 { faceAt = time } }

    /// Tracking wants a velocity, rad/s; what is wrong, nil: nothing.
    func tracks(_ velocity: PanTilt, at time: Seconds) -> String? {
        guard let camera, let since, time > since + Self.ramp,
            let axis = camera.axes.first(where: { abs(velocity[$0]) > Self.fastest })
        else { return nil }
        return "\(axis.rawValue) at \(velocity[axis].inDegrees) deg/s, and the camera is \(camera.rawValue)"
    }

    /// So much time has passed with this set-point of tracking in force (rad/s), and the axes are there (rad); what is wrong, nil:
    /// nothing.
    mutating func passed(_ elapsed: Seconds, tracking velocity: PanTilt?, pose: PanTilt, at time: Seconds) -> String? {
        guard let camera, since != nil, let velocity, time - faceAt < Self.memory else { return nil }
        let begin = start ?? pose
        start = begin
        if let axis = camera.axes.first(where: { abs(pose[$0] - begin[$0]) > Self.farthest }) {
            return
                "\(axis.rawValue) has got \((pose[axis] - begin[axis]).inDegrees) deg away, and the camera is \(camera.rawValue)"
        }
        guard !isRough else { return nil }
        guard camera.axes.contains(where: { abs(velocity[$0]) > Self.run }) else { return nil }
        turned += elapsed
        guard turned > Self.longest else { return nil }
        return "has turned after a face for \(Int(1000 * turned)) ms, and the camera is \(camera.rawValue)"
    }
}
