internal import Camera
internal import DockControl
internal import FaceTracker
internal import RobotFace

/// One key of `dockface.toml`: what it may hold, which option of `dockface run` it is, and what it is for. A table of them is
/// the file, its manual, and the variables of the environment.
public struct Setting: Sendable {
    /// Table and key, as in "face.style".
    public let key: String
    /// The option of `dockface run`, without dashes.
    public let option: String
    /// What it is for, and its unit.
    public let help: String
    /// What holds where nobody says anything, in words.
    public let fallback: String
    /// An example, as it stands in the file.
    public let example: String
    /// A reload changes it while the dock goes on. Whatever else changes stops the dock first, and the daemon begins anew.
    public let isLive: Bool
    let kind: FileKind
    /// What is wrong with a value of the right kind; nil: nothing.
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

    /// The variable of the environment that sets it: `DOCKFACE_FACE_STYLE`.
    public var variable: String { "DOCKFACE_" + key.uppercased().replacing(".", with: "_") }

    /// What the key may hold, in words.
    public var expectation: String { kind.expectation }

    /// The setting of a key; nil: there is none.
    static func named(_ key: String) -> Setting? { byKey[key] }

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// All of them, in the order of the file.
    public static let all: [Setting] = rig + eyes + behaviour + service + face

    private static let rig: [Setting] = [
        Setting(
            "port", .text, fallback: "the adopted rig that is there", example: "\"head\"",
            "The dock's port or the name of an adopted rig, or \"sim\" for a simulated one."),
        Setting(
            "profile", .text, fallback: "the adopted rig's", example: "\"waveshare-pan-tilt-json\"",
            "Rig profile: a path or a name. It goes with the port: where somebody names another port, it does not hold."
        ),
        Setting(
            "wait", .flag, fallback: "false", example: "true",
            "Begin also if the dock is not there yet, and wait for it."),
        Setting(
            "also", .texts(most: 100), fallback: "[]", example: "[\"neck\", \"sim=dlp-dock\"]",
            "Other rigs that this daemon drives, without a face: names of adopted ones, or PORT=PROFILE."),
        Setting(
            "hotplug", .oneOf(PortMonitor.Source.allCases.map(\.rawValue)), fallback: "udev where it runs, else kernel",
            example: "\"udev\"", "Who tells that docks are plugged in."),
        Setting(
            "limits", .texts(most: 2), fallback: "the profile's", example: "[\"pan -60 60\", \"tilt -10 30 45\"]",
            "How far (degrees) and how fast (degrees per second) each axis may go, inside the profile's limits.",
            flaw: { each($0, Tuning.flaw(inLimits:)) }),
    ]

    private static let eyes: [Setting] = [
        Setting(
            "camera", .text, fallback: "none", example: "\"/dev/video0\"",
            "The camera that looks for faces: a device, file:PATH, an rtsp:// address, or test.",
            flaw: { value in reason { () throws(CameraSource.Failure) in _ = try CameraSource(value.text) } }),
        Setting(
            "detector", .texts(most: 8), fallback: "[\"blazeface\"] where there is a camera", example: "[\"yunet\"]",
            "Who finds faces; the first steers, the word `source NAME` lets another one.",
            flaw: {
                each($0) { text in reason { () throws(DetectionSource.Failure) in _ = try DetectionSource(text) } }
            }),
        Setting(
            "detector_fps", .number(0.1...1000), fallback: "10", example: "15",
            "Pictures a second that a detector is given at most."),
        Setting(
            "detector_scores", .text, fallback: "the detector's, \"0.7,0.5\" for ours", example: "\"0.8,0.6\"",
            "How sure a detector has to be: to take a face up, and to keep it where it was (0 to 1).",
            flaw: {
                DetectorScores($0.text) == nil
                    ? "expected two numbers of 0 to 1, the larger one first: \"0.7,0.5\"" : nil
            }),
    ]

    private static let behaviour: [Setting] = [
        Setting(
            "mode", .oneOf(TrackingMode.allCases.map(\.rawValue)),
            fallback: "\"system\"; \"manual\" for a rig that was never checked", example: "\"system\"",
            "Who steers at first."),
        Setting(
            "framing", .oneOf(FramingMode.allCases.map(\.rawValue)), fallback: "\"auto\"", example: "\"center\"",
            isLive: true, "Where in the picture the face is placed."),
        Setting(
            "speed", .number(1...100), fallback: "100", example: "50", isLive: true,
            "Speed of manual motion, percent."),
        Setting(
            "search", .flag, fallback: "true", example: "false",
            "Look for a face that was lost toward the side where it left."),
        Setting("home", .flag, fallback: "true", example: "false", "Go home when nobody comes back."),
        Setting(
            "gestures", .flag, fallback: "false", example: "true", isLive: true,
            "Let the head move a little with expressions."),
    ]

    private static let service: [Setting] = [
        Setting(
            "headless", .flag, fallback: "false", example: "true", "No face, no keys: answers and errors as lines."),
        Setting(
            "socket_group", .text, fallback: "nobody but the user and root", example: "\"dockface\"",
            "A group whose members may command this daemon through its socket: whoever is in it can move the dock."),
        Setting(
            "log_level", .oneOf(LogThreshold.allCases.map(\.rawValue)), fallback: "\"info\"", example: "\"debug\"",
            isLive: true, "The least important lines that the log tells."),
    ]

    private static let face: [Setting] = [
        Setting(
            "face.expression", .text, option: "face", fallback: "\"normal\"", example: "\"happy\"", isLive: true,
            "The face at first."),
        Setting(
            "face.time", .number(0...3600), option: "face-time", fallback: "3", example: "0",
            "Seconds that a face stays which a tap or Tab has chosen; 0: until something else is chosen."),
        Setting(
            "face.style", .oneOf(EyeStyle.allCases.map(\.rawValue)), fallback: "\"block\"", example: "\"bar\"",
            "Look of the eyes."),
        Setting(
            "face.painter", .oneOf(["blocks", "half", "ascii", "sixel", "kitty"]),
            fallback: "what the terminal has", example: "\"blocks\"", "What the face is drawn with."),
        Setting(
            "face.colour", .oneOf(["true", "256", "16", "mono"]), fallback: "what the terminal can",
            example: "\"256\"", "Colours."),
        Setting(
            "face.calm", .flag, fallback: "false", example: "true",
            "A face that only blinks and looks: no breath, no glances, no motion of moods."),
        Setting(
            "face.sync", .flag, fallback: "true", example: "false",
            "Synchronized updates; some terminals flicker with them."),
        Setting(
            "face.seed", .whole(0...9_007_199_254_740_991), fallback: "1", example: "7",
            "Seed of blinks, glances and random faces."),
    ]

    // MARK: values of the right kind that are wrong

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
