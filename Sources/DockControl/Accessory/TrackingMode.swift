/// What steers the dock.
public enum TrackingMode: String, Sendable, CaseIterable {
    /// The detector stage steers (DockKit: system tracking enabled).
    case system
    /// Only a program's observations steer; the detector still feeds the face.
    case custom
    /// Nothing steers: keys, words and programs move the dock.
    case manual

    /// The next mode in the order system, custom, manual.
    public var next: TrackingMode {
        switch self {
        case .system: .custom
        case .custom: .manual
        case .manual: .system
        }
    }
}

/// Where the tracked subject is placed in the frame or in the region of interest (DockKit's framing modes).
public enum FramingMode: String, Sendable, CaseIterable {
    /// In the middle, with lead room in the direction that the face looks.
    case automatic = "auto"
    /// In the middle.
    case center
    /// On the left third.
    case left
    /// On the right third.
    case right

    /// The next framing mode in the order auto, center, left, right.
    public var next: FramingMode {
        switch self {
        case .automatic: .center
        case .center: .left
        case .left: .right
        case .right: .automatic
        }
    }
}

/// The owner of the dock's motion; the order is the precedence, strongest first.
public enum MotionOwner: String, Sendable {
    /// The latched emergency stop.
    case emergencyStop
    /// A stop that was just requested.
    case stop
    /// Keys or command words: chevrons, velocities, orientations.
    case manual
    /// A motion script: yes, nope, wakeup, kapow.
    case animation
    /// The detector, through tracker and servo.
    case tracking
    /// A small motion that goes with an expression.
    case gesture
    /// No owner: the dock stands still.
    case none
}
