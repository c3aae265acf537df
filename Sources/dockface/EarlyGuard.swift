import DockControl
import Synchronization

/// The guard of `dockface run` and `dockface check`, begun at the very entry, before the process has other threads: a fork of one that has may
/// find any lock held.
enum EarlyGuard {
    private static let begun = Mutex<[Result<DockGuard, DockError>]>([])

    /// Whether the words are those of a verb that drives a dock.
    static func drives(_ words: [String]) -> Bool {
        (words.first == "run" || words.first == "check") && !words.contains(where: ["--help", "-h"].contains)
    }

    /// Begins it where the words call for one: what can move something.
    static func begin(for words: [String]) {
        guard drives(words), !words.contains("--dry-run") else { return }
        // One for each dock.
        let others = words.count { $0 == "--also" || $0.hasPrefix("--also=") }
        for _ in 0...others {
            let result = Result { () throws(DockError) in try DockGuard() }
            begun.withLock { $0.append(result) }
        }
    }

    /// Hands it over; nil: none was called for. Where it did not start, a warning: the dock's own deadman is left.
    static func take() throws -> DockGuard? {
        switch begun.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        case .success(let started):
            if started.threadsAtStart > 1 { warn("the guard was begun beside \(started.threadsAtStart - 1) threads") }
            return started
        case .failure(let error):
            warn("\(error.message): \(error.hint)")
            return nil
        case nil: return nil
        }
    }

    private static func warn(_ text: String) { _ = fail(text, status: 0) }
}
