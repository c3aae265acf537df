import Companion
import Geometry

/// Executes a check: moves 3 degrees per axis, and asks a person what happened.
final class CheckMover: DeskMover {
    /// Runs the whole check.
    /// - Throws: `DockError` if the dock does not answer, disconnects or latches.
    func check() throws -> (result: DockCheck.Result, dock: String?) {
        var check = DockCheck()
        do {
            try prepare()
            while true {
                switch check.step {
                case .move(let axis, let angle):
                    // Keys are discarded now and not later, because a key that is typed after the announcement stops
                    // the motion.
                    desk.forgetKeys()
                    if check.returnsFirst {
                        desk.say("\(axis.rawValue) turns back")
                        _ = try move(axis, by: -angle)
                        check.returned()
                    }
                    desk.say("\(axis.rawValue) turns by \(angle > 0 ? "+" : "-")3 degrees")
                    let (from, to) = try move(axis, by: angle)
                    check.moved(from: from, to: to)
                case .ask(let axis):
                    desk.ask(
                        axis == .pan
                            ? "did it turn to ITS right (your left, if it looks at you)? [y/n/q, a: again]"
                            : "did it look up? [y/n/q, a: again]")
                    check.answered(desk.answer())
                case .over(let result):
                    return (result, identity)
                }
            }
        } catch is Stopped {
            check.stopped()
            return (.stopped, nil)
        }
    }
}
