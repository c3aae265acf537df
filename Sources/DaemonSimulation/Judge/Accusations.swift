internal import DockControl
internal import Geometry

/// Which faults a story gives reason for: a right rig is accused of nothing.
struct Accusations {
    private var reasons: Set<Reason> = []

    private enum Reason { case line, load, lie, clock, heat, button, hand, camera }

    /// Something goes wrong.
    mutating func happens(_ what: Happening) {
        switch what {
        case .badLine, .narrowLine, .slowLine, .mute, .deaf, .unplug, .otherDock, .swapDock, .reboot, .hang, .suspend,
            .busyPort,
            .guardGone:
            reasons.insert(.line)
        case .block: reasons.insert(.load)
        case .wrongMotor, .wrongEncoder, .falseRates: reasons.insert(.lie)
        case .detectorClock: reasons.insert(.clock)
        case .heat: reasons.insert(.heat)
        case .emergencyButton: reasons.insert(.button)
        default: break
        }
    }

    /// The camera is not as the profile says.
    mutating func cameraIsWrong() { reasons.insert(.camera) }

    /// Somebody pulled the emergency stop.
    mutating func emergencyStopped() { reasons.insert(.hand) }

    /// Whether the dock may be latched for this.
    func allow(_ fault: DockFault) -> Bool {
        switch fault {
        case .emergencyStop: !reasons.isDisjoint(with: [.button, .hand])
        case .overTemperature: reasons.contains(.heat)
        case .stall, .followingError: !reasons.isDisjoint(with: [.line, .load, .lie])
        case .signSuspect, .pictureDoesNotFollow: !reasons.isDisjoint(with: [.line, .load, .lie, .clock, .camera])
        case .device, .versionMismatch: false
        }
    }
}
