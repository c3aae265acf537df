import Geometry
import PlainText

/// Writes JSON into a byte buffer without creating strings.
struct JSONWriter: Sendable {
    var bytes: [UInt8] = []

    /// Adds text unchanged.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Adds an integer.
    mutating func integer(_ value: Int) {
        if value < 0 { bytes.append(0x2D) }
        digits(value.magnitude, atLeast: 1)
    }

    /// Adds a number with at most `decimals` decimals (0...9), without trailing zeros, or null if it is not finite.
    mutating func number(_ value: Double, decimals: Int) {
        guard value.magnitude < 1e9 else {
            return value.isFinite ? bytes.append(contentsOf: "\(value)".utf8) : raw("null")
        }
        var scale: UInt = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = UInt((value.magnitude * Double(scale)).rounded())
        if value < 0, scaled > 0 { bytes.append(0x2D) }
        digits(scaled / scale, atLeast: 1)
        var fraction = scaled % scale, places = decimals
        guard fraction > 0 else { return }
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        bytes.append(0x2E)
        digits(fraction, atLeast: places)
    }

    /// Adds a number that may be missing.
    mutating func optional(_ value: Double?, decimals: Int) {
        if let value { number(value, decimals: decimals) } else { raw("null") }
    }

    private mutating func digits(_ value: UInt, atLeast count: Int) {
        var places = 1, unit: UInt = 1
        while value / unit >= 10 {
            unit *= 10
            places += 1
        }
        for _ in 0..<max(0, count - places) { bytes.append(0x30) }
        while unit > 0 {
            bytes.append(UInt8(0x30 + value / unit % 10))
            unit /= 10
        }
    }

    /// Adds a string with its quotes. Characters that a terminal would interpret are also escaped, because people look
    /// at such lines.
    mutating func string(_ text: String) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [0x5C, UInt8(scalar.value)]
            case _ where ForeignText.commands(scalar):
                raw("\\u")
                for shift: UInt32 in [12, 8, 4, 0] {
                    let digit = UInt8(scalar.value >> shift & 15)
                    bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            default: bytes.append(contentsOf: scalar.utf8)
            }
        }
        bytes.append(0x22)
    }
}
