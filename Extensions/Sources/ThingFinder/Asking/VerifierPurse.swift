/// What the questions of a search may cost. A question is not asked if it could cost more than what is left.
public struct VerifierPurse: Sendable, Equatable {
    /// The most that a search may cost, in its owner's money, or nil for no limit.
    public let limit: Double?
    /// What it has cost.
    public private(set) var spent = 0.0
    /// What the open question may cost.
    private var open = 0.0

    /// Creates a purse.
    public init(limit: Double?) { self.limit = limit }

    /// Reserves the most that a question can cost. Returns false if that is not left; then do not ask.
    public mutating func reserve(_ most: Double) -> Bool {
        settle(nil)
        guard let limit else { return true }
        guard spent + most <= limit else { return false }
        open = most
        return true
    }

    /// Pays the open question. Without an answer it has cost the most that it could.
    public mutating func settle(_ cost: Double?) {
        spent += cost ?? open
        open = 0
    }
}
