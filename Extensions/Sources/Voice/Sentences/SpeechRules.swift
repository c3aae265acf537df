public import ControlProtocol
public import Geometry

/// How often a voice may speak without becoming a nuisance, in seconds. The values are those of programs that guide people by
/// voice.
public enum SpeechRules {
    /// From the beginning of a sentence to that of the next one, except a high one, which does not wait.
    public static let pause: Seconds = 4
    /// The longest sentence. A speech program that takes longer hangs.
    public static let longest: Seconds = 60
    /// The most sentences that wait.
    public static let mostWaiting = 2

    /// How long a sentence waits for its turn.
    public static func patience(_ urgency: CueUrgency) -> Seconds {
        switch urgency {
        case .low: 2
        case .normal: 6
        case .high: 10
        }
    }

    /// After which time the same sentence may be spoken again.
    public static func repetition(_ urgency: CueUrgency) -> Seconds { urgency == .low ? 20 : 6 }
}

/// What was spoken last, so that nothing is repeated too soon.
struct SpeechMemory: Sendable, Equatable {
    private var spoken: [(text: String, time: Seconds)] = []
    /// When the pause after the beginning of the last sentence is over.
    private(set) var free: Seconds = -.infinity

    /// The most sentences that are kept. In the time of the longest repetition, no more are spoken unless they are high.
    private static let most = 8

    static func == (a: SpeechMemory, b: SpeechMemory) -> Bool {
        a.free == b.free && a.spoken.elementsEqual(b.spoken) { $0 == $1 }
    }

    /// Records that a sentence begins.
    mutating func began(_ text: String, now: Seconds) {
        spoken.removeAll { $0.text == text }
        if spoken.count >= Self.most { spoken.removeFirst() }
        spoken.append((text, now))
        free = now + SpeechRules.pause
    }

    /// Whether a sentence would be repeated too soon.
    func repeats(_ text: String, _ urgency: CueUrgency, now: Seconds) -> Bool {
        spoken.contains { $0.text == text && now - $0.time < SpeechRules.repetition(urgency) }
    }
}
