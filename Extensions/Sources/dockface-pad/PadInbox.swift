internal import EventDevice
internal import Gamepad
internal import Geometry
internal import Synchronization

/// What the daemon says, for the pad's thread. Of each kind only what counts waits, so that it never grows.
final class PadInbox: Sendable {
    struct News: Sendable {
        /// Whether the connection was lost since the last time.
        var isLost = false
        /// The newest view of the daemon.
        var daemon: DaemonView?
        /// The outcomes of motions that others have ended, each once.
        var outcomes: Set<String> = []
        /// Why a velocity was refused.
        var refusal: String?
        /// The answer to the last word that moves the head: its duration, or nil if it was refused.
        var answer: Seconds??
        /// Whether the program ends.
        var isOver = false
    }

    private let news = Mutex(News())
    /// Readable when there is news.
    let bell: Bell

    init(_ bell: Bell) { self.bell = bell }

    func put(_ change: (inout sending News) -> Void) {
        news.withLock { change(&$0) }
        bell.ring()
    }

    func lost() {
        put {
            $0.isLost = true
            // What was said before belongs to the old connection.
            $0.daemon = nil
        }
    }

    func take() -> News {
        bell.clear()
        return news.withLock { news in
            defer { news = News() }
            return news
        }
    }
}
