/// What a running daemon says of its detector.
public struct DetectorOfDaemon: Sendable, Equatable {
    /// Where detections come from, as it was started: "stdin", "none"; nil: it does not say.
    public var source: String?
    /// Frames that came so far.
    public var frames: Int

    /// Both.
    public init(source: String?, frames: Int) {
        self.source = source
        self.frames = frames
    }
}

/// Where faces come from: the detector's stream, and the cameras that a detector could use.
extension Doctor {
    /// What a daemon takes, and what is set up.
    func detector(_ daemon: DetectorOfDaemon?) -> Finding {
        let takes =
            "a run takes faces as JSON lines on its standard input, or from a recording; it starts no detector itself"
        let how = """
            DETECTOR | dockface run --detector stdin, a line a frame, such as {"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}; \
            recorded: --detector file:PATH
            """
        guard let daemon else {
            return Finding(
                "detector", .note, "no daemon answers at the usual socket, so none is connected; " + takes, hint: how)
        }
        guard let source = daemon.source, source != "none" else {
            return Finding(
                "detector", .note,
                "the running daemon has none (--detector none, or started by hand on a terminal); " + takes,
                hint: how)
        }
        return daemon.frames > 0
            ? Finding("detector", .ok, "the running daemon takes faces from \(source): \(daemon.frames) frames so far")
            : Finding(
                "detector", .warning, "the running daemon waits for faces from \(source), and no frame has come",
                hint: "does the detector run, and does it write a line for each picture? " + how)
    }

    /// Cameras: whether a detector of this user could open them, and who has them.
    func cameras() -> [Finding] {
        let devices = system.names("/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
        guard !devices.isEmpty else {
            return [
                Finding(
                    "camera", .note, "no camera is there (/dev/video*)",
                    hint: "plug one in, or pipe a detector in: detector | dockface run --detector stdin")
            ]
        }
        var findings: [Finding] = []
        let closed = devices.filter { !system.isWritable($0) }
        if let first = closed.first {
            let group = system.group(of: first) ?? "video"
            findings.append(
                Finding(
                    "camera", .warning,
                    "you may not open \(closed.joined(separator: ", ")): for its owner and the group \(group) only",
                    hint: "sudo usermod -aG \(group) $USER, then log out and in again"))
        }
        for device in devices {
            for holder in system.holders(of: device) {
                findings.append(
                    Finding(
                        "camera", .note, "\(device) is open in \(holder.name) (process \(holder.id))",
                        hint: "a camera gives its pictures to one program: if that is not your detector, end it"))
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
