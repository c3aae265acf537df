/// What moved the head while a face was looked at.
enum MotionCause: Sendable, Equatable {
    /// Tracking. The recent distance that the axis had to turn is in radians.
    case tracking(error: Double)
    /// The nod to the first face. The head does not follow the face, so a face that stays where it is in the image is not
    /// one that is followed well.
    case greetingNod
    /// A person, a program or a gesture.
    case other
}
