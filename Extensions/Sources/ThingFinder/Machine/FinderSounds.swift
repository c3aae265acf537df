/// The sounds of a search, by the names that programs which play sounds know.
public struct FinderSounds: Sendable {
    private var phase = FinderPhase.searching
    private var looks = 0

    /// Creates the sounds of a search that begins.
    public init() {}

    /// Returns the name of the sound for what has changed, or nil.
    public mutating func next(_ progress: FinderProgress) -> String? {
        defer { (phase, looks) = (progress.phase, progress.looks) }
        guard progress.phase == phase else { return Self.name(of: progress.phase) }
        return progress.looks > looks ? "find-look" : nil
    }

    private static func name(of phase: FinderPhase) -> String? {
        switch phase {
        case .verifying: "find-candidate"
        case .found: "find-found"
        case .lost: "find-lost"
        case .givenUp, .blocked: "find-given-up"
        case .searching, .paused: nil
        }
    }
}
