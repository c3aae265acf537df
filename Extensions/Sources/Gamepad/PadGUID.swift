/// The 16 bytes by which SDL's mapping database names a kind of gamepad.
public struct PadGUID: Sendable, Hashable, CustomStringConvertible {
    private var bytes: [UInt8]

    /// Creates the name of a device: its numbers, or, if it has none, the beginning of its name.
    public init(_ device: DeviceProfile) {
        func pair(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        if device.vendor != 0, device.product != 0 {
            bytes = [device.bus, 0, device.vendor, 0, device.product, 0, device.version, 0].flatMap(pair)
        } else {
            let name = Array(device.name.utf8.prefix(11))
            bytes = pair(device.bus) + [0, 0] + name + Array(repeating: 0, count: 12 - name.count)
        }
    }

    /// Reads 32 hexadecimal digits; nil if it is anything else.
    public init?(_ text: Substring) {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 32 else { return nil }
        bytes = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
    }

    /// The same without the checksum of the name, which newer rows have and the kernel does not.
    var withoutChecksum: PadGUID {
        var copy = self
        (copy.bytes[2], copy.bytes[3]) = (0, 0)
        return copy
    }

    /// The same for every version of the device, or nil if it is named by its text.
    var withoutVersion: PadGUID? {
        let isNumbered = bytes[4...5].contains { $0 != 0 } && bytes[6] == 0 && bytes[7] == 0 && bytes[10] == 0
        guard isNumbered, bytes[11] == 0 else { return nil }
        var copy = withoutChecksum
        for index in 12..<16 { copy.bytes[index] = 0 }
        return copy
    }

    /// 32 hexadecimal digits.
    public var description: String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
