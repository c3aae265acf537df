public import Geometry

/// How far a search is.
public struct FinderProgress: Sendable, Equatable {
    /// What it does.
    public var phase = FinderPhase.searching
    /// Why, in words.
    public var reason = ""
    /// How many looks are complete.
    public var looks = 0
    /// The share of the room that was seen, 0...1.
    public var share = 0.0
    /// How many requests were sent to the verifier.
    public var requests = 0
    /// The time left, in seconds.
    public var timeLeft: Seconds = 0

    /// Creates the progress of a search that has not begun.
    public init() {}
}
