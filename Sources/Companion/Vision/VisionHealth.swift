public import Camera
public import FaceTracker
internal import Processes

/// The health of camera and detectors, as `status` reports it.
public struct VisionHealth: Sendable, Equatable {
    /// The camera, or nil if there is none or the detectors have their own cameras.
    public var camera: CameraHealth?
    /// The sources of detections, in the order of the options.
    public var detectors: [DetectorHealth] = []
    /// The name of the source that steers.
    public var active = ""
    /// The number of other programs that see the camera's pictures.
    public var readers = 0

    /// Creates a state without camera and detectors.
    public init() {}

    /// A short description of the most important problem, or nil if there is none.
    var trouble: String? {
        if let camera, camera.state != .running, camera.state != .over {
            return "camera \(camera.state.rawValue)" + (camera.problem.map { ": \($0)" } ?? "")
        }
        guard let detector = detectors.first(where: { $0.name == active }), detector.state != .running,
            detector.state != .over
        else { return nil }
        return "detector \(detector.state.rawValue)" + (detector.problem.map { ": \($0)" } ?? "")
    }

    /// The state in words, for `status`.
    var words: String {
        var parts: [String] = []
        if let camera {
            var text = "camera \(camera.state.rawValue)"
            if let width = camera.width, let height = camera.height { text += " \(width)x\(height)" }
            if let rate = camera.framesPerSecond { text += " at \(Int(rate.rounded()))/s" }
            if camera.isEstimated == true { text += ", frame times are estimated" }
            if readers > 0 { text += ", \(readers) \(readers == 1 ? "program sees" : "programs see") its pictures" }
            if let problem = camera.problem, camera.state != .running { text += ": \(problem)" }
            parts.append(text)
        }
        for detector in detectors {
            let role = detectors.count == 1 ? "" : detector.name == active ? " (steers)" : " (on standby)"
            var text = "detector \(detector.detector ?? detector.name) \(detector.state.rawValue)\(role)"
            if let latency = detector.latency { text += ", \(Int((latency * 1000).rounded())) ms" }
            if detector.restarts > 0 { text += ", restarted \(detector.restarts) times" }
            if let problem = detector.problem, detector.state != .running { text += ": \(problem)" }
            parts.append(text)
        }
        return parts.joined(separator: ", ")
    }
}
