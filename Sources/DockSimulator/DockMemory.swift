internal import DockFirmware
internal import Geometry

/// What outlasts a reboot of a simulated dock.
struct DockMemory: Sendable {
    /// The settings stored by SAVE.
    var settings = FirmwareSettings()
    /// Number of boots, including the first one.
    private(set) var boots = 1
    private(set) var bootTime: Seconds

    init(bootTime: Seconds) { self.bootTime = bootTime }

    /// The dock boots again.
    mutating func boot(at time: Seconds) { (boots, bootTime) = (boots + 1, time) }

    /// The boot number that it reports; the first one was `first`.
    func bootID(from first: UInt16) -> UInt16 { first &+ UInt16(truncatingIfNeeded: boots - 1) }
}

/// The physical state that the firmware reads again after a reboot.
struct DockSwitches: Sendable {
    /// Whether the emergency button is pressed.
    var isPressed = false
    /// Whether the motors are hot.
    var isHot = false
}
