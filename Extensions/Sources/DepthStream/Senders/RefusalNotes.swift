public import Geometry

/// Which refusals are worth a line of the log, as a pure value: each text once a minute, so that a sender that comes back
/// every three seconds does not fill it.
public struct RefusalNotes: Sendable {
    /// The time between two lines with the same text, in seconds, and the most texts that are remembered.
    public static let pause: Seconds = 60, most = 64

    private var said: [String: Seconds] = [:]

    /// Creates a value before the first refusal.
    public init() {}

    /// Returns whether a text is written now.
    public mutating func isNew(_ text: String, now: Seconds) -> Bool {
        said = said.filter { now - $0.value < Self.pause }
        guard said[text] == nil, said.count < Self.most else { return false }
        said[text] = now
        return true
    }
}
