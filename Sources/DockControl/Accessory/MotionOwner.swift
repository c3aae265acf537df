/// The owner of the dock's motion. The cases are in order of precedence, highest first.
public enum MotionOwner: String, Sendable {
    /// The latched emergency stop.
    case emergencyStop
    /// A stop that was just requested.
    case stop
    /// Keys or command words: chevrons, velocities, orientations.
    case manual
    /// A motion script, such as yes, nope, wakeup or kapow.
    case animation
    /// The detector, through tracker and servo.
    case tracking
    /// A small motion that accompanies an expression.
    case gesture
    /// No owner: the dock is at rest.
    case none
}
