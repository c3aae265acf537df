public import Geometry

/// What the driver wants to be done, in this order.
public enum PadIntent: Sendable, Equatable {
    /// Turn with this velocity in rad/s, for `PadSettings.expiry`.
    case velocity(PanTilt)
    /// Stop at once, before everything that waits. `isPersonal`: it lasts until a person gives the dock back.
    case stop(isPersonal: Bool)
    /// The emergency stop, before everything that waits.
    case emergencyStop
    /// Carry out a command word with a person's precedence. `movesHead`: report its duration by `wordAnswered`.
    case word(String, movesHead: Bool)
    /// Tell the person.
    case note(PadNote)
}

/// What a person at the pad should know.
public enum PadNote: Sendable, Equatable {
    /// The dead-man is held, but a stick is not in the middle.
    case centreSticks
    /// A stop, or something else, has ended the motion.
    case letGo(String)
    /// The pad has said nothing for too long.
    case silent(Seconds)
    /// The pad has no such button.
    case noDeadMan(PadButton)
    /// This button needs the held dead-man.
    case holdDeadMan(PadButton)

    /// The sentence.
    public var text: String {
        switch self {
        case .centreSticks: "put the sticks in the middle, then the head may move"
        case .letGo(let why): "\(why): let go of the dead-man and of the sticks, then begin again"
        case .silent(let limit):
            "the pad has reported nothing for \(Int(limit.rounded())) s while a stick is deflected: stopped until the sticks are in "
                + "the middle"
        case .noDeadMan(let button): "this pad has no \(button.rawValue), the dead-man: it cannot move the head"
        case .holdDeadMan(let button): "hold \(button.rawValue), the dead-man, for this"
        }
    }
}

/// The daemon, as far as the driver must know it.
public struct DaemonView: Sendable, Equatable {
    /// Whether it is in mode `manual`.
    public var isManual: Bool
    /// Whether a stop is in force: nil if none is, else whether it is a person's.
    public var stop: Bool?
    /// Whether a fault or an emergency stop is latched.
    public var isFaulted: Bool
    /// Whether the keys control the dock.
    public var hasKeys: Bool
    /// The greatest speeds, in rad/s.
    public var speed: PanTilt

    /// Creates a view.
    public init(
        isManual: Bool = true, stop: Bool? = nil, isFaulted: Bool = false, hasKeys: Bool = false,
        speed: PanTilt = PanTilt(pan: PadSettings.usualSpeed, tilt: PadSettings.usualSpeed)
    ) {
        (self.isManual, self.stop, self.isFaulted, self.hasKeys) = (isManual, stop, isFaulted, hasKeys)
        self.speed = speed
    }
}
