internal import ControlProtocol
internal import Geometry

/// The sentences that wait: at most two, the most urgent first, and none longer than it stays true.
struct SpeechQueue: Sendable, Equatable {
    private(set) var waiting: [Utterance] = []

    /// The sentence whose turn is next.
    var next: Utterance? { waiting.first }

    /// When the first of them is too old.
    var expiry: Seconds? { waiting.map(\.expiry).min() }

    func contains(_ text: String) -> Bool { waiting.contains { $0.text == text } }

    /// Adds a sentence. Returns the one that has no room: the least urgent, and of those the oldest, because the newest says
    /// how things are now.
    mutating func add(_ sentence: Utterance) -> Utterance? {
        let place = waiting.firstIndex { $0.urgency.rank < sentence.urgency.rank } ?? waiting.count
        waiting.insert(sentence, at: place)
        guard waiting.count > SpeechRules.mostWaiting, let least = waiting.last?.urgency,
            let victim = waiting.firstIndex(where: { $0.urgency == least })
        else { return nil }
        return waiting.remove(at: victim)
    }

    mutating func takeNext() -> Utterance? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Removes and returns what has waited too long.
    mutating func takeExpired(now: Seconds) -> [Utterance] {
        defer { waiting.removeAll { $0.expiry <= now } }
        return waiting.filter { $0.expiry <= now }
    }

    /// Removes and returns everything.
    mutating func takeAll() -> [Utterance] {
        defer { waiting = [] }
        return waiting
    }
}
