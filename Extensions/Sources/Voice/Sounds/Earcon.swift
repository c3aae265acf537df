public import Geometry

/// A short sound that means something: one to three notes, at most a quarter of a second.
public struct Earcon: Sendable, Equatable {
    /// One note: a sine whose pitch may glide.
    public struct Note: Sendable, Equatable {
        /// The frequency at its beginning and at its end, in Hz.
        public var from: Double, to: Double
        /// How long it sounds, and the silence after it, in seconds.
        public var duration: Seconds, gap: Seconds

        init(_ from: Double, to: Double? = nil, _ duration: Seconds, gap: Seconds = 0) {
            (self.from, self.to, self.duration, self.gap) = (from, to ?? from, duration, gap)
        }
    }

    /// The name by which programs offer it.
    public let name: String
    /// What it means.
    public let meaning: String
    /// Its notes, in order.
    public let notes: [Note]
    /// Whether it only marks progress: it is left out rather than late.
    public let isTick: Bool

    private init(_ name: String, _ meaning: String, _ notes: [Note], isTick: Bool = false) {
        (self.name, self.meaning, self.notes, self.isTick) = (name, meaning, notes, isTick)
    }

    /// How long it is, in seconds.
    public var duration: Seconds { notes.reduce(0) { $0 + $1.duration + $1.gap } }

    /// The sound of this name, or nil.
    public static func named(_ name: String) -> Earcon? { all.first { $0.name == name } }

    /// All sounds. Rising means yes, or more; falling means no, or the end.
    public static let all = [
        Earcon("attention", "listen", [Note(880, 0.1, gap: 0.04), Note(880, 0.1)]),
        Earcon("ok", "it was understood", [Note(660, 0.07, gap: 0.02), Note(880, 0.09)]),
        Earcon("wrong", "it did not work", [Note(330, 0.09, gap: 0.02), Note(247, 0.13)]),
        Earcon("find-look", "a place was looked at", [Note(1000, 0.03)], isTick: true),
        Earcon("find-candidate", "something may be it", [Note(600, to: 900, 0.12)]),
        Earcon("find-found", "it was found", [Note(660, 0.09, gap: 0.02), Note(990, 0.13)]),
        Earcon("find-lost", "it is gone", [Note(660, 0.09, gap: 0.02), Note(440, 0.13)]),
        Earcon("find-given-up", "it was not found", [Note(220, 0.25)]),
        Earcon("gesture-stop", "the palm has stopped the head", [Note(440, 0.15)]),
        Earcon("gesture-ready", "the palm was held", [Note(880, 0.06)]),
        Earcon("gesture-clutch", "the head follows the hand", [Note(500, to: 700, 0.08)]),
        Earcon("gesture-release", "the head holds", [Note(700, to: 500, 0.08)]),
        Earcon("gesture-look", "the head looks there", [Note(1200, 0.04, gap: 0.04), Note(1200, 0.04)]),
        Earcon("gesture-yes", "thumb up", [Note(587, 0.06, gap: 0.02), Note(784, 0.08)]),
        Earcon("gesture-nope", "thumb down", [Note(784, 0.06, gap: 0.02), Note(587, 0.08)]),
        Earcon("gesture-greet", "hello", [Note(523, 0.06, gap: 0.02), Note(659, 0.06, gap: 0.02), Note(784, 0.08)]),
        Earcon("gesture-disarmed", "gestures are off", [Note(500, to: 250, 0.2)]),
    ]
}
