/// The text form of bytes (RFC 4648, section 4), with padding.
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The value of each digit; 255 for other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Returns the text of bytes, ASCII.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { room, count in
            digits.withUnsafeBufferPointer { digits in
                bytes.withUnsafeBufferPointer { encode($0, digits, into: room, &count) }
            }
        }
    }

    private static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ digits: UnsafeBufferPointer<UInt8>,
        into room: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) {
        var at = 0
        while at + 2 < bytes.count {
            let word = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
            room[count] = digits[word >> 18]
            room[count + 1] = digits[word >> 12 & 63]
            room[count + 2] = digits[word >> 6 & 63]
            room[count + 3] = digits[word & 63]
            (at, count) = (at + 3, count + 4)
        }
        guard at < bytes.count else { return }
        let hasTwo = at + 1 < bytes.count
        let word = Int(bytes[at]) << 16 | (hasTwo ? Int(bytes[at + 1]) << 8 : 0)
        room[count] = digits[word >> 18]
        room[count + 1] = digits[word >> 12 & 63]
        room[count + 2] = hasTwo ? digits[word >> 6 & 63] : padding
        room[count + 3] = padding
        count += 4
    }

    /// Returns the bytes of a text, or nil if it is not exactly in this form: no white space, complete padding.
    public static func decode(_ text: some RandomAccessCollection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let pads = text.suffix(2).count { $0 == padding }
        if pads == 2, text.last != padding { return nil }
        var bytes: [UInt8] = [], word = 0, count = 0
        bytes.reserveCapacity(text.count / 4 * 3)
        for digit in text.dropLast(pads) {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            word = word << 6 | Int(value)
            count += 1
            guard count == 4 else { continue }
            bytes.append(UInt8(word >> 16))
            bytes.append(UInt8(word >> 8 & 255))
            bytes.append(UInt8(word & 255))
            (word, count) = (0, 0)
        }
        switch count {
        case 0: return pads == 0 ? bytes : nil
        case 2: return pads == 2 ? bytes + [UInt8(word >> 4)] : nil
        case 3: return pads == 1 ? bytes + [UInt8(word >> 10), UInt8(word >> 2 & 255)] : nil
        default: return nil
        }
    }
}
