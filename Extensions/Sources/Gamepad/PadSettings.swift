public import Geometry

/// How a pad drives the head.
public struct PadSettings: Sendable, Equatable {
    /// The greatest speed, as a share of the rig's own, 0...1.
    public var speed = 0.5
    /// The right stick's speed, as a share of the left stick's, 0...1.
    public var fineSpeed = 0.25
    /// The least dead zone of a stick, as a share of its way.
    public var deadZone = StickShape.zones.lowerBound
    /// How much of the sticks' curve is cubic, 0...1.
    public var expo = 0.6
    /// Whether a stick that is pushed away from the person turns the head down.
    public var invertsTilt = false
    /// The button without which nothing moves.
    public var deadMan = PadButton.leftShoulder
    /// How long the pad may say nothing while a stick is deflected, in seconds.
    public var silence: Seconds = 10
    /// What the buttons do.
    public var actions = PadSettings.usualActions
    /// What `next animation` plays, in turn.
    public var animations = ["wakeup", "kapow"]

    /// How long a velocity lasts if no other follows, in seconds.
    public static let expiry: Seconds = 0.25
    /// How often a velocity is sent while a stick is deflected, in seconds.
    public static let period: Seconds = 0.05
    /// The two buttons that together are the emergency stop, whatever else they do.
    public static let emergencyChord = [PadButton.start, .back]
    /// The speed of a rig that states none, in rad/s.
    public static let usualSpeed = 1.0

    /// The actions without settings.
    public static let usualActions: [PadButton: PadAction] = [
        .south: .motion("animate yes", needsManual: false), .west: .motion("animate nope", needsManual: false),
        .north: .nextAnimation, .east: .stop, .up: .motion("preset go 1", needsManual: true),
        .down: .motion("preset go 2", needsManual: true), .left: .motion("preset go 3", needsManual: true),
        .right: .motion("preset go 4", needsManual: true), .rightShoulder: .word("face next"),
        .rightStick: .word("face auto"), .leftStick: .motion("home", needsManual: true),
        .start: .handBack("mode system"),
    ]

    /// Creates the usual settings.
    public init() {}
}
