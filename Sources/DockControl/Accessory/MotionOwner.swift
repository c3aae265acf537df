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
