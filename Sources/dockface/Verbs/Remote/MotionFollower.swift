import Companion
import DockControl
import Geometry

/// Follows one motion by its number through the states of topic `motion`. Decides only; nothing is waited for here.
struct MotionFollower {
    /// What a state tells of the motion.
    enum Finding: Equatable {
        /// Nothing: it has not begun in this state, or is not told of.
        case nothing
        /// It runs: its name, how much of it is done, 0...1, and the seconds that are left as planned.
        case running(name: String, fraction: Double, left: Seconds)
        /// It is over.
        case ended(MotionOutcome)
        /// It is over, and a newer one ended since: how is not known any more.
        case missed
    }

    let number: Int

    func find(in state: JSONValue) -> Finding {
        let running = state["motion"], last = state["ended"]
        let own = (state["endings"]?.array ?? [last ?? .null]).first { $0["id"]?.integer == number }
        if let own {
            return own["outcome"]?.string.flatMap(MotionOutcome.init(rawValue:)).map(Finding.ended) ?? .missed
        }
        if let newer = last?["id"]?.integer, newer > number { return .missed }
        guard let now = running?["id"]?.integer, now >= number else { return .nothing }
        // Two never run at once.
        guard now == number else { return .missed }
        let fraction = (running?["fraction"]?.number ?? 0).clamped(to: 0...1)
        return .running(
            name: running?["name"]?.string ?? "motion", fraction: fraction,
            left: (running?["duration"]?.number ?? 0) * (1 - fraction))
    }
}

extension MotionOutcome {
    /// What came between, and what to do; for people.
    var story: (text: String, hint: String) {
        switch self {
        case .completed: ("it arrived", "")
        case .cancelled: ("it was cancelled", "send it again")
        case .superseded: ("a newer motion took its place", "one at a time")
        case .takenOver: ("a person took the dock over", "`dockface mode manual` and send it again")
        case .stopped: ("it was stopped", "send it again when the way is clear")
        case .emergencyStopped: ("emergency stop", "look after the dock, then `dockface clear`")
        case .faulted: ("a fault stopped it", "`dockface status --why`, then `dockface clear`")
        case .unplugged: ("the dock is gone", "plug it in again")
        case .limited: ("a limit was in the way", "`dockface status` shows the limits")
        case .modeChanged: ("the mode was changed", "`dockface mode manual` and send it again")
        case .leaseLost: ("who asked for it lost control", "send it again")
        }
    }
}
