internal import DockTypes
internal import Geometry

/// What to do when the daemon does not answer, as a pure value.
struct DaemonSearch: Sendable {
    /// What to do next.
    enum Step: Sendable, Equatable {
        /// Try again after these seconds; say this first, if anything.
        case wait(Seconds, saying: String?)
        /// Give up, because waiting does not help.
        case giveUp(DockError)
    }

    private let path: String
    private var delay = BackOff()
    private var said: Set<DockError.Code> = []

    /// Creates the search for a daemon at a path.
    init(path: String) { self.path = path }

    /// Records that the daemon could not be reached. Each reason to wait is named once.
    mutating func failed(_ error: DockError) -> Step {
        let advice: String
        switch error.code {
        case .notConnected: advice = "start it with `dockface run`"
        // It runs, but it hangs or has no free slot. Both may pass.
        case .timeout, .busy: advice = error.message
        default: return .giveUp(error)
        }
        let isNew = said.insert(error.code).inserted
        return .wait(delay.failed(), saying: isNew ? "waiting for the daemon at \(path): \(advice)" : nil)
    }
}
