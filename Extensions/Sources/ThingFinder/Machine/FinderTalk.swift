internal import Geometry

/// What a search says and shows: seldom enough to be bearable.
struct FinderTalk: Sendable, Equatable {
    private var sentence = "", spoken: Seconds = -.infinity
    private(set) var mood: FinderMood?

    /// The pause between two sentences, and until the same one may come again, in seconds. What matters to the end of
    /// the search does not wait.
    static let pause: Seconds = 4, repetition: Seconds = 6

    /// Returns whether to say a sentence.
    mutating func says(_ text: String, matters: Bool, now: Seconds) -> Bool {
        let silence = now - spoken
        guard text == sentence ? silence >= Self.repetition : matters || silence >= Self.pause else { return false }
        (sentence, spoken) = (text, now)
        return true
    }

    /// Returns whether a mood is new.
    mutating func shows(_ new: FinderMood) -> Bool {
        defer { mood = new }
        return new != mood
    }
}
