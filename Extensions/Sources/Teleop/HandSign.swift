/// What the hand's other gesture does, as a few words of the daemon say it.
///
/// Only these: everything that may connect can make the sign, and the daemon must take it for a program's. A line of
/// command words would count as a person's, and would move a head that a person has stopped.
public enum HandSign: Sendable, Equatable {
    /// Stops the head.
    case stop
    /// Triggers the emergency stop.
    case emergencyStop
    /// Goes to the home pose.
    case home
    /// Goes to a saved pose.
    case preset(String)
    /// Plays an animation.
    case animate(String)
    /// Shows an expression.
    case face(String)
    /// Shows the next expression.
    case nextFace

    /// Whether the sign stops the head.
    var isStop: Bool { self == .stop || self == .emergencyStop }

    /// The words that are accepted, for messages.
    public static let forms = "stop, estop, home, preset go NAME, animate NAME, face NAME and face next"

    /// Reads a setting. The result is nil for any other words.
    public init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        guard words.allSatisfy({ $0.utf8.count <= 32 && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else {
            return nil
        }
        switch words.count {
        case 1 where words[0] == "stop": self = .stop
        case 1 where words[0] == "estop": self = .emergencyStop
        case 1 where words[0] == "home": self = .home
        case 2 where words[0] == "animate": self = .animate(words[1])
        case 2 where words == ["face", "next"]: self = .nextFace
        case 2 where words[0] == "face" && !["auto", "random"].contains(words[1]): self = .face(words[1])
        case 3 where words[0] == "preset" && words[1] == "go": self = .preset(words[2])
        default: return nil
        }
    }

    /// The same as words.
    public var words: String {
        switch self {
        case .stop: "stop"
        case .emergencyStop: "estop"
        case .home: "home"
        case .preset(let name): "preset go \(name)"
        case .animate(let name): "animate \(name)"
        case .face(let name): "face \(name)"
        case .nextFace: "face next"
        }
    }
}
