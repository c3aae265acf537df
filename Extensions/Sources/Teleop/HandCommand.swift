/// What the operator's hand means, as the source app sends it.
public enum HandCommand: Sendable, Equatable {
    /// The hand takes the head.
    case start(HandPose)
    /// The hand goes on.
    case track(HandPose)
    /// The hand lets go of the head. It may come with a last pose, which means nothing.
    case end
    /// The hand makes the gesture of the gripper.
    case gripper
    /// The hand asks for the home pose.
    case reset
}
