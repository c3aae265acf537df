internal import DockControl
internal import Geometry

/// The faults that a story justifies. A correct rig must not be accused of any other.
struct Accusations {
    private var reasons: Set<Reason> = []

    private enum Reason { case line, load, lie, clock, heat, button, hand, camera, stranger }

    /// Records a happening that justifies faults.
    mutating func happens(_ what: ScenarioEvent) {
        switch what {
        // The camera does not sit on another dock, which is turned until it identifies itself.
        case .swapDock, .otherDock: reasons.formUnion([.line, .stranger])
        case .badLine, .narrowLine, .slowLine, .mute, .deaf, .unplug, .reboot, .hang, .suspend,
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

    /// Records that the camera does not match the profile.
    mutating func cameraIsWrong() { reasons.insert(.camera) }

    /// Records an emergency stop.
    mutating func emergencyStopped() { reasons.insert(.hand) }

    /// Whether the dock may be latched for this fault.
    func allow(_ fault: DockFault) -> Bool {
        switch fault {
        case .emergencyStop: !reasons.isDisjoint(with: [.button, .hand])
        case .overTemperature: reasons.contains(.heat)
        case .stall, .followingError: !reasons.isDisjoint(with: [.line, .load, .lie])
        case .signSuspect, .pictureDoesNotFollow: !reasons.isDisjoint(with: [.load, .lie, .clock, .camera, .stranger])
        case .device, .versionMismatch: false
        }
    }
}
