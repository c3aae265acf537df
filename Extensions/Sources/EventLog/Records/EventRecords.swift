internal import ControlProtocol
public import DockClient

/// Records of what the daemon reports once.
public enum EventRecords {
    /// Returns the record of an event at the dock.
    public static func record(_ event: DockEvent) -> LogRecord {
        switch event {
        case .button(let id, let isPressed):
            LogRecord(.event, "button", ["id": .number(id), "pressed": .bool(isPressed)])
        case .cameraShutter: LogRecord(.event, "shutter")
        case .cameraFlip: LogRecord(.event, "flip")
        case .cameraZoom(let factor): LogRecord(.event, "zoom", ["factor": .number(orNull: factor)])
        case .trackingButton(let isEnabled): LogRecord(.event, "tracking", ["enabled": .bool(isEnabled)])
        case .camera(let camera):
            LogRecord(
                .event, "camera",
                [
                    "recording": .bool(camera.isRecording), "magnification": .number(orNull: camera.magnification),
                    "device": .number(camera.device),
                ])
        case .recording(let isWanted): LogRecord(.event, "recording", ["wanted": .bool(isWanted)])
        case .near(let isNear): LogRecord(.event, "near", ["near": .bool(isNear)])
        // A newer daemon: what it says is kept, but not without a limit.
        case .other(let json):
            LogRecord(
                .event, json["event"]?.string ?? "unknown",
                ["data": .string(String(decoding: json.bytes.prefix(500), as: UTF8.self))])
        }
    }

    /// Returns the record of a line of the daemon's log, or nil if it is neither a warning nor an error.
    public static func record(_ line: LogReading) -> LogRecord? {
        line.level == "info" ? nil : LogRecord(.message, line.level, ["text": .string(line.text)])
    }
}
