internal import ControlProtocol

extension MethodKind {
    /// Whether the command takes control of the dock, so that a pending mode is cancelled.
    var isAct: Bool {
        switch self {
        case .stop, .mode, .motion, .torque, .clear: true
        case .free, .person, .read, .tuning, .write, .topics, .pictures, .words: false
        }
    }
}

extension Command {
    /// The command's class, which decides who may give it.
    var kind: MethodKind {
        switch self {
        // Ending one motion stops only that motion, and does not take the dock away from any client.
        case .releaseControl, .acquireControl, .motion(.cancel), .motion(.slow), .show: .free
        case .giveBack, .quit: .person
        case .motion(.stop), .motion(.emergencyStop): .stop
        case .status, .latency, .metrics, .trace, .help, .watch, .preset(.list), .teach(.list), .source(nil): .read
        case .motion(.setMode), .setSystemTracking: .mode
        case .motion(.torque): .torque
        case .motion(.setLimits), .motion(.setSpeed): .tuning
        case .motion(.clear): .clear
        case .motion(.chevron), .motion(.velocity), .motion(.orient), .motion(.home), .motion(.animate), .animate,
            .preset(.go), .track:
            .motion
        case .motion(.setFraming), .motion(.setRegion), .motion(.gesture), .motion(.expect), .tap, .select, .source,
            .preset(.save),
            .preset(.delete), .teach(.record), .teach(.finish), .teach(.delete), .camera, .face, .nextFace,
            .automaticFace, .randomFaces, .gestures:
            .write
        }
    }

    /// Whether the command would undo a stop, or move the head, if it ran after a stop or after the end of its program.
    /// Switching the torque off does neither.
    var movesAfterStop: Bool {
        if case .motion(.expect) = self { return true }
        return kind.isAct && kind != .stop && self != .motion(.torque(false))
    }

    /// Whether what the command begins ends with the lease of the program that sent it, even as a person's words.
    var endsWithLease: Bool {
        if case .motion(.expect) = self { return true }
        return kind == .motion
    }

    /// Whether the command is an animation. It does not take the dock over, because the mode is restored afterwards.
    var isAnimation: Bool {
        switch self {
        case .animate, .motion(.animate): true
        default: false
        }
    }
}
