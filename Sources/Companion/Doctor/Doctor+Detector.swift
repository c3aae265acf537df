public import ControlProtocol

/// A running daemon's report on its detector.
public struct DetectorOfDaemon: Sendable, Equatable {
    /// The source of the detections as the daemon reports it, such as "stdin" or "none", or nil if the answer names
    /// none.
    public var source: String?
    /// The number of frames so far.
    public var frames: Int
    /// The reason why no frames arrive now, as a clause. It is nil if they arrive or none has arrived yet.
    public var problem: String?
    /// The reason why the daemon's camera delivers no pictures, as a clause. It is nil if it delivers them, or if the
    /// daemon has no camera.
    public var cameraProblem: String?

    /// Creates a report from its values.
    public init(source: String?, frames: Int, problem: String? = nil) {
        self.source = source
        self.frames = frames
        self.problem = problem
    }

    /// Reads the detector of a daemon's answer to `status`.
    public init(status: JSONValue) {
        let detector = status["detector"], steers = detector?["sources"]?.array?.first { $0["active"]?.bool == true }
        self.init(source: detector?["source"]?.string, frames: detector?["frames"]?.integer ?? 0)
        if let state = steers?["state"]?.string, state != "running" {
            problem = state + (steers?["problem"]?.string.map { ", \($0)" } ?? "")
        } else if frames > 0, detector?["rate"]?.number == nil {
            problem = "no frame for a while"
        }
        let camera = detector?["camera"]
        if let state = camera?["state"]?.string, state != "running", state != "over" {
            cameraProblem = state + (camera?["problem"]?.string.map { ", \($0)" } ?? "")
        }
    }
}

/// The detector's stream.
extension Doctor {
    /// Examines the daemon's detector.
    func detector(_ daemon: DetectorOfDaemon?) -> Finding {
        let takes =
            "dockface run finds faces itself with --camera /dev/video0, starts your detector with --detector exec:COMMAND, or reads faces as JSON lines from standard input or a recording"
        let how = """
            DETECTOR | dockface run --detector stdin, one line per frame, such as {"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}; \
            recorded: --detector file:PATH
            """
        guard let daemon else {
            return Finding(
                "detector", .note, "no daemon answers at the default socket, so no detector is connected; " + takes,
                hint: how)
        }
        guard let source = daemon.source, source != "none" else {
            return Finding(
                "detector", .note,
                "the running daemon reports no detector (--detector none, or started by hand on a terminal); " + takes,
                hint: how)
        }
        // A detector without pictures is silent, too.
        if let problem = daemon.cameraProblem {
            return Finding(
                "detector", .warning, "the running daemon receives no pictures from its camera: \(problem)",
                hint: "make sure that the camera is connected, and that what it waits for is there; the log says more")
        }
        if let problem = daemon.problem {
            return Finding(
                "detector", .warning, "the running daemon receives no faces from \(source): \(problem)",
                hint: "read its output in the log, and run it by hand: dockface detect --detector \"exec:COMMAND\"")
        }
        return daemon.frames > 0
            ? Finding(
                "detector", .ok, "the running daemon receives faces from \(source): \(daemon.frames) frames so far")
            : Finding(
                "detector", .warning, "the running daemon waits for faces from \(source), but no frame has arrived",
                hint: "check that the detector runs and writes one line per frame: " + how)
    }
}
