public import Geometry

/// How a hand drives the head.
public struct TeleopSettings: Sendable, Equatable {
    /// How far the head turns for each radian by which the camera sees the hand move.
    public var gain = 1.0
    /// Whether the head turns to the other side: right for an operator who faces the camera.
    public var isMirrored = false
    /// After this long without a command the hand has let go, in seconds. The head stops earlier.
    public var silence: Seconds = 0.3
    /// The time constant by which the hand's bearing is smoothed, in seconds.
    public var smoothing: Seconds = 0.05
    /// What the hand's other gesture does, or nil if it does nothing.
    public var gripper: HandSign?
    /// Whether `<Reset>` sends the head to its home pose.
    public var allowsReset = true

    /// What the settings may be.
    public static let gains = 0.1...3.0, silences = 0.1...1.0, smoothings = 0.0...0.5

    /// Creates the defaults.
    public init() {}
}
