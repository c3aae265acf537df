import ArgumentParser
import Companion
import DockControl
import DockTypes
import FaceTracker
import Geometry

/// The rigs of a run, and how it finds them.
struct RigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Port of the dock, name of an adopted rig, sim for a simulated one, or none for the face alone. Default: the adopted rig that is plugged in. tcp: is neither authenticated nor encrypted: use a separate cable or an SSH tunnel.",
            valueName: "rig|path|usb:SERIAL|place:PLACE|tcp:HOST:PORT|sim|none"), completion: Completions.rigs)
    var port: String?

    @Option(
        help: "Rig profile: a path or a name (see: dockface profiles). Default: the adopted rig's profile.",
        completion: Completions.profiles)
    var profile: String?

    @Flag(inversion: .prefixedNo, help: "Start even if the dock is not present yet, and wait for it.")
    var wait = false

    @Option(
        help: "How to detect plugged-in docks: udev, kernel or poll. Default: udev if it runs, else kernel."
    )
    var hotplug: PortMonitor.Source?

    @Option(
        help: ArgumentHelp(
            "Another rig for this daemon, without a face: an adopted rig's name, or PORT=PROFILE (sim=PROFILE is a simulated one). Repeatable.",
            valueName: "rig|port=profile"))
    var also: [String] = []
}

/// The camera and the detectors of a run.
struct DetectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Camera for face detection: a device (see: dockface cameras), a video file, an address, a program that writes video, or a test pattern.",
            valueName: "/dev/video0|file:PATH[,loop=again]|rtsp://...|phone:PORT|exec:COMMAND|test"),
        completion: Completions.cameras)
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Another camera, which the word `flip` and the dock's flip button select. Repeatable. The profile describes it as [camera2] and so on.",
            valueName: "camera"), completion: Completions.cameras)
    var otherCamera: [String] = []

    @Option(help: ArgumentHelp("Size of a camera device's pictures in pixels.", valueName: "640x480"))
    var cameraSize: String?

    @Option(
        help: ArgumentHelp(
            "Source of the detections: blazeface (with --camera, the default), blazeface-short, blazepose (also skeletons), hands (also hands), things (names things, finds no faces), yunet, exec:COMMAND, unix:PATH, stdin, none, scene:PATH[,hfov=DEG][,loop=once|again|pingpong] (simulated camera; scene:visit and scene:two-people need no file), room:NAME (things all round, as a real detector saw them, for a simulated dock; room:room-a), or file:PATH[,loop=...][,speed=X]. Repeatable: the first source steers; the word `source NAME` switches to another one.",
            valueName: "source"), completion: Completions.detectors)
    var detector: [String] = []

    @Option(help: "Highest frame rate for a detector, frames per second.")
    var detectorFps = 10.0

    @Option(
        help: ArgumentHelp(
            "Minimum scores to accept a new face and to keep a known one (0 to 1; our detectors: 0.7,0.5).",
            valueName: "acquire,hold"))
    var detectorScores: String?

    @Flag(
        help:
            "Allow a recording (--detector file:, --camera file:) although the camera turns with the dock and a recording does not."
    )
    var openLoop = false

    mutating func validate() throws {
        if !(detectorFps > 0 && detectorFps <= 1000) {
            throw ValidationError("--detector-fps must be above 0 and at most 1000.")
        }
        if let detectorScores, DetectorScores(detectorScores) == nil { throw ValidationError(Detect.badScores) }
    }

    /// Returns whether the frames come from a camera that the simulated head does not carry, although the profile says
    /// so: only a scene turns with that head. On a real rig, only its profile states where the camera is.
    func isElsewhere(of rig: RigArguments, isScene: Bool) -> Bool {
        rig.profile.camera.mount == .head && !isScene && rig.port == "sim"
    }

    /// Parses the options.
    /// - Throws: an exit that says what to write instead.
    func arguments() throws -> VisionArguments {
        try VisionArguments(camera: camera, others: otherCamera, size: cameraSize, detectors: detector)
    }

    /// Returns the camera and detectors for a rig, not started. The result is nil for another source, or none.
    /// - Throws: an exit that says what is missing.
    func vision(_ arguments: VisionArguments, for profile: RigProfile) throws -> Vision? {
        try arguments.vision(profile: profile, rate: detectorFps, scores: detectorScores, openLoop: openLoop)
    }
}

/// How the head greets the first face.
enum GreetingChoice: String, ExpressibleByArgument, CaseIterable {
    case nod, off
}

/// The behaviour of a dock that follows people, at the start and when it has lost them.
struct FollowingOptions: ParsableArguments {
    @Option(help: "Initial mode: system, custom or manual.")
    var mode: TrackingMode?

    @Option(help: "How the head greets the first face: nod, which shows whether the rig's signs are right, or off.")
    var greeting = GreetingChoice.nod

    @Flag(
        inversion: .prefixedNo,
        help: "Lower the speed to 30 percent while a face or a hand is within 0.3 m; a help, and no safeguard.")
    var near = false

    @Flag(inversion: .prefixedNo, help: "Look for a lost face toward the side where it left.")
    var search = true

    @Flag(inversion: .prefixedNo, help: "Go home if the lost face does not return.")
    var home = true
}

/// The settings that a reload may change while the daemon runs.
struct TuningOptions: ParsableArguments {
    @Option(help: "Where in the frame the face is placed.")
    var framing: FramingMode?

    @Option(help: ArgumentHelp("Speed of manual motion, 1 to 100.", valueName: "percent"))
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "Range (degrees) and speed (degrees per second) of an axis, within the profile's limits. Repeatable.",
            valueName: "pan|tilt MIN MAX [SPEED]"))
    var limits: [String] = []

    @Flag(inversion: .prefixedNo, help: "Move the head a little with the expressions.")
    var gestures = false

    @Option(
        help: ArgumentHelp("Initial face: a name or a number, including user-defined faces.", valueName: "name"),
        completion: Completions.faces)
    var face: String?

    @Option(help: "Minimum level of log lines.")
    var logLevel: LogThreshold?

    mutating func validate() throws {
        if let speed, !(1...100).contains(speed) { throw ValidationError("--speed must be 1 to 100 percent.") }
        for line in limits {
            if let flaw = Tuning.flaw(inLimits: line) { throw ValidationError("--limits \"\(line)\": \(flaw)") }
        }
    }

    /// The initial values.
    var tuning: Tuning {
        var tuning = Tuning()
        tuning.limits = limits
        tuning.speed = (speed ?? 100) / 100
        tuning.framing = framing ?? .automatic
        tuning.expression = face
        tuning.gestures = gestures
        tuning.logLevel = logLevel ?? .info
        return tuning
    }
}

/// The control socket of a run.
struct SocketOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Path of the control socket for other programs and shells, or none. Default: the user's usual path.",
            valueName: "path|none"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Group whose members may command this run through its socket. Default: only the daemon's user and root.",
            valueName: "name"))
    var socketGroup: String?

    /// The socket at which programs reach the session.
    var control: SessionConfiguration.Control { socket.map { $0 == "none" ? .none : .socket($0) } ?? .usual }
}

/// The programs beside a run.
struct BesideOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Extensions to run beside this daemon and to end with it (see: dockface extensions). Repeatable.",
            valueName: "name,..."), completion: Completions.extensions)
    var with: [String] = []
}

/// A run as a trial: whether it moves the dock, when it ends, and what it records.
struct TrialOptions: ParsableArguments {
    @Flag(help: "Talk to the dock and make all decisions, but send no motion; the log shows what would be sent.")
    var dryRun = false

    @Option(help: "End after this many seconds.")
    var seconds: Double?

    @Flag(
        help:
            "Print one JSON line at the end: frames, time on target, latency, faults, and whether the last message was a stop."
    )
    var summary = false

    @Option(
        help: ArgumentHelp(
            "Write the whole session to this file as a trace (docs/TRACE.md), for dockface replay. The file ends at 1 GB, about eight hours of a busy dock.",
            valueName: "file"), completion: .file())
    var trace: String?

    /// The additions of `dockface demo`: the cues of a scene, the plan of the room, and a screen that turns with the
    /// head.
    @Flag(help: .hidden)
    var staged = false

    /// What `dockface demo --find` looks for.
    @Option(help: .hidden)
    var findStory: String?

    mutating func validate() throws {
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
    }
}

/// The port of a verb that moves one rig.
struct PortOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Port of the dock, name of an adopted rig, or sim for a simulated one. Default: the adopted rig that is plugged in.",
            valueName: "rig|port|sim"), completion: Completions.rigs)
    var port: String?
}
