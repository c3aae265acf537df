/// What a search does at present.
public enum FinderPhase: String, Sendable, CaseIterable {
    /// It looks round.
    case searching
    /// It has seen something that may be the thing, and makes sure.
    case verifying
    /// It sees the thing.
    case found
    /// It had found the thing, and does not see it any more.
    case lost
    /// A person has the head, or has stopped it. It does not go on by itself.
    case paused
    /// It has not found the thing.
    case givenUp = "given up"
    /// Something is missing, without which it cannot go on.
    case blocked

    /// Whether the search goes on by itself.
    var isActive: Bool {
        switch self {
        case .searching, .verifying, .found, .lost, .blocked: true
        case .paused, .givenUp: false
        }
    }
}
