internal import DockWire

extension Acknowledgement {
    /// The text for the log after "the dock refused": what, and why.
    var refusal: String {
        let what =
            switch ofType {
            case FrameType.setpoint: "to move"
            case FrameType.home: "to go home"
            case FrameType.torque: "to switch its torque"
            case FrameType.setLimits: "to change its limits"
            case FrameType.parameter: "a parameter"
            case FrameType.hello: "the greeting"
            case FrameType.timeSync: "to compare clocks"
            case FrameType.getLimits: "to report its limits"
            case FrameType.eventAcknowledge: "the acknowledgement of an event"
            case FrameType.save: "to save its settings"
            case FrameType.reboot: "to reboot"
            case FrameType.emergencyStop: "to release its latch"
            default: "a message of type 0x\(String(ofType, radix: 16)) that dockface did not send"
            }
        let why =
            switch code {
            case .fault: "it has latched a fault; find what blocks or heats it, then type `dockface clear`"
            case .lowPower: "its battery or supply is too low"
            case .notHomed: "it does not know its position yet"
            case .busy: "a motion of its own is running"
            case .range: "a value is outside its range"
            case .flash: "it could not write its memory"
            case .unknownType: "it does not know that message; update its firmware"
            case .badLength: "the message was too short; update its firmware or dockface"
            case .version: "it speaks another version; update its firmware or dockface"
            case .emergencyStop: "its emergency stop is latched; make sure all is well, then type `dockface clear`"
            case .notArmed: "it was not greeted, or its torque is off"
            case .ok: "it accepted it"
            case .other: "it gave a reason that dockface does not know; update dockface"
            }
        return "\(what): \(why)"
    }
}
