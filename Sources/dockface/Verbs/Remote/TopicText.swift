import Companion
import ControlProtocol
import Geometry

/// The states of the topics for people, as labelled facts, so that `status` can show all and `watch` only the changed
/// ones.
enum TopicText {
    typealias Fact = (label: String, text: String)

    static func facts(_ topic: String, _ data: JSONValue) -> [Fact] {
        switch topic {
        case "accessory": accessory(data)
        case "motion": motion(data)
        case "tracking": tracking(data)
        case "battery": batteries(data)
        case "face": face(data)
        case "layers": layers(data)
        case "indicators": indicators(data)
        default: []
        }
    }

    static func accessory(_ data: JSONValue) -> [Fact] {
        var dock = data.word("dock")
        if let reason = data["reason"]?.string { dock += " (\(reason))" }
        // A latch persists without the cable.
        if dock.hasPrefix("faulted"), data["state"]?.string == "undocked" { dock += ", not connected" }
        let identity = data.member("identity")
        if let name = identity["name"]?.string {
            let details = [("model", "model"), ("firmware", "firmware"), ("uid", "uid")].compactMap { key, label in
                identity[key]?.string.flatMap { $0.isEmpty ? nil : "\(label) \($0)" }
            }
            dock += ": " + ([name] + details).joined(separator: ", ")
        }
        let limits = data.member("limits"), selected = ids(data.member("selected"))
        return [
            ("dock", dock), ("mode", data.word("mode")), ("framing", data.word("framing")),
            ("region", region(data.member("region"))), ("selected", selected.isEmpty ? "automatic" : selected),
            ("control", control(data)),
            ("limits pan", limit(limits.member("pan"))), ("limits tilt", limit(limits.member("tilt"))),
            ("torque", data.switched("torque")),
            ("tracking button", data.switched("trackingButtonEnabled")),
        ]
    }

    /// Returns the client that controls the dock, and whose stop is in force.
    private static func control(_ data: JSONValue) -> String {
        let holder = data.word("control", else: "none")
        return switch data["stoppedBy"]?.string {
        case "person": "\(holder); a person's stop is in force: no program moves the dock until `dockface release`"
        case "program":
            "\(holder); a program's stop is in force: no other program moves the dock until `dockface release`"
        default: holder
        }
    }

    static func motion(_ data: JSONValue) -> [Fact] {
        let isGuess = data.word("source") == "commanded"
        var facts: [Fact] = [
            ("pose", data.pair("position", isGuess ? "deg (as commanded)" : "deg") ?? "unknown"),
            ("speed", data.pair("velocity", "deg/s") ?? "unknown"),
            ("owner", data.word("owner", else: "none")),
        ]
        if let running = data["motion"], !running.isNull {
            let fraction = Int((running["fraction"]?.number ?? 0).clamped(to: 0...1) * 100)
            facts.append(
                ("motion", "\(running.word("name")) \(fraction) % of \(fixed(running["duration"]?.number ?? 0, 1)) s"))
        } else {
            facts.append(("motion", "none"))
        }
        return facts
    }

    static func tracking(_ data: JSONValue) -> [Fact] {
        let followed = data["followed"]?.integer
        let subjects = (data["subjects"]?.array ?? []).map { subject in
            var text = "\(subject["id"]?.integer.map(String.init) ?? "?") \(subject.word("kind"))"
            // The row before names the followed one.
            if subject["selected"]?.bool == true, subject["id"]?.integer != followed { text += " selected" }
            if let metres = subject["distance"]?.number {
                // What follows from the size of a face is an estimate.
                text += " at \(subject["distanceSource"]?.string == "size" ? "~" : "")\(fixed(metres, 1)) m"
            }
            if subject["coasting"]?.bool == true { text += " (out of sight)" }
            return text
        }
        return [
            ("phase", data.word("phase")),
            ("followed", followed.map { "subject \($0)" } ?? "no subject"),
            ("subjects", subjects.isEmpty ? "none" : subjects.joined(separator: ", ")),
        ]
    }

    static func batteries(_ data: JSONValue) -> [Fact] {
        (data["batteries"]?.array ?? []).map { battery in
            var text = battery["level"]?.number.map { "\(fixed($0 * 100, 0)) %" } ?? "level unknown"
            switch battery.word("charge") {
            case "charging": text += ", charging"
            case "notCharging": text += ", not charging"
            default: break
            }
            if let voltage = battery["voltage"]?.number { text += ", \(fixed(voltage, 1)) V" }
            if battery["critical"]?.bool == true {
                text += ", CRITICAL"
            } else if battery["low"]?.bool == true {
                text += ", low"
            }
            return (battery.word("name", else: "battery"), text)
        }
    }

    static func face(_ data: JSONValue) -> [Fact] {
        [
            ("expression", data.word("expression")), ("random", data.switched("random")),
            ("gestures", data.switched("gestures")),
        ]
    }

    /// Returns a line for a single event, or nil if the event is unknown.
    static func happening(_ topic: String, _ data: JSONValue) -> String? {
        if topic == "detections" { return detections(data) }
        if topic == "log" { return "\(data.word("level", else: "info")): \(data.word("text", else: ""))" }
        switch data.word("event") {
        case "button":
            let isDown = data["pressed"]?.bool == true
            return "button \(data["id"]?.integer.map(String.init) ?? "?") \(isDown ? "pressed" : "released")"
        case "cameraShutter": return "shutter button"
        case "cameraFlip": return "button for the next camera"
        case "cameraZoom":
            return
                "zoom wheel \((data["factor"]?.number ?? 0) > 0 ? "in" : "out") \(fixed(data["factor"]?.number ?? 0, 2))"
        case "trackingButton": return "tracking button \(data.switched("enabled"))"
        case "camera": return "camera " + camera(data)
        case "recording": return data["wanted"]?.bool == true ? "a recording is wanted" : "the recording is to end"
        case "near": return data["near"]?.bool == true ? "something is near the head" : "nothing is near any more"
        case "say": return "say (\(data.word("urgency"))): \(data.word("text", else: ""))"
        case "cue": return "sound " + data.word("name")
        default: return nil
        }
    }

    /// Returns what programs draw.
    static func layers(_ data: JSONValue) -> [Fact] {
        let layers = (data["layers"]?.array ?? []).map { layer in
            let count = layer["items"]?.array?.count ?? layer["items"]?.integer ?? 0
            return "\(layer.word("name")) (\(count) in the \(layer.word("space")))"
        }
        return [("drawn", layers.isEmpty ? "nothing" : layers.joined(separator: ", "))]
    }

    /// Returns what programs report about themselves.
    static func indicators(_ data: JSONValue) -> [Fact] {
        let shown = (data["indicators"]?.array ?? []).filter { $0["shown"]?.bool == true }.map { indicator in
            let text = indicator.word("text", else: "")
            return "\(indicator.word("name")) \(indicator.word("state"))" + (text.isEmpty ? "" : ": \(text)")
        }
        return [("shown", shown.isEmpty ? "none" : shown.joined(separator: ", "))]
    }

    /// Returns the states of the programs beside the daemon.
    static func extensions(_ list: [JSONValue]) -> String {
        list.map { one in
            let text = one.word("text", else: ""), restarts = one["restarts"]?.integer ?? 0
            return "\(one.word("name")) \(one.word("state"))" + (text.isEmpty ? "" : ": \(text)")
                + (restarts > 0 ? " (started again \(restarts) times)" : "")
        }.joined(separator: ", ")
    }

    private static func detections(_ data: JSONValue) -> String {
        let faces = data["faces"]?.array?.count ?? 0
        var text = data.word("source") + (data["active"]?.bool == true ? "" : " (on standby)")
        text += ": \(faces) \(faces == 1 ? "face" : "faces")"
        for name in ["objects", "people", "hands"] {
            if let count = data[name]?.array?.count, count > 0 { text += ", \(count) \(name)" }
        }
        return text + (data["dropped"]?.string.map { ", not used: \($0)" } ?? "")
    }

    static func camera(_ data: JSONValue) -> String {
        let recording = data["recording"]?.bool == true ? "recording" : "not recording"
        return "\(fixed(data["magnification"]?.number ?? 1, 1))x, \(recording), "
            + "device \(data["device"]?.integer.map(String.init) ?? "?")"
    }

    private static func ids(_ value: JSONValue) -> String {
        (value.array ?? []).compactMap { $0.integer.map(String.init) }.joined(separator: " ")
    }

    private static func region(_ value: JSONValue) -> String {
        let numbers = (value.array ?? []).compactMap(\.number)
        guard numbers.count == 4, numbers != [0, 0, 1, 1] else { return "whole frame" }
        return numbers.map { fixed($0, 2) }.joined(separator: " ")
    }

    private static func limit(_ value: JSONValue) -> String {
        guard value["min"]?.number != nil else { return "unknown" }
        return "\(value.degrees("min", 0, isSigned: false))...\(value.degrees("max", 0, isSigned: false)) deg, "
            + "\(value.degrees("speed", 0, isSigned: false)) deg/s"
    }
}
