internal import Geometry

/// Passes the first problems, and then one per second with the number of those it held back.
struct ProblemLimiter: Sendable {
    /// The number of further problems that pass without a wait.
    private var free: Int
    private var last: Seconds?
    private var kept: DecoderProblem?

    /// Creates a limiter. `free` is the number of problems that pass before the limit applies.
    init(free: Int = 0) { self.free = free }

    /// Returns the problem to report now, or nil if one was reported within the last second.
    mutating func report(_ reason: DecoderProblem.Reason, line: Int, at now: Seconds) -> DecoderProblem? {
        if free > 0 {
            free -= 1
            return DecoderProblem(line: line, reason: reason, count: 1)
        }
        kept = DecoderProblem(line: line, reason: reason, count: (kept?.count ?? 0) + 1)
        return overdue(at: now)
    }

    /// Returns the problem that is still held back at the end of the input.
    mutating func flush() -> DecoderProblem? {
        defer { kept = nil }
        return kept
    }

    /// Returns the problem that was held back, once its second is over.
    mutating func overdue(at now: Seconds) -> DecoderProblem? {
        guard let problem = kept, last.map({ now - $0 >= 1 }) ?? true else { return nil }
        kept = nil
        last = now
        return problem
    }
}
