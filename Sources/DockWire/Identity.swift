/// The dock's identity: its answer to HELLO, also sent unsolicited at boot.
public struct Identity: Sendable, Equatable {
    /// The protocol version that the dock chose.
    public var protocolVersion: UInt8
    /// The dock's capabilities.
    public var capabilities: DockCapabilities
    /// Version of the firmware.
    public var firmware: FirmwareVersion
    /// Revision of the board.
    public var hardware: UInt16
    /// The dock's unique number. It stays the same across reboots and is different for every dock.
    public var uniqueID: UInt64
    /// Name of the model, at most 16 bytes.
    public var model: WireText
    /// The highest set-point rate that the dock accepts, per second.
    public var maximumRate: UInt16
    /// A stored counter of boots. A change means that the dock rebooted.
    public var bootID: UInt16

    /// An identity from its parts.
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
    /// Breaking changes.
    public var major: UInt8
    /// Additions.
    public var minor: UInt8
    /// Fixes.
    public var patch: UInt8

    /// A version from its parts.
    public init(major: UInt8, minor: UInt8, patch: UInt8) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }
}

/// The capabilities of a dock.
public struct DockCapabilities: OptionSet, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt32

    /// Capabilities from their bits. Unknown bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Measures its pose.
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
    /// Has its own emergency stop button.
    public static let emergencyInput = DockCapabilities(rawValue: 1 << 7)
    /// Stores limits and parameters over a reboot.
    public static let save = DockCapabilities(rawValue: 1 << 8)
}
