internal import Companion
internal import DockControl

/// The order of requests: what waited before a stop is not carried out after that stop.
struct QueueWatch {
    private var waiting: [(number: Int, command: MotionCommand, asker: RequestOrigin?)] = []
    private var next = 0
    /// Number of the newest stop that was carried out.
    private var stopped = -1

    /// The command goes to the loop.
    mutating func asked(_ command: MotionCommand, by asker: RequestOrigin?) {
        waiting.append((next, command, asker))
        next += 1
    }

    /// The command was answered. Returns what is wrong, or nil.
    mutating func answered(_ command: MotionCommand, by asker: RequestOrigin?, isDone: Bool) -> String? {
        guard let index = waiting.firstIndex(where: { $0.command == command && $0.asker == asker }) else { return nil }
        let number = waiting.remove(at: index).number
        guard isDone else { return nil }
        switch command {
        case .stop, .emergencyStop: stopped = max(stopped, number)
        // These wait for the dock's confirmation. They were carried out earlier.
        case .clear, .torque(false): break
        default:
            if number < stopped { return "\(command) waited before a stop, and was carried out after it" }
        }
        return nil
    }
}
