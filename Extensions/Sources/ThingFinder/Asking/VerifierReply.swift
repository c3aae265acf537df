internal import ControlProtocol
internal import PlainText

/// A line that a verifier has written, read as data of a closed form. Whatever a picture made a verifier write, it is one
/// of these, or nothing.
public enum VerifierReply: Sendable, Equatable {
    /// It is ready. The most that one question costs, in its owner's money; 0 if it costs nothing.
    case ready(cost: Double)
    /// It will never judge anything, for this reason.
    case unusable(String)
    /// It has judged the picture of a question.
    case verdict(id: Int, Verdict)
    /// It could not judge the picture of a question.
    case failure(id: Int, Failure)

    /// A judgement.
    public struct Verdict: Sendable, Equatable {
        /// The judgement.
        public var word: VerifierWord
        /// How sure it is, 0...1.
        public var confidence: Double
        /// Why, in its words. Nothing but people read them.
        public var reason = ""
        /// What it has cost.
        public var cost = 0.0

        /// Creates a judgement.
        public init(_ word: VerifierWord, confidence: Double, reason: String = "", cost: Double = 0) {
            (self.word, self.confidence, self.reason, self.cost) = (word, confidence, reason, cost)
        }
    }

    /// Why there is no judgement.
    public struct Failure: Sendable, Equatable {
        /// Why, in its words.
        public var text: String
        /// How long it wants to be left alone, in seconds, or nil if it does not say.
        public var after: Double?
        /// Whether asking again is of no use.
        public var isFinal = false
        /// What the attempt has cost.
        public var cost = 0.0

        /// Creates a failure.
        public init(_ text: String, after: Double? = nil, isFinal: Bool = false, cost: Double = 0) {
            (self.text, self.after, self.isFinal, self.cost) = (text, after, isFinal, cost)
        }
    }

    /// The longest line, in bytes, and the longest reason, in characters; one that ends a search says what to do.
    public static let longestLine = 8192
    static let longestReason = 120, longestEnd = 400

    /// Reads a line without its end. The result is nil if it has not the form.
    public init?(line: [UInt8]) {
        guard line.count <= Self.longestLine, let json = JSONValue(json: line) else { return nil }
        switch json["type"]?.string {
        case "ready":
            guard let cost = Self.cost(json) else { return nil }
            self = .ready(cost: cost)
        case "unusable":
            guard let reason = json["reason"]?.string else { return nil }
            self = .unusable(ForeignText.line(reason, longest: Self.longestEnd))
        case nil:
            guard json["type"] == nil, let id = json["id"]?.integer, let cost = Self.cost(json) else { return nil }
            guard let answer = Self.answer(json, id: id, cost: cost) else { return nil }
            self = answer
        default: return nil
        }
    }

    private static func answer(_ json: JSONValue, id: Int, cost: Double) -> VerifierReply? {
        switch (json["verdict"]?.string, json["error"]?.string) {
        case (let text?, nil):
            guard json["error"] == nil, let word = VerifierWord(rawValue: text),
                let confidence = json["confidence"]?.number, (0...1).contains(confidence)
            else { return nil }
            let reason = plain(json["reason"]?.string ?? "")
            return .verdict(id: id, Verdict(word, confidence: confidence, reason: reason, cost: cost))
        case (nil, let text?):
            guard json["verdict"] == nil else { return nil }
            let after = json["after"]?.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            return .failure(
                id: id, Failure(plain(text), after: after, isFinal: json["final"]?.bool ?? false, cost: cost))
        default: return nil
        }
    }

    /// Reads a cost, which may be missing; nil if it is none.
    private static func cost(_ json: JSONValue) -> Double? {
        guard let value = json["cost"], !value.isNull else { return 0 }
        return value.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private static func plain(_ text: String) -> String { ForeignText.line(text, longest: longestReason) }
}
