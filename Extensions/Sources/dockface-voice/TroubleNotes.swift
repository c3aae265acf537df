import Synchronization

/// Which troubles were named, so that each is named once. At most 64 are kept.
final class TroubleNotes: Sendable {
    private let named = Mutex<Set<String>>([])

    /// Records a trouble. Returns whether it is new.
    func isNew(_ text: String) -> Bool {
        named.withLock { named in
            if named.count >= 64 { named = [] }
            return named.insert(text).inserted
        }
    }

    /// All of them, in order of their letters.
    var all: [String] { named.withLock { $0.sorted() } }
}
