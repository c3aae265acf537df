/// Who the dock is: its answer to HELLO, also sent unasked at boot.
public struct Identity: Sendable, Equatable {
    /// The protocol version that the dock chose.
    public var protocolVersion: UInt8
    /// What the dock can do.
    public var capabilities: DockCapabilities
    /// Version of the firmware.
    public var firmware: FirmwareVersion
    /// Revision of the board.
    public var hardware: UInt16
    /// The dock's own number: the same over reboots, different from dock to dock.
    public var uniqueID: UInt64
    /// Name of the model, at most 16 bytes.
    public var model: WireText
    /// The most set-points a second that the dock takes.
    public var maximumRate: UInt16
    /// A stored counter of boots; a change means that the dock started anew.
    public var bootID: UInt16

    /// An identity of its parts.
    public init(
        protocolVersion: UInt8 = 1, capabilities: DockCapabilities, firmware: FirmwareVersion, hardware: UInt16,
        uniqueID: UInt64, model: WireText, maximumRate: UInt16 = 100, bootID: UInt16 = 0
    ) {
        self.protocolVersion = protocolVersion
        self.capabilities = capabilities
        self.firmware = firmware
        self.hardware = hardware
        self.uniqueID = uniqueID
        self.model = model
        self.maximumRate = maximumRate
        self.bootID = bootID
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        protocolVersion = try reader.u8()
        capabilities = DockCapabilities(rawValue: try reader.u32())
        firmware = FirmwareVersion(major: try reader.u8(), minor: try reader.u8(), patch: try reader.u8())
        hardware = try reader.u16()
        let low = try reader.u32()
        uniqueID = UInt64(low) | UInt64(try reader.u32()) << 32
        guard reader.remaining >= 20 else { throw reader.badLength }
        model = reader.text(16)
        maximumRate = try reader.u16()
        bootID = try reader.u16()
    }

    func write(to body: inout FrameBody) {
        body.append(protocolVersion)
        body.append(capabilities.rawValue)
        body.append(firmware.major)
        body.append(firmware.minor)
        body.append(firmware.patch)
        body.append(hardware)
        body.append(UInt32(truncatingIfNeeded: uniqueID))
        body.append(UInt32(truncatingIfNeeded: uniqueID >> 32))
        for index in 0..<16 { body.append(model[index]) }
        body.append(maximumRate)
        body.append(bootID)
    }
}

/// A firmware's version.
public struct FirmwareVersion: Sendable, Equatable {
    /// Changes that break.
    public var major: UInt8
    /// Changes that add.
    public var minor: UInt8
    /// Changes that mend.
    public var patch: UInt8

    /// A version of its parts.
    public init(major: UInt8, minor: UInt8, patch: UInt8) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }
}

/// What a dock can do.
public struct DockCapabilities: OptionSet, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt32

    /// Capabilities of their bits; unknown ones are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Measures where its axes are.
    public static let pose = DockCapabilities(rawValue: 1 << 0)
    /// Runs on a battery and reports it.
    public static let battery = DockCapabilities(rawValue: 1 << 1)
    /// Has a shutter button.
    public static let shutter = DockCapabilities(rawValue: 1 << 2)
    /// Has a camera flip button.
    public static let flip = DockCapabilities(rawValue: 1 << 3)
    /// Has a zoom wheel.
    public static let zoom = DockCapabilities(rawValue: 1 << 4)
    /// Has a tracking button.
    public static let trackingButton = DockCapabilities(rawValue: 1 << 5)
    /// Has numbered buttons.
    public static let buttons = DockCapabilities(rawValue: 1 << 6)
    /// Has an emergency stop of its own.
    public static let emergencyInput = DockCapabilities(rawValue: 1 << 7)
    /// Keeps limits and parameters over a reboot.
    public static let save = DockCapabilities(rawValue: 1 << 8)
}
