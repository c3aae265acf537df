extension JSONScanner {
    /// The exact powers of ten.
    private static let tens: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Reads a number as an integer mantissa and a power of ten: exact up to 15 digits, otherwise accurate to one unit
    /// in the last place.
    mutating func number(_ bytes: Span<UInt8>) throws(Failure) -> Double {
        let first = position
        let isNegative = consume(0x2D, bytes)
        var mantissa: UInt64 = 0, exponent = 0, digits = 0
        func isDigit(_ index: Int) -> Bool { index < bytes.count && bytes[index] &- 0x30 < 10 }
        while isDigit(position) {
            if mantissa < 1_000_000_000_000_000_000 {
                mantissa = mantissa * 10 + UInt64(bytes[position] - 0x30)
            } else {
                exponent += 1
            }
            digits += 1
            advance()
        }
        guard digits > 0 else { return try notFinite(isNegative, first, bytes) }
        if position < bytes.count, bytes[position] == 0x2E {
            advance()
            guard isDigit(position) else { throw Failure(position: position) }
            while isDigit(position) {
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(bytes[position] - 0x30)
                    exponent -= 1
                }
                advance()
            }
        }
        if position < bytes.count, bytes[position] | 0x20 == 0x65 {
            advance()
            exponent += try power(bytes)
        }
        let value = Self.scale(Double(mantissa), by: exponent)
        return isNegative ? -value : value
    }

    private mutating func power(_ bytes: Span<UInt8>) throws(Failure) -> Int {
        var sign = 1, value = 0, digits = 0
        if position < bytes.count, bytes[position] == 0x2D || bytes[position] == 0x2B {
            sign = bytes[position] == 0x2D ? -1 : 1
            advance()
        }
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            value = min(value * 10 + Int(bytes[position] - 0x30), 100_000)
            digits += 1
            advance()
        }
        guard digits > 0 else { throw Failure(position: position) }
        return sign * value
    }

    private mutating func notFinite(
        _ isNegative: Bool, _ first: Int, _ bytes: Span<UInt8>
    ) throws(Failure) -> Double {
        switch position < bytes.count ? bytes[position] | 0x20 : 0 {
        case 0x6E:
            try literal("nan", bytes)
            return .nan
        case 0x69:
            try literal("inf", bytes)
            if position < bytes.count, bytes[position] | 0x20 == 0x69 { try literal("inity", bytes) }
            return isNegative ? -.infinity : .infinity
        default: throw Failure(position: first)
        }
    }

    private static func scale(_ value: Double, by exponent: Int) -> Double {
        if value == 0 { return 0 }
        var result = value, left = exponent
        while left < 0, result != 0 {
            let step = min(-left, 22)
            result /= tens[step]
            left += step
        }
        while left > 0, result.isFinite {
            let step = min(left, 22)
            result *= tens[step]
            left -= step
        }
        return result
    }

    /// Returns whether a string equals `word`.
    @inline(__always)
    func matches(_ text: Text, _ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        guard !text.isEscaped else { return string(text, bytes) == word.description }
        guard text.end - text.start == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount where bytes[text.start + index] != word.utf8Start[index] {
            return false
        }
        return true
    }

    /// Returns a string's value, with escapes resolved and broken UTF-8 repaired. It is for the few texts of a stream.
    func string(_ text: Text, _ bytes: Span<UInt8>) -> String {
        var units: [UInt8] = []
        var index = text.start
        while index < text.end {
            guard bytes[index] == 0x5C, index + 1 < text.end else {
                units.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            switch bytes[index - 1] {
            case 0x6E: units.append(0x0A)
            case 0x74: units.append(0x09)
            case 0x72: units.append(0x0D)
            case 0x62: units.append(0x08)
            case 0x66: units.append(0x0C)
            case 0x75: units.append(contentsOf: String(scalar(text, &index, bytes)).utf8)
            case let other: units.append(other)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    private func scalar(_ text: Text, _ index: inout Int, _ bytes: Span<UInt8>) -> Unicode.Scalar {
        guard let high = fourDigits(text, &index, bytes) else { return "\u{FFFD}" }
        if high & 0xFC00 == 0xD800, index + 1 < text.end, bytes[index] == 0x5C, bytes[index + 1] == 0x75 {
            var after = index + 2
            if let low = fourDigits(text, &after, bytes), low & 0xFC00 == 0xDC00 {
                index = after
                return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
            }
        }
        return Unicode.Scalar(high) ?? "\u{FFFD}"
    }

    private func fourDigits(_ text: Text, _ index: inout Int, _ bytes: Span<UInt8>) -> UInt32? {
        guard index + 4 <= text.end else { return nil }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index + offset])).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }
}
