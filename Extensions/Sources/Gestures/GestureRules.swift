public import Geometry

/// The times and distances of gestures.
public enum GestureRules {
    /// How long a shape must be seen until it is certain, and unseen until it is not, in seconds.
    static let rise: Seconds = 1.0, fall: Seconds = 0.8
    /// The confidence from which a shape counts, and below which it does not any more.
    static let on = 0.9, off = 0.4
    /// What one frame may add, in seconds. A detector that answers rarely takes longer, and one frame is never enough.
    static let mostCredit: Seconds = 0.15
    /// How long a palm is seen before it stops the head, in seconds. A false one costs little.
    static let stop: Seconds = 0.25
    /// After this time without a frame, the hand is lost, in seconds.
    public static let silence: Seconds = 0.3
    /// How far the time of a frame may be from the present, in seconds.
    static let oldest: Seconds = 2
    /// The time between the palm and the closed hand, and how long the hand must be closed, in seconds.
    static let change: Seconds = 1.0, closing: Seconds = 0.2
    /// How long a hand that drives may look neither closed nor open, in seconds.
    static let doubt: Seconds = 0.3
    /// How long a finger points steadily before the head looks there, in seconds, and within which angle.
    static let pointing: Seconds = 0.8, steady = Double.degrees(5)
    /// How far beside the finger's tip the head looks. One camera does not see where a finger points to.
    static let beside = Double.degrees(30)
    /// How long the head looks where a finger pointed, and how long it takes to return, in seconds.
    static let look: Seconds = 3, back: Seconds = 2
    /// A wave: how far a palm moves to each side, in palms, and how often it turns back within which time, in seconds.
    static let waving = 0.5, turns = 3, wave: Seconds = 2
    /// How long ago another gesture may be, in seconds.
    static let sequence: Seconds = 3
    /// Without use for this time, gestures are disarmed, in seconds.
    public static let idle: Seconds = 60
    /// The greatest step of a hand between two frames: a larger one is another hand.
    static let jump = Double.degrees(30)
    /// How far the hand moves before it drags the head, and after that how far the head stays behind it: joints that a
    /// detector reports tremble.
    static let slack = Double.degrees(0.5)
    /// A frame that is later than this, or later than one and a half times as usual, stops a head that is dragged, in
    /// seconds.
    static let late: Seconds = 0.1, lateness = 1.5
    /// How far a hand may be from the followed face, in widths of the face.
    static let reach = 1.5
    /// How large a palm may be, in widths of the face: a smaller hand is behind the person, or is none.
    static let sizes = 0.25...2.5
    /// The least presence of a hand.
    static let leastScore = 0.6
    /// The most hands of a frame that are looked at.
    static let mostHands = 4
    /// How far a hand moves between two frames, in palms.
    static let step = 3.0
}
