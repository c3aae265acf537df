public import Geometry

/// What the reader wants to be done, in this order.
public enum GestureIntent: Sendable, Equatable {
    /// Stop at once, before everything that waits.
    case stop
    /// Take the right to move the head: a motion begins.
    case engage
    /// Turn the head to this pose, in radians, and stay there.
    case aim(PanTilt)
    /// A hand drags the head, which should be at this pose now, in radians. The next frame has another one.
    case drag(PanTilt)
    /// Stop turning until the next `drag`.
    case wait
    /// End the motion, and give the right back.
    case release
    /// Play an animation.
    case animate(String)
    /// Show that a gesture was understood.
    case cue(GestureCue)
    /// Tell the person.
    case note(GestureNote)
}

/// A gesture that was understood, as the name of a sound.
public enum GestureCue: String, Sendable, Equatable, CaseIterable {
    /// A palm has stopped the head.
    case stop = "gesture-stop"
    /// A palm was held: the next gesture may move the head.
    case ready = "gesture-ready"
    /// The head follows the hand from now on, and does not any more.
    case clutch = "gesture-clutch", release = "gesture-release"
    /// The head looks where a finger points.
    case look = "gesture-look"
    /// The head nods, or shakes.
    case yes = "gesture-yes", nope = "gesture-nope"
    /// A wave was greeted.
    case greet = "gesture-greet"
    /// Gestures have no effect any more.
    case disarmed = "gesture-disarmed"
}

/// What a person should know.
public enum GestureNote: Sendable, Equatable {
    /// A gesture was understood.
    case understood(GestureCue)
    /// The clutch is out, for this reason.
    case released(GestureEnd)
    /// The hand is not beside the followed face.
    case tooFar
    /// Another gesture must come first.
    case another
    /// The direction of the hand is unknown.
    case noBearing

    /// The sentence.
    public var text: String {
        switch self {
        case .understood(.stop): "palm: stop"
        case .understood(.ready): "palm held: close the hand to move the head, or point"
        case .understood(.clutch): "the head follows your hand; open it to end"
        case .understood(.release): "the head holds"
        case .understood(.look): "the head looks there"
        case .understood(.yes): "thumb up: yes"
        case .understood(.nope): "thumb down: nope"
        case .understood(.greet): "wave: hello"
        case .understood(.disarmed): "no gesture for \(Int(GestureRules.idle)) s: gestures are off"
        case .released(let end): "the head holds: \(end.text)"
        case .tooFar: "the hand must be beside the face of the followed person"
        case .another: "hold an open palm first"
        case .noBearing: "the pose of the head or the lens of the camera is unknown: gestures can only stop"
        }
    }
}

/// Why the head does not follow the hand any more.
public enum GestureEnd: Sendable, Equatable {
    /// The hand was opened.
    case opened
    /// The hand is not seen any more.
    case lost
    /// No frame has come for `GestureRules.silence`.
    case silent
    /// The hand was somewhere else in the next frame.
    case jumped
    /// Something else has the dock: the reason.
    case interrupted(String)
    /// The program ends.
    case over

    /// The reason.
    public var text: String {
        switch self {
        case .opened: "the hand was opened"
        case .lost: "the hand is not seen any more"
        case .silent: "no pictures arrive"
        case .jumped: "the hand was suddenly somewhere else"
        case .interrupted(let why): why
        case .over: "the program ends"
        }
    }
}
