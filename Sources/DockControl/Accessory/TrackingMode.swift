/// Who steers the dock.
public enum TrackingMode: String, Sendable, CaseIterable {
    /// The detector stage steers (DockKit: system tracking enabled).
    case system
    /// Only observations that a program gives steer; the detector still feeds the face.
    case custom
    /// Nothing steers: keys, words and programs move the dock.
    case manual

    /// The next in the order system, custom, manual.
    public var next: TrackingMode {
        switch self {
        case .system: .custom
        case .custom: .manual
        case .manual: .system
        }
    }
}

/// Where in the picture, or in the region of interest, the tracked subject is placed (DockKit's framing modes).
public enum FramingMode: String, Sendable, CaseIterable {
    /// Middle, with lead room toward where the face looks.
    case automatic = "auto"
    /// Middle.
    case center
    /// On the left third.
    case left
    /// On the right third.
    case right

    /// The next in the order auto, center, left, right.
    public var next: FramingMode {
        switch self {
        case .automatic: .center
        case .center: .left
        case .left: .right
        case .right: .automatic
        }
    }
}

/// Who owns the dock's motion at the moment; the order is the precedence, strongest first.
public enum MotionOwner: String, Sendable {
    /// The latched emergency stop.
    case emergencyStop
    /// A stop that has just been given.
    case stop
    /// Keys or command words: chevrons, velocities, orientations.
    case manual
    /// A motion script: yes, nope, wakeup, kapow.
    case animation
    /// The detector, through tracker and servo.
    case tracking
    /// A small motion that goes with an expression.
    case gesture
    /// Nobody: the dock stands still.
    case none
}
