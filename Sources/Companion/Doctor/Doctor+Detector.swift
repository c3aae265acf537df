public import ControlProtocol

/// A running daemon's report on its detector.
public struct DetectorOfDaemon: Sendable, Equatable {
    /// The source of the detections as the daemon reports it, such as "stdin" or "none"; nil if the answer names none.
    public var source: String?
    /// Number of frames so far.
    public var frames: Int
    /// Why no frames arrive now, as a clause; nil: they arrive, or none has arrived yet.
    public var problem: String?

    /// All values.
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
    }
}

/// The sources of faces: the detector's stream, and the cameras that a detector could use.
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

    /// Examines whether a detector of this user can open the cameras, and which programs use them.
    func cameras() -> [Finding] {
        let devices = system.names("/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
        guard !devices.isEmpty else {
            return [
                Finding(
                    "camera", .note, "no camera found (/dev/video*)",
                    hint: "plug one in, or pipe in a detector: detector | dockface run --detector stdin")
            ]
        }
        var findings: [Finding] = []
        let closed = devices.filter { !system.isWritable($0) }
        if let first = closed.first {
            findings.append(
                Finding(
                    "camera", .warning,
                    "no permission to open \(closed.joined(separator: ", "))",
                    hint: system.deviceAccess(to: first)?.remedy))
        }
        for device in devices {
            for holder in system.holders(of: device) {
                findings.append(
                    Finding(
                        "camera", .note, "\(device) is open in \(holder.name) (process \(holder.id))",
                        hint: "only one program can use a camera: if it is not your detector, end it"))
            }
        }
        guard findings.isEmpty else { return findings }
        return [
            Finding(
                "camera", .ok,
                "\(devices.count) camera device\(devices.count == 1 ? "" : "s"): \(devices.joined(separator: ", "))")
        ]
    }
}
