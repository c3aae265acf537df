import Companion
import ControlProtocol
import DockControl
import Geometry

/// Follows one motion by its number through the states of topic `motion`. It only decides, and does not wait.
struct MotionFollower {
    /// Returns the accuracy of the times of the frames.
    enum Finding: Equatable {
        /// The motion has not begun in this state, or is not mentioned.
        case nothing
        /// The motion is in progress: its name, the completed fraction (0...1), and the planned remaining seconds.
        case running(name: String, fraction: Double, left: Seconds)
        /// The motion has ended.
        case ended(MotionOutcome)
        /// The motion has ended, and so has a newer one, so that its outcome is no longer known.
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
        // Two motions never run at once.
        guard now == number else { return .missed }
        let fraction = (running?["fraction"]?.number ?? 0).clamped(to: 0...1)
        return .running(
            name: running?["name"]?.string ?? "motion", fraction: fraction,
            left: (running?["duration"]?.number ?? 0) * (1 - fraction))
    }
}

extension MotionOutcome {
    /// The reason, and what to do; for people.
    var story: (text: String, hint: String) {
        switch self {
        case .completed: ("it arrived", "")
        case .cancelled: ("it was cancelled", "send it again")
        case .superseded: ("a newer motion replaced it", "send one motion at a time")
        case .takenOver: ("a person took control of the dock", "`dockface mode manual` and send it again")
        case .stopped: ("it was stopped", "send it again when the way is clear")
        case .emergencyStopped: ("emergency stop", "check the dock, then `dockface clear`")
        case .faulted: ("a fault stopped it", "`dockface status --why`, then `dockface clear`")
        case .unplugged:
            (
                "the connection to the dock was interrupted", "`dockface status --why`, then send the motion again"
            )
        case .limited: ("a limit was in the way", "`dockface status` shows the limits")
        case .modeChanged: ("the mode was changed", "`dockface mode manual` and send it again")
        case .leaseLost: ("the client that requested it lost control", "send it again")
        }
    }
}
