internal import Geometry

/// Bounds the lines that a server causes in the log: the same line at most once a minute, and at most 20 a minute.
struct LineBudget: Sendable, Equatable {
    static let period: Seconds = 60, most = 20

    private var said: [String: Seconds] = [:]

    /// Whether a line may be written now.
    mutating func admits(_ line: String, now: Seconds) -> Bool {
        said = said.filter { now - $0.value < Self.period }
        guard said[line] == nil, said.count < Self.most else { return false }
        said[line] = now
        return true
    }
}
