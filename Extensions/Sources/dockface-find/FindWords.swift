import ControlProtocol
import Geometry
import ThingFinder

/// What people and programs read of a search.
enum FindWords {
    /// One remembered thing: `cup: 60 degrees to my left (pan -58.2, tilt -7.9), 3 minutes ago, sure to 100 %`.
    static func line(_ thing: Remembrance, now: Seconds) -> String {
        let sure = Int((thing.certainty * 100).rounded())
        return "\(thing.name): \(place(thing.bearing)), \(age(now - thing.seen)) ago, sure to \(sure) %"
    }

    /// A bearing in words and in degrees.
    static func place(_ bearing: PanTilt) -> String {
        "\(PlaceWords.of(bearing)) (pan \(tenths(bearing.pan.inDegrees)), tilt \(tenths(bearing.tilt.inDegrees)))"
    }

    /// The line that shows how far a search is.
    static func line(_ wish: Wish, _ progress: FinderProgress) -> String {
        let share = Int((progress.share * 100).rounded(.down)), left = Int(progress.timeLeft.rounded(.up))
        return "\(wish.label): \(progress.phase.rawValue), \(progress.reason) "
            + "(\(progress.looks) looks, \(share) % of the room, \(left) s left)"
    }

    /// How a search ended.
    static func line(_ wish: Wish, _ outcome: FinderOutcome, _ progress: FinderProgress, took: Seconds) -> String {
        switch outcome {
        case .found(let bearing):
            "found: \(wish.label), \(place(bearing)), after \(tenths(took)) s and \(progress.looks) looks: "
                + progress.reason
        case .givenUp(let why): "not found: \(wish.label): \(why)"
        case .blocked(let why): "the search for \(wish.label) cannot go on: \(why)"
        case .cancelled: "the search for \(wish.label) was stopped"
        }
    }

    /// A verdict: `match, 92 % sure: photo: 40 of 310 details are those of the photo`.
    static func line(_ verdict: VerifierReply.Verdict) -> String {
        "\(verdict.word.rawValue), \(Int((verdict.confidence * 100).rounded())) % sure: \(verdict.reason)"
    }

    /// A verdict as a line for programs.
    static func json(_ verdict: VerifierReply.Verdict) -> JSONValue {
        .object([
            "verdict": .string(verdict.word.rawValue), "confidence": .number(verdict.confidence),
            "reason": .string(verdict.reason),
        ])
    }

    /// A phase as a line for programs.
    static func json(_ wish: Wish, _ progress: FinderProgress, bearing: PanTilt?) -> JSONValue {
        .object([
            "wish": .string(wish.label), "phase": .string(progress.phase.rawValue), "reason": .string(progress.reason),
            "looks": .number(progress.looks), "share": .number(progress.share),
            "timeLeft": .number(progress.timeLeft), "bearing": bearing.map(JSONValue.panTilt) ?? .null,
        ])
    }

    /// An amount of money, with as many decimals as a question to a model needs.
    static func money(_ value: Double) -> String {
        let parts = Int((min(value, 1e9) * 10_000).rounded())
        let rest = String(parts % 10_000)
        return "\(parts / 10_000)." + String(repeating: "0", count: 4 - rest.count) + rest
    }

    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded()), amount = abs(tenths)
        return "\(tenths < 0 ? "-" : "")\(amount / 10).\(amount % 10)"
    }

    private static func age(_ time: Seconds) -> String {
        let seconds = Int(min(max(time, 0), 1e9))
        for (size, name) in [(86_400, "day"), (3600, "hour"), (60, "minute")] where seconds >= size {
            return "\(seconds / size) \(name)\(seconds / size == 1 ? "" : "s")"
        }
        return "\(seconds) second\(seconds == 1 ? "" : "s")"
    }
}
