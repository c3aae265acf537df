internal import Camera
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Files
internal import RobotFace

/// One key of `dockface.toml`: its permitted values, its option of `dockface run`, and its help. The table of settings
/// defines the file, its manual, and the environment variables.
public struct Setting: Sendable {
    /// The table and the key, as in "face.style".
    public let key: String
    /// The option of `dockface run`, without dashes.
    public let option: String
    /// The meaning and the unit.
    public let help: String
    /// The default, in words.
    public let fallback: String
    /// An example, in the syntax of the file.
    public let example: String
    /// Whether a reload changes it while the dock runs. For any other change, the dock is stopped and the daemon
    /// restarts.
    public let isLive: Bool
    let kind: FileKind
    /// Returns the mistake in a value of the right kind, or nil if there is none.
    let flaw: @Sendable (FileValue) -> String?

    init(
        _ key: String, _ kind: FileKind, option: String? = nil, fallback: String, example: String, isLive: Bool = false,
        _ help: String, flaw: @escaping @Sendable (FileValue) -> String? = { _ in nil }
    ) {
        self.key = key
        self.kind = kind
        self.option = option ?? String(key.split(separator: ".").last ?? "").replacing("_", with: "-")
        self.fallback = fallback
        self.example = example
        self.isLive = isLive
        self.help = help
        self.flaw = flaw
    }

    /// The environment variable that sets it, as `DOCKFACE_FACE_STYLE`.
    public var variable: String { "DOCKFACE_" + key.uppercased().replacing(".", with: "_") }

    /// The permitted values, in words.
    public var expectation: String { kind.expectation }

    /// Returns the setting of a key, or nil if the key is unknown.
    static func named(_ key: String) -> Setting? { byKey[key] }

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// All settings, in the order of the file.
    public static let all: [Setting] = rig + eyes + behaviour + service + face

    private static let rig: [Setting] = [
        Setting(
            "port", .text, fallback: "the adopted rig that is connected", example: "\"head\"",
            "Port of the dock, name of an adopted rig, \"sim\" for a simulated rig, or \"none\" for the face alone."),
        Setting(
            "profile", .text, fallback: "the adopted rig's", example: "\"waveshare-pan-tilt-json\"",
            "Rig profile: a path or a name. It belongs to the port: if another port takes precedence, the profile is ignored."
        ),
        Setting(
            "wait", .flag, fallback: "false", example: "true",
            "Start even if the dock is not connected, and wait for it."),
        Setting(
            "also", .texts(most: 100), fallback: "[]", example: "[\"neck\", \"sim=dlp-dock\"]",
            "Other rigs that this daemon drives, without a face: names of adopted rigs, or PORT=PROFILE."),
        Setting(
            "hotplug", .oneOf(PortMonitor.Source.allCases.map(\.rawValue)), fallback: "udev if it runs, else kernel",
            example: "\"udev\"", "How the daemon learns that docks are plugged in."),
        Setting(
            "limits", .texts(most: 2), fallback: "the profile's", example: "[\"pan -60 60\", \"tilt -10 30 45\"]",
            "Range (degrees) and speed (degrees per second) of each axis, within the profile's limits.",
            flaw: { each($0, Tuning.flaw(inLimits:)) }),
    ]

    private static let eyes: [Setting] = [
        Setting(
            "camera", .text, fallback: "none", example: "\"/dev/video0\"",
            "Camera in which faces are detected: a device, file:PATH, an rtsp:// address, phone:PORT, exec:COMMAND, or test.",
            flaw: { value in reason { () throws(CameraSource.Failure) in _ = try CameraSource(value.text) } }),
        Setting(
            "other_cameras", .texts(most: RigProfile.mostCameras - 1), option: "other-camera", fallback: "[]",
            example: "[\"/dev/video2\"]",
            "Further cameras, which the word `flip` and the dock's flip button select in turn.",
            flaw: { each($0) { text in reason { () throws(CameraSource.Failure) in _ = try CameraSource(text) } } }),
        Setting(
            "camera_size", .text, fallback: "\"640x480\"", example: "\"1280x720\"",
            "Size of the pictures that a camera device is asked for, in pixels. Detectors get them at most 640 wide.",
            flaw: { value in reason { () throws(FrameSize.Failure) in _ = try FrameSize(value.text) } }),
        Setting(
            "detector", .texts(most: 8), fallback: "[\"blazeface\"] with a camera", example: "[\"yunet\"]",
            "Detectors of faces. The first one steers; the word `source NAME` selects another one.",
            flaw: {
                each($0) { text in reason { () throws(DetectionSource.Failure) in _ = try DetectionSource(text) } }
            }),
        Setting(
            "detector_fps", .number(0.1...1000), fallback: "10", example: "15",
            "Maximum number of frames per second for a detector."),
        Setting(
            "detector_scores", .text, fallback: "the detector's own, \"0.7,0.5\" for the bundled ones",
            example: "\"0.8,0.6\"",
            "Scores (0 to 1) that a detector requires to acquire a face, and to hold it where it was.",
            flaw: {
                DetectorScores($0.text) == nil
                    ? "expected two numbers from 0 to 1, the larger one first: \"0.7,0.5\"" : nil
            }),
    ]

    private static let behaviour: [Setting] = [
        Setting(
            "mode", .oneOf(TrackingMode.allCases.map(\.rawValue)),
            fallback: "\"system\"; \"manual\" for a rig that was never checked", example: "\"system\"",
            "Tracking mode at the start."),
        Setting(
            "framing", .oneOf(FramingMode.allCases.map(\.rawValue)), fallback: "\"auto\"", example: "\"center\"",
            isLive: true, "Position of the face in the frame."),
        Setting(
            "speed", .number(1...100), fallback: "100", example: "50", isLive: true,
            "Speed of manual motion, percent."),
        Setting(
            "greeting", .oneOf(["nod", "off"]), fallback: "\"nod\"", example: "\"off\"",
            "How the head greets the first face. A nod shows whether the rig's signs are right."),
        Setting(
            "near", .flag, fallback: "false", example: "true",
            "Lower the speed to 30 percent while a face or a hand is within 0.3 m. This is a help, and no safeguard."),
        Setting(
            "search", .flag, fallback: "true", example: "false",
            "Search for a lost face on the side where it left."),
        Setting("home", .flag, fallback: "true", example: "false", "Return home if no face comes back."),
        Setting(
            "gestures", .flag, fallback: "false", example: "true", isLive: true,
            "Let the head move a little with expressions."),
    ]

    private static let service: [Setting] = [
        Setting(
            "headless", .flag, fallback: "false", example: "true",
            "No face and no keys; answers and errors are lines of text."),
        Setting(
            "socket_group", .text, fallback: "no group, only the user and root", example: "\"dockface\"",
            "Group whose members may command this daemon through its socket, and can therefore move the dock."),
        Setting(
            "with", .texts(most: 16), fallback: "[]", example: "[\"log\"]",
            "Extensions that the daemon runs beside it and ends with it. A service uses their own units instead."),
        Setting(
            "log_level", .oneOf(LogThreshold.allCases.map(\.rawValue)), fallback: "\"info\"", example: "\"debug\"",
            isLive: true, "Minimum level of log lines."),
    ]

    private static let face: [Setting] = [
        Setting(
            "face.expression", .text, option: "face", fallback: "\"normal\"", example: "\"happy\"", isLive: true,
            "Expression at the start."),
        Setting(
            "face.time", .number(0...3600), option: "face-time", fallback: "3", example: "0",
            "How long an expression chosen by a tap or Tab stays, seconds; 0: until another one is chosen."),
        Setting(
            "face.style", .oneOf(EyeStyle.allCases.map(\.rawValue)), fallback: "\"block\"", example: "\"bar\"",
            "Style of the eyes."),
        Setting(
            "face.painter", .oneOf(["blocks", "half", "ascii", "sixel", "kitty"]),
            fallback: "the best that the terminal supports", example: "\"blocks\"", "How the face is drawn."),
        Setting(
            "face.colour", .oneOf(["true", "256", "16", "mono"]), fallback: "as the terminal supports",
            example: "\"256\"", "Colours of the face."),
        Setting(
            "face.calm", .flag, fallback: "false", example: "true",
            "A face that only blinks and looks at people: no breathing, no glances, no mood motion."),
        Setting(
            "face.sync", .flag, fallback: "true", example: "false",
            "Synchronised updates; some terminals flicker with them."),
        Setting(
            "face.seed", .whole(0...9_007_199_254_740_991), fallback: "1", example: "7",
            "Seed of blinks, glances and random expressions."),
    ]

    // MARK: mistakes in values of the right kind

    private static func each(_ value: FileValue, _ flaw: (String) -> String?) -> String? {
        for text in value.texts { if let flaw = flaw(text) { return flaw } }
        return nil
    }

    private static func reason<Failure: Error>(_ read: () throws(Failure) -> Void) -> String? {
        do {
            try read()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
