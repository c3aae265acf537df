internal import CEventDevice
public import DockTypes
public import Gamepad
internal import Glibc

/// An open input device.
public final class EventDevice {
    /// The path: "/dev/input/event7".
    public let path: String
    /// What the device says of itself.
    public let profile: DeviceProfile
    /// The descriptor to wait for. It belongs to the device.
    public let descriptor: Int32
    private var reader: EventReader

    /// Opens a device for reading.
    /// - Throws: `permission`, `cannotOpen`, or `notSupported` if it is not an input device.
    public init(path: String) throws(DockError) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        guard let profile = Self.profile(descriptor) else {
            close(descriptor)
            throw DockError(.notSupported, "\(path) is not an input device", hint: "see `dockface pad --list`")
        }
        (self.path, self.profile, self.descriptor) = (path, profile, descriptor)
        reader = EventReader(descriptor)
    }

    deinit { close(descriptor) }

    /// Reads what waits.
    public func read() -> EventReader.Reading { reader.read() }

    /// Asks for all keys that are pressed and for the values of all axes. The result is nil if the device is gone.
    public func snapshot() -> (keys: Set<UInt16>, axes: [UInt16: Int32])? {
        guard let keys = Self.bits(cevent_key_bytes, { cevent_ask_pressed(descriptor, $0) }) else {
            return nil
        }
        var axes: [UInt16: Int32] = [:]
        for code in profile.axes.keys {
            var axis = cevent_axis()
            guard cevent_ask_axis(descriptor, code, &axis) == 0 else { return nil }
            axes[code] = axis.value
        }
        return (keys, axes)
    }

    private static func profile(_ descriptor: Int32) -> DeviceProfile? {
        var identity = cevent_identity(), name = [CChar](repeating: 0, count: 256)
        guard cevent_ask_identity(descriptor, &identity) == 0 else { return nil }
        // A device may have no name, no keys and no axes.
        _ = cevent_ask_name(descriptor, &name, name.count)
        let keys = bits(cevent_key_bytes) { cevent_ask_keys(descriptor, $0) } ?? []
        let codes = bits(cevent_axis_bytes) { cevent_ask_axes(descriptor, $0) } ?? []
        var axes: [UInt16: AxisRange] = [:]
        for code in codes {
            var axis = cevent_axis()
            guard cevent_ask_axis(descriptor, code, &axis) == 0 else { continue }
            axes[code] = AxisRange(low: axis.low, high: axis.high, flat: axis.flat)
        }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return DeviceProfile(
            bus: identity.bus, vendor: identity.vendor, product: identity.product, version: identity.version,
            name: text,
            keys: keys, axes: axes)
    }

    private static func bits(_ size: Int, _ ask: (UnsafeMutablePointer<UInt8>) -> Int32) -> Set<UInt16>? {
        var bytes = [UInt8](repeating: 0, count: size)
        let answer = bytes.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map(ask) ?? -1 }
        return answer == 0 ? BitMap.members(bytes) : nil
    }

    /// The error of a device that cannot be opened, with what to do.
    package static func error(_ path: String, _ number: Int32) -> DockError {
        guard number == EACCES || number == EPERM else {
            return DockError(.cannotOpen, "\(path): \(String(cString: strerror(number)))", hint: "plug it in again")
        }
        return DockError(
            .permission, "this user may not read \(path)",
            hint:
                "join the group \(group(of: path)) (`sudo usermod -aG \(group(of: path)) $USER`, then log in again), or give "
                + "the pad to the person at the screen by a udev rule with TAG+=\"uaccess\"")
    }

    private static func group(of path: String) -> String {
        var file = stat()
        guard stat(path, &file) == 0, let group = getgrgid(file.st_gid) else { return "input" }
        return String(cString: group.pointee.gr_name)
    }
}

/// A map with one bit for each number, as the kernel gives it.
enum BitMap {
    static func members(_ bytes: [UInt8]) -> Set<UInt16> {
        var members: Set<UInt16> = []
        for (index, byte) in bytes.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & 1 << UInt8(bit) != 0 { members.insert(UInt16(index * 8 + bit)) }
        }
        return members
    }

    /// Reads the text form in /sys: hexadecimal words, the most significant first.
    static func members(_ text: String) -> Set<UInt16> {
        var members: Set<UInt16> = []
        let words = text.split(whereSeparator: \.isWhitespace).prefix(64)
        for (index, word) in words.reversed().enumerated() {
            guard let value = UInt64(word, radix: 16) else { return [] }
            for bit in 0..<64 where value & 1 << UInt64(bit) != 0 { members.insert(UInt16(index * 64 + bit)) }
        }
        return members
    }
}
