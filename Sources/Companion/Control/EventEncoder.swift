internal import ControlProtocol
internal import DockControl
internal import PlainText

/// Encodes the topics in which every change counts: a person's actions at the dock, and the log.
enum EventEncoder {
    /// The change of the zoom factor for one step of the dock's zoom wheel.
    static let zoomStep = 0.2
    /// The maximum length of a log line, in bytes. Longer ones are truncated.
    static let longestText = 4096

    /// Encodes a person's action at the dock.
    static func event(_ event: AccessoryEvent) -> JSONValue {
        switch event {
        case .button(let id, let pressed):
            .object(["event": .string("button"), "id": .number(id), "pressed": .bool(pressed)])
        case .cameraShutter: .object(["event": .string("cameraShutter")])
        case .cameraFlip: .object(["event": .string("cameraFlip")])
        case .cameraZoom(let steps):
            .object(["event": .string("cameraZoom"), "factor": .number(Double(steps) * zoomStep)])
        case .trackingButton(let pressed): .object(["event": .string("trackingButton"), "enabled": .bool(pressed)])
        }
    }

    /// Encodes a change of the camera on the dock.
    static func event(_ camera: CameraState) -> JSONValue {
        guard case .object(var members) = TopicEncoder.camera(camera) else { return .null }
        members["event"] = .string("camera")
        return .object(members)
    }

    /// Encodes a sentence or a sound.
    static func event(_ cue: Cue) -> JSONValue {
        switch cue {
        case .say(let text, let urgency, let direction):
            .object([
                "event": .string("say"), "text": .string(text), "urgency": .string(urgency.rawValue),
                "direction": direction.map(JSONValue.panTilt) ?? .null,
            ])
        case .play(let name, let direction):
            .object([
                "event": .string("cue"), "name": .string(name),
                "direction": direction.map(JSONValue.panTilt) ?? .null,
            ])
        }
    }

    /// Encodes a log line.
    static func line(_ level: LogLevel, _ text: String) -> JSONValue {
        var kept = ForeignText.line(text, longest: longestText)
        if kept.utf8.count > longestText { kept = String(decoding: kept.utf8.prefix(longestText), as: UTF8.self) }
        var line = LogReading()
        (line.level, line.text) = ("\(level)", kept)
        return line.json
    }

    /// Returns the snapshot of `events` and `log`: the last few, oldest first.
    static func recent(_ recent: some Sequence<JSONValue>) -> JSONValue { .object(["recent": .array(Array(recent))]) }
}
