import ArgumentParser
import Companion
import ControlProtocol
import DockClient
import DockControl
import DockTypes
import Geometry

/// `dockface status`: the state of the running daemon.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the state of the running daemon; with --why, why the dock moves or stands still.",
        usage: "dockface status [--why] [--json] [--socket PATH]",
        discussion: "For example:\n  dockface status --why\n  dockface status --json | jq .motion.position")

    @Flag(help: "Show for each axis why it moves or stands still.")
    var why = false

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let report = Report(isJSON: remote.json)
        do {
            let client = try ControlClient(path: remote.socket)
            switch try client.ask("status", why ? ["why": .bool(true)] : [:]) {
            case .failure(let refusal): throw report.refusal(refusal)
            case .success(let status):
                report.success(status) { Self.lines($0, why: why).joined(separator: "\n") }
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }

    /// Returns the status as aligned lines.
    static func lines(_ status: JSONValue, why: Bool) -> [String] {
        let accessory = dictionary(TopicText.accessory(status.member("accessory")))
        let motion = dictionary(TopicText.motion(status.member("motion")))
        let tracking = dictionary(TopicText.tracking(status.member("tracking")))
        let face = dictionary(TopicText.face(status.member("face")))
        var rows: [TopicText.Fact] = [
            ("dock", accessory["dock"] ?? ""),
            (
                "mode",
                "\(accessory["mode"] ?? ""), framing \(accessory["framing"] ?? ""), region \(accessory["region"] ?? "")"
            ),
            ("control", accessory["control"] ?? ""),
            (
                "tracking",
                Self.tracking(tracking)
            ),
            ("selected", accessory["selected"] ?? ""),
            ("pose", motion["pose"] ?? ""),
            ("speed", motion["speed"] ?? ""),
            ("motion", motion["motion"] ?? ""),
            ("limits", "pan \(accessory["limits pan"] ?? ""); tilt \(accessory["limits tilt"] ?? "")"),
            ("torque", accessory["torque"] ?? ""),
        ]
        let batteries = TopicText.batteries(status.member("battery"))
        rows += batteries.isEmpty ? [("battery", "none")] : batteries.map { ("battery", "\($0.label) \($0.text)") }
        rows.append(
            ("face", "\(face["expression"] ?? ""), random \(face["random"] ?? ""), gestures \(face["gestures"] ?? "")"))
        let camera = status.member("camera")
        rows.append(("camera", camera.isNull ? "none" : TopicText.camera(camera)))
        let detections = status.member("detector")
        rows.append(("detector", detector(detections)))
        if let eyes = detections["camera"], !eyes.isNull { rows.append(("frames", Self.eyes(eyes))) }
        for source in detections["sources"]?.array ?? [] { rows.append(("source", Self.source(source))) }
        // Mostly no program shows anything.
        if status["layers"]?.array?.isEmpty == false {
            rows.append(("layers", dictionary(TopicText.layers(status))["drawn"] ?? ""))
        }
        if status["indicators"]?.array?.isEmpty == false {
            rows.append(("programs", dictionary(TopicText.indicators(status))["shown"] ?? ""))
        }
        if let extensions = status["extensions"]?.array, !extensions.isEmpty {
            rows.append(("beside", TopicText.extensions(extensions)))
        }
        rows.append(("lease", status["lease"]?.bool == true ? "held by a program" : "free"))
        if let guarded = status["guarded"]?.bool {
            let dock = status["accessory"]?["dock"]?.string, reason = status["accessory"]?["reason"]?.string
            let none =
                reason == "noPort"
                ? "none: this run has no dock"
                : dock == "ready" ? "none: only the dock's own deadman timer" : "none: it starts with the dock"
            rows.append(("guard", guarded ? "running" : none))
        }
        for finding in status["findings"]?.array ?? [] { rows.append(("finding", finding.string ?? "")) }
        rows.append(("daemon", "dockface \(status.word("version")), up \(time(status["uptime"]?.number))"))
        if why, let reasons = status["why"] {
            for axis in ["pan", "tilt"] {
                rows.append((axis, Self.reason(reasons.member(axis)) + Self.advice(reasons.member(axis), status)))
            }
        }
        let width = (rows.map(\.label.count).max() ?? 0) + 2
        return rows.map { $0.label.padded(width) + $0.text }
    }

    private static func dictionary(_ facts: [TopicText.Fact]) -> [String: String] {
        Dictionary(facts.map { ($0.label, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    private static func tracking(_ facts: [String: String]) -> String {
        let phase = facts["phase"] ?? "", subjects = facts["subjects"] ?? ""
        if phase == "idle", subjects == "none" { return "idle, no one in sight" }
        return
            "\(phase), \(phase == "idle" ? "would follow" : "follows") \(facts["followed"] ?? ""); in sight: \(subjects)"
    }

    private static func detector(_ value: JSONValue) -> String {
        func count(_ name: String) -> String { value[name]?.number.map { fixed($0, 0) } ?? "?" }
        let rate = value["rate"]?.number.map { "\(fixed($0, 1)) frames per second" } ?? "no frames"
        return
            "\(value.word("source", else: "none")), \(rate), \(count("frames")) in total, \(count("dropped")) dropped"
    }

    /// Describes the camera that the daemon has open.
    private static func eyes(_ value: JSONValue) -> String {
        var text = "\(value.word("name")) \(value.word("state"))"
        if let width = value["width"]?.number, let height = value["height"]?.number {
            text += ", \(fixed(width, 0))x\(fixed(height, 0))"
        }
        if let rate = value["rate"]?.number { text += " at \(fixed(rate, 1)) per second" }
        if value["estimated"]?.bool == true { text += ", exposure times are estimated" }
        return text + trouble(value)
    }

    private static func source(_ value: JSONValue) -> String {
        let role = value["active"]?.bool == true ? "steers" : "on standby"
        var text = "\(value.word("name")) \(value.word("state")), \(role)"
        if let latency = value["latency"]?.number { text += ", \(fixed(latency * 1000, 0)) ms per frame" }
        return text + trouble(value)
    }

    private static func trouble(_ value: JSONValue) -> String {
        var text = ""
        if let restarts = value["restarts"]?.number, restarts > 0 { text += ", restarted \(fixed(restarts, 0)) times" }
        if let problem = value["problem"]?.string, value.word("state") != "running" { text += ": \(problem)" }
        return text
    }

    /// Returns the reason. Only "moving" means motion.
    private static func reason(_ value: JSONValue) -> String {
        value["state"]?.string == "moving" ? "moves as commanded" : "stands still: \(value.word("text"))"
    }

    /// Returns what ends a standstill if the reason alone does not show it, or "" if nothing needs to be done.
    private static func advice(_ reason: JSONValue, _ status: JSONValue) -> String {
        switch reason["state"]?.string {
        case "nothingToDo" where status["accessory"]?["mode"]?.string == "manual":
            ": the mode is manual; `dockface mode system` follows faces"
        case "noSubject" where status["detector"]?["source"]?.string ?? "none" == "none":
            ": no detector is connected; see `dockface doctor`"
        case "noSubject" where status["detector"]?["rate"]?.number == nil, "detectorStale", "notConnected":
            ": see `dockface doctor`"
        default: ""
        }
    }

    private static func time(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e10 else { return "?" }
        let whole = Int(seconds)
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole / 60 % 60) min"
    }
}
