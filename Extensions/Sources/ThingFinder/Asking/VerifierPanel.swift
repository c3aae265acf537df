/// One question to several verifiers, one after the other: all must agree. One that does not ends the question, so
/// that those that cost money are asked last, and only about what the others have confirmed.
public struct VerifierPanel: Sendable, Equatable {
    private let count: Int
    /// The verifier whose turn it is.
    public private(set) var turn = 0
    private var confidence = 1.0
    private var reasons: [String] = []

    /// Creates the question for a number of verifiers, at least one.
    public init(count: Int) { self.count = max(1, count) }

    /// Receives the verdict of the verifier whose turn it is. Returns the verdict of all, or nil if another one must be
    /// asked. The verdict of all is as sure as the least sure one.
    public mutating func receive(_ verdict: VerifierReply.Verdict, from name: String) -> VerifierReply.Verdict? {
        let reason = verdict.reason.isEmpty ? name : "\(name): \(verdict.reason)"
        guard verdict.word == .match else {
            return VerifierReply.Verdict(verdict.word, confidence: verdict.confidence, reason: reason)
        }
        confidence = min(confidence, verdict.confidence)
        reasons.append(reason)
        turn += 1
        guard turn == count else { return nil }
        return VerifierReply.Verdict(.match, confidence: confidence, reason: reasons.joined(separator: "; "))
    }
}
