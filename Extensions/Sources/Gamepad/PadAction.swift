/// What a button does.
public enum PadAction: Sendable, Equatable {
    /// Nothing.
    case none
    /// Stops the head, as a person's stop.
    case stop
    /// The emergency stop.
    case emergencyStop
    /// Plays the next of the animations.
    case nextAnimation
    /// A command word that moves nothing.
    case word(String)
    /// A command word that moves the head. It needs the held dead-man. `needsManual`: and mode `manual`.
    case motion(String, needsManual: Bool)
    /// A command word after which programs or the tracking move the head. It needs the held dead-man.
    case handBack(String)

    /// Why a setting is no action.
    public struct Refusal: Error, Equatable {
        /// What is wrong, and what to write instead.
        public var message: String
    }

    /// Reads a setting: "stop", "estop", "next animation", "none", or a command word that suits a button.
    ///
    /// Words that turn without an end of their own, words that end the daemon or change its limits, and the clearing of
    /// an emergency stop are refused: a thumb may slip.
    /// - Throws: `Refusal`.
    public init(_ text: String) throws(Refusal) {
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && text.utf8.count <= 100
        guard isPlain, let first = words.first else { throw Self.refusal(text) }
        let line = words.joined(separator: " ")
        switch (first, words.count) {
        case ("none", 1): self = .none
        case ("stop", 1): self = .stop
        case ("estop", 1): self = .emergencyStop
        case ("next", 2) where words[1] == "animation": self = .nextAnimation
        case ("face", 2...3), ("gestures", 2), ("zoom", 2), ("shutter", 1...2), ("flip", 1), ("framing", 2):
            self = .word(line)
        case ("animate", 2): self = .motion(line, needsManual: false)
        case ("home", 1): self = .motion(line, needsManual: true)
        case ("preset", 3) where words[1] == "go": self = .motion(line, needsManual: true)
        case ("mode", 2), ("release", 1): self = .handBack(line)
        default: throw Self.refusal(text)
        }
    }

    private static func refusal(_ text: String) -> Refusal {
        let shown = String(
            text.unicodeScalars.prefix(40).filter { $0.value >= 0x20 && $0.value < 0x7F }.map(Character.init))
        return Refusal(
            message: "\"\(shown)\" is nothing for a button; give stop, estop, next animation, none, animate NAME, "
                + "preset go NAME, home, face NAME|next|auto, mode NAME, release, zoom, shutter, flip, gestures "
                + "or framing")
    }

    /// The action in words, for people.
    public var words: String {
        switch self {
        case .none: "nothing"
        case .stop: "stop"
        case .emergencyStop: "emergency stop"
        case .nextAnimation: "next animation"
        case .word(let line), .motion(let line, _), .handBack(let line): line
        }
    }

    /// Whether it needs the held dead-man.
    public var needsDeadMan: Bool {
        switch self {
        case .none, .stop, .emergencyStop, .word: false
        case .nextAnimation, .motion, .handBack: true
        }
    }
}
