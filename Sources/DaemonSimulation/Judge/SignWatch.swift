internal import Geometry

/// How long tracking may turn by the pictures of a camera that is mirrored, or stands beside the dock.
struct SignWatch {
    private let camera: WrongCamera?
    /// How long the axes have turned after faces since somebody began to track, seconds.
    private var turned: Seconds = 0
    private var faceAt: Seconds = -.infinity

    /// Slower is no run, rad/s.
    static let run = Double.degrees(5)
    /// What an axis may do before the picture has shown that it is right, rad/s.
    static let fastest = Double.degrees(30.1)
    /// Pictures with a face count as pursuit for so long, seconds.
    static let memory: Seconds = 0.3

    init(camera: WrongCamera?) { self.camera = camera }

    private func longest(_ camera: WrongCamera) -> Seconds { camera == .fixed ? 5 : 3 }

    mutating func pictured(faces: Int, at time: Seconds) { if faces > 0 { faceAt = time } }

    /// Somebody cleared it: everything is seen anew.
    mutating func cleared() { turned = 0 }

    /// So much time has passed with this set-point of tracking in force, rad/s; what is wrong, nil: nothing.
    mutating func passed(_ elapsed: Seconds, tracking velocity: PanTilt?, at time: Seconds) -> String? {
        guard let camera, let velocity, time - faceAt < Self.memory else { return nil }
        guard camera.axes.contains(where: { abs(velocity[$0]) > Self.run }) else { return nil }
        turned += elapsed
        guard turned > longest(camera) else { return nil }
        return "has turned after faces for \(Int(1000 * turned)) ms, and the camera is \(camera.rawValue)"
    }
}
