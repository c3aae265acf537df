public import ControlProtocol
public import Geometry

/// A sentence that waits, or is being spoken.
public struct Utterance: Sendable, Equatable {
    /// The words, ready to be spoken.
    public var text: String
    /// How urgent it is.
    public var urgency: CueUrgency
    /// When it was offered, CLOCK_MONOTONIC.
    public var arrival: Seconds

    /// Creates a sentence.
    public init(_ text: String, _ urgency: CueUrgency, arrival: Seconds) {
        (self.text, self.urgency, self.arrival) = (text, urgency, arrival)
    }

    /// The time after which it is not true any more, CLOCK_MONOTONIC.
    public var expiry: Seconds { arrival + SpeechRules.patience(urgency) }
}

extension CueUrgency {
    /// Low 0, normal 1, high 2.
    var rank: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }
}
