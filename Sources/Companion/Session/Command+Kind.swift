/// What a command is to those who ask who may give it.
extension Command {
    /// What a command means for precedence.
    enum Kind: Sendable {
        /// Stops: anybody, always.
        case stop
        /// Neither reads nor writes the dock.
        case free
        /// A person's alone.
        case person
        case read
        case mode
        case motion
        /// Lets go of the motors, or takes them.
        case torque
        /// How far and how fast.
        case tuning
        /// Releases a latch.
        case clear
        case write

        /// Somebody has the dock in hand: it does not begin to steer by itself any more.
        var isAct: Bool {
            switch self {
            case .stop, .mode, .motion, .torque, .clear: true
            case .free, .person, .read, .tuning, .write: false
            }
        }
    }

    var kind: Kind {
        switch self {
        // Ending a motion is a stop, of that one; it takes nobody's dock.
        case .releaseControl, .acquireControl, .motion(.cancel): .free
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
        case .motion(.setFraming), .motion(.setRegion), .motion(.gesture), .tap, .select, .source, .preset(.save),
            .preset(.delete), .teach(.record), .teach(.finish), .teach(.delete), .camera, .face, .nextFace,
            .automaticFace, .randomFaces, .gestures:
            .write
        }
    }

    /// Carried out after a stop that was meant to follow it, it would take that stop back. Letting go of the motors does not.
    var movesAfterStop: Bool { kind.isAct && kind != .stop && self != .motion(.torque(false)) }

    /// Animations are nobody's taking over: the mode comes back after them.
    var isAnimation: Bool {
        switch self {
        case .animate, .motion(.animate): true
        default: false
        }
    }
}
