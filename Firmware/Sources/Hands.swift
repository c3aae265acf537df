internal import DockFirmware
internal import DockWire

/// Buttons, wheel and emergency input, sampled once a millisecond.
struct Hands {
    private var button0: Contact
    private var button1: Contact
    private var tracking: Contact
    private var wheel: Wheel
    private var emergency = EmergencyInput()

    /// Milliseconds for which a contact must be stable.
    static let patience: UInt8 = 10

    init(pins: Pins, edges: UInt16) {
        button0 = Contact(patience: Self.patience, atBoot: pins.contains(.button0))
        button1 = Contact(patience: Self.patience, atBoot: pins.contains(.button1))
        tracking = Contact(patience: Self.patience, atBoot: pins.contains(.tracking))
        wheel = Wheel(edges: edges)
    }

    mutating func look(_ pins: Pins, edges: UInt16, _ firmware: inout DockFirmware, now: UInt32) {
        if emergency.sample(pins.contains(.emergency)) { firmware.setEmergencyInput(emergency.isActive, now: now) }
        if button0.sample(pins.contains(.button0)) {
            firmware.raise(event: .button, value: button0.isPressed ? 0x0001 : 0x0000, now: now)
        }
        if button1.sample(pins.contains(.button1)) {
            firmware.raise(event: .button, value: button1.isPressed ? 0x0101 : 0x0100, now: now)
        }
        if tracking.sample(pins.contains(.tracking)) {
            firmware.raise(event: .trackingButton, value: tracking.isPressed ? 1 : 0, now: now)
        }
        let steps = wheel.steps(edges)
        if steps != 0 { firmware.raise(event: .zoom, value: steps, now: now) }
    }
}

/// The LED, which shows the dock's state from a distance.
enum Light {
    static func isOn(_ firmware: DockFirmware, milliseconds: UInt32) -> Bool {
        // Latched: blinks quickly. No handshake: blinks once a second. After the handshake: short flashes. Armed: on.
        if firmware.isEmergencyStopped || firmware.fault != 0 { return milliseconds / 100 % 2 == 0 }
        if !firmware.isGreeted { return milliseconds / 500 % 2 == 0 }
        return firmware.flags.contains(.torque) || milliseconds % 2000 < 50
    }
}
