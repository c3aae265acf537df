import DockControl
import DockTypes
import Synchronization

/// The guard of `dockface run`, `check` and `calibrate`. It is forked at the very beginning of `main`, before the
/// process has other threads, because any lock may be held in a fork of a process with threads.
enum EarlyGuard {
    private static let begun = Mutex<[Result<DockGuard, DockError>]>([])

    /// Returns whether the words are those of a verb that drives a dock.
    static func drives(_ words: [String]) -> Bool {
        ["run", "check", "calibrate"].contains(words.first) && !words.contains(where: ["--help", "-h"].contains)
    }

    /// Starts a guard for each dock if the words belong to a verb that can move one.
    static func begin(for words: [String]) {
        guard drives(words), !words.contains("--dry-run") else { return }
        // There is one guard for each dock.
        let others = words.count { $0 == "--also" || $0.hasPrefix("--also=") }
        for _ in 0...others {
            let result = Result { () throws(DockError) in try DockGuard() }
            begun.withLock { $0.append(result) }
        }
    }

    /// Hands over the next guard, or nil if none was requested. If it did not start, this prints a warning, and only
    /// the dock's own deadman timer remains.
    static func take() throws -> DockGuard? {
        switch begun.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        case .success(let started):
            if started.threadsAtStart > 1 {
                warn("the guard was forked while \(started.threadsAtStart - 1) other threads ran")
            }
            return started
        case .failure(let error):
            warn("\(error.message): \(error.hint)")
            return nil
        case nil: return nil
        }
    }

    private static func warn(_ text: String) { _ = fail(text, status: 0) }
}
