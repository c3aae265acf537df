internal import Geometry

/// What a verifier says about a picture of a thing.
public enum VerifierWord: String, Sendable, CaseIterable {
    /// It is the thing.
    case match
    /// The picture does not show enough.
    case unclear
    /// It is another thing.
    case reject
}

/// What verifiers have said of one thing. The time of a verdict is that of the answer. Later pictures do not change it.
struct Verdicts: Sendable, Equatable {
    /// When the pictures were taken that matched, without a rejection since.
    private(set) var matches: [Seconds] = []
    /// When it was rejected last, and when an answer or a look was last of no use.
    private(set) var rejected: Seconds?, unclear: Seconds?
    /// How many answers were unclear since the last clear one.
    private(set) var doubts = 0

    /// How many pictures must match.
    static let needed = 2
    /// How long a rejection counts, in seconds. The thing may have been put in another's place since.
    static let rejection: Seconds = 60
    /// How long a thing that could not be judged is left alone, in seconds.
    static let pause: Seconds = 10
    /// How many unclear answers are enough.
    static let mostDoubts = 3

    /// Receives an answer about a picture.
    mutating func receive(_ word: VerifierWord, picture: Seconds, now: Seconds) {
        switch word {
        case .match:
            if !matches.contains(picture) { matches = (matches + [picture]).suffix(Self.needed) }
            doubts = 0
        case .reject:
            // A verifier that contradicts itself has confirmed nothing.
            (matches, rejected, doubts) = ([], now, 0)
        case .unclear:
            doubts += 1
            if doubts >= Self.mostDoubts { setAside(now: now) }
        }
    }

    /// Leaves the thing alone for a while, because it could not be judged.
    mutating func setAside(now: Seconds) { (unclear, doubts, matches) = (now, 0, []) }

    /// Forgets the matches, because the thing was lost.
    mutating func forgetMatches() { matches = [] }

    /// For a deliberate bug.
    mutating func renew(now: Seconds) { if rejected != nil { rejected = now } }

    /// Whether it counts as another thing.
    func isRejected(now: Seconds) -> Bool { rejected.map { now - $0 < Self.rejection } ?? false }

    /// Whether it is not looked at for a while.
    func isSetAside(now: Seconds) -> Bool {
        isRejected(now: now) || unclear.map { now - $0 < Self.pause } ?? false
    }

    /// Whether enough pictures have matched.
    var isConfirmed: Bool { matches.count >= Self.needed }
}
