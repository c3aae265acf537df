public import Geometry

/// What the operator wants to be done, in this order.
public enum TeleopIntent: Sendable, Equatable {
    /// The hand has taken the head; nothing moves yet.
    case engage
    /// Turn the head to this pose, as fast as it may.
    case aim(PanTilt)
    /// Stop turning until the next aim.
    case wait
    /// Stop turning and hold.
    case hold(HoldReason)
    /// Go to the home pose.
    case home
    /// Do what the hand's other gesture is set to.
    case sign(HandSign)
}

/// Why the head no longer follows the hand.
public enum HoldReason: Sendable, Equatable {
    /// The hand has let go.
    case end
    /// No command has come for too long: the hand, the phone or the network is lost.
    case silence
    /// The hand was suddenly elsewhere: it was another hand, or a mistake.
    case jump
    /// The connection has ended.
    case disconnection
    /// The daemon has refused a motion, or has ended one.
    case refusal

    /// The reason in words.
    public var words: String {
        switch self {
        case .end: "the hand let go"
        case .silence: "no command came"
        case .jump: "the hand jumped"
        case .disconnection: "the sender is gone"
        case .refusal: "the daemon does not move the head"
        }
    }
}
