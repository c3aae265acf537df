public import ControlProtocol
public import Geometry

/// A topic, and the type of its data.
public struct TopicKey<Value: Sendable>: Sendable {
    /// The topic.
    public let topic: Topic
    let read: @Sendable (JSONValue) -> Value?

    init(_ topic: Topic, _ read: @escaping @Sendable (JSONValue) -> Value?) { (self.topic, self.read) = (topic, read) }
}

extension TopicKey where Value == AccessoryReading {
    /// The dock, the mode, framing, limits.
    public static var accessory: Self { Self(.accessory, Value.init(json:)) }
}
extension TopicKey where Value == MotionReading {
    /// Pose, velocity, motions and how they ended.
    public static var motion: Self { Self(.motion, Value.init(json:)) }
}
extension TopicKey where Value == TrackingReading {
    /// Subjects.
    public static var tracking: Self { Self(.tracking, Value.init(json:)) }
}
extension TopicKey where Value == BatteryReading {
    /// The power supply.
    public static var battery: Self { Self(.battery, Value.init(json:)) }
}
extension TopicKey where Value == FaceReading {
    /// The expression.
    public static var face: Self { Self(.face, Value.init(json:)) }
}
extension TopicKey where Value == LogReading {
    /// Lines of the log.
    public static var log: Self { Self(.log, Value.init(json:)) }
}
extension TopicKey where Value == DetectionsReading {
    /// Every answer of every detector.
    public static var detections: Self { Self(.detections, Value.init(json:)) }
}
extension TopicKey where Value == LayersReading {
    /// What programs draw over the picture.
    public static var layers: Self { Self(.layers, Value.init(json:)) }
}
extension TopicKey where Value == IndicatorsReading {
    /// What programs report about themselves.
    public static var indicators: Self { Self(.indicators, Value.init(json:)) }
}
extension TopicKey where Value == DockEvent {
    /// Buttons and camera.
    public static var events: Self { Self(.events, DockEvent.init(json:)) }
}
extension TopicKey where Value == CueEvent {
    /// Sentences and sounds for a program that plays them.
    public static var cues: Self { Self(.cues, CueEvent.init(json:)) }
}

/// An event at the dock: a button, or a change of its camera.
public enum DockEvent: Sendable, Equatable {
    /// A manufacturer-specific button, by number.
    case button(id: Int, isPressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that switches cameras.
    case cameraFlip
    /// The zoom wheel; above 0 zooms in.
    case cameraZoom(factor: Double)
    /// The tracking button: system tracking is now on or off.
    case trackingButton(isEnabled: Bool)
    /// The camera was changed.
    case camera(CameraReading)
    /// A person, or a program by `setShutter`, wants a recording, or wants it to end. A program that records does so.
    case recording(isWanted: Bool)
    /// A face or a hand has come near the head, or is not near any more.
    case near(Bool)
    /// An event that this version does not know.
    case other(JSONValue)

    init?(json: JSONValue) {
        switch json["event"]?.string {
        case "button": self = .button(id: json["id"]?.integer ?? 0, isPressed: json["pressed"]?.bool ?? false)
        case "cameraShutter": self = .cameraShutter
        case "cameraFlip": self = .cameraFlip
        case "cameraZoom": self = .cameraZoom(factor: json["factor"]?.number ?? 0)
        case "trackingButton": self = .trackingButton(isEnabled: json["enabled"]?.bool ?? false)
        case "camera": self = CameraReading(json: json).map { .camera($0) } ?? .other(json)
        case "recording": self = json["wanted"]?.bool.map { .recording(isWanted: $0) } ?? .other(json)
        case "near": self = json["near"]?.bool.map { .near($0) } ?? .other(json)
        default: self = .other(json)
        }
    }
}

/// A sentence or a sound that a program offers.
public enum CueEvent: Sendable, Equatable {
    /// A sentence to speak, and where the thing is that it is about, in radians, if it is about one.
    case say(String, CueUrgency, direction: PanTilt? = nil)
    /// A sound to play, by name, and where the thing is that it is about.
    case sound(String, direction: PanTilt? = nil)

    init?(json: JSONValue) {
        switch json["event"]?.string {
        case "say":
            guard let text = json["text"]?.string else { return nil }
            let urgency = json["urgency"]?.string.flatMap(CueUrgency.init(rawValue:)) ?? .normal
            self = .say(text, urgency, direction: json["direction"]?.panTilt)
        case "cue":
            guard let name = json["name"]?.string else { return nil }
            self = .sound(name, direction: json["direction"]?.panTilt)
        default: return nil
        }
    }
}
