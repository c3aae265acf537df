/// An event of an input device, as the kernel reports it.
public struct DeviceEvent: Sendable, Equatable {
    /// The kind of event: `EventCode.key`, `.axis`, `.sync`, or another.
    public var type: UInt16
    /// Which key or axis.
    public var code: UInt16
    /// The new value.
    public var value: Int32

    /// Creates an event.
    public init(type: UInt16, code: UInt16, value: Int32) { (self.type, self.code, self.value) = (type, code, value) }
}

/// Numbers of the kernel's input interface (linux/input-event-codes.h).
public enum EventCode {
    /// Types of events.
    public static let sync: UInt16 = 0, key: UInt16 = 1, axis: UInt16 = 3
    /// The end of a frame; the kernel has dropped events.
    public static let report: UInt16 = 0, dropped: UInt16 = 3
    /// One more than the largest number of a key and of an axis.
    public static let keyCount = 0x300, axisCount = 0x40

    static let mouse: UInt16 = 0x110, joystick: UInt16 = 0x120, gamepad: UInt16 = 0x130, afterGamepad: UInt16 = 0x140
    static let toolFinger: UInt16 = 0x145, touch: UInt16 = 0x14A
    static let firstHat: UInt16 = 0x10, lastHat: UInt16 = 0x17
    static let moreButtons: ClosedRange<UInt16> = 0x2C0...0x2E7
    static let keyQ: UInt16 = 16, keyA: UInt16 = 30
}

/// The range of an axis, as its device states it. A device may state anything.
public struct AxisRange: Sendable, Equatable {
    /// The least and the greatest value.
    public var low: Int32, high: Int32
    /// How far from the middle the device considers the axis at rest.
    public var flat: Int32

    /// Creates a range.
    public init(low: Int32, high: Int32, flat: Int32 = 0) { (self.low, self.high, self.flat) = (low, high, flat) }

    private var half: Double { (Double(high) - Double(low)) / 2 }

    /// Whether the axis measures anything.
    public var isUsable: Bool { low < high }

    /// Returns a value as a share of the way from the middle to the end, -1...1. It is 0 on an axis that is not usable.
    public func share(of value: Int32) -> Double {
        guard isUsable else { return 0 }
        return min(1, max(-1, (Double(value) - Double(low)) / half - 1))
    }

    /// The device's own dead zone, as a share of the way from the middle to the end.
    public var flatShare: Double { isUsable ? min(1, max(0, Double(flat) / half)) : 0 }
}

/// What an input device says of itself.
public struct DeviceProfile: Sendable, Equatable {
    /// The kernel's four numbers: bus, vendor, product, version.
    public var bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16
    /// The device's name. It comes from outside.
    public var name: String
    /// The keys and buttons that it has.
    public var keys: Set<UInt16>
    /// Its axes.
    public var axes: [UInt16: AxisRange]

    /// Creates a profile.
    public init(
        bus: UInt16 = 3, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0, name: String = "",
        keys: Set<UInt16> = [], axes: [UInt16: AxisRange] = [:]
    ) {
        (self.bus, self.vendor, self.product, self.version) = (bus, vendor, product, version)
        (self.name, self.keys, self.axes) = (name, keys, axes)
    }

    /// Whether it may be a gamepad or joystick at all. The motion sensors and the touchpad of a gamepad are devices of
    /// their own, with the same numbers.
    var hasPadButtons: Bool {
        let isPointer = keys.contains(EventCode.touch) || keys.contains(EventCode.toolFinger)
        return !isPointer && !isMouseOrKeyboard
            && keys.contains {
                $0 >= EventCode.joystick && $0 < EventCode.afterGamepad || EventCode.moreButtons.contains($0)
            }
    }

    private var isMouseOrKeyboard: Bool {
        keys.contains(EventCode.mouse) || keys.contains(EventCode.keyQ) && keys.contains(EventCode.keyA)
    }

    /// Whether its driver says that it follows the kernel's gamepad specification.
    var followsSpecification: Bool {
        hasPadButtons && keys.contains(EventCode.gamepad) && axes[0] != nil && axes[1] != nil
    }
}
