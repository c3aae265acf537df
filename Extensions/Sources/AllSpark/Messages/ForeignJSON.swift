public import ControlProtocol

/// Reads the JSON text of a server, which may contain what JSON does not allow: Python writes `NaN`, `Infinity` and
/// `-Infinity` for numbers. Each of them becomes null, so that the rest of the message is still readable.
public enum ForeignJSON {
    /// The longest message, in bytes. A message of the protocol has less than 1 kB.
    public static let longest = 65_536

    /// Returns the value, or nil if the bytes are too many or not JSON.
    public static func value(_ bytes: [UInt8]) -> JSONValue? {
        guard bytes.count <= longest else { return nil }
        return JSONValue(json: bytes) ?? JSONValue(json: withoutConstants(bytes))
    }

    private static let constants: [[UInt8]] = [Array("NaN".utf8), Array("-Infinity".utf8), Array("Infinity".utf8)]

    /// Replaces the constants outside of strings.
    private static func withoutConstants(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0, isString = false
        while at < bytes.count {
            let byte = bytes[at]
            if !isString, let constant = constants.first(where: { bytes[at...].starts(with: $0) }) {
                result += "null".utf8
                at += constant.count
                continue
            }
            if byte == UInt8(ascii: "\"") { isString.toggle() }
            result.append(byte)
            at += 1
            // The character after a backslash does not end the string.
            if isString, byte == UInt8(ascii: "\\"), at < bytes.count {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }
}
