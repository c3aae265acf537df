/// A JSON object whose values are numbers, strings, true, false or null: all that a serial gadget sends on a line.
///
/// The parser accepts any bytes without failing, and is not recursive. Only the numbers are kept.
struct FlatObject: Sendable, Equatable {
    private(set) var numbers: [String: Double] = [:]

    /// The number with that name, or nil if there is none or the value is not a number.
    subscript(name: String) -> Double? { numbers[name] }

    /// Reads all bytes of a line. The result is nil if they are not such an object.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = Reader(bytes: Array(bytes))
        guard reader.consume("{") else { return nil }
        if !reader.consume("}") {
            repeat {
                guard let name = reader.string(), reader.consume(":"), let value = reader.value() else { return nil }
                if case .number(let number) = value { numbers[name] = number } else { numbers[name] = nil }
            } while reader.consume(",")
            guard reader.consume("}") else { return nil }
        }
        guard reader.isAtEnd else { return nil }
    }

    private enum Value {
        case number(Double)
        case other
    }

    /// The bytes, and the current position.
    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

        private mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
        }

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return place == bytes.count
            }
        }

        /// Consumes one character, after any white space.
        mutating func consume(_ sign: Unicode.Scalar) -> Bool {
            skipSpace()
            guard next == UInt8(ascii: sign) else { return false }
            place += 1
            return true
        }

        /// Returns the text between quotes, with its escapes unchanged, because no name that is looked up contains any.
        mutating func string() -> String? {
            guard consume("\"") else { return nil }
            let start = place
            while let byte = next, byte >= 0x20 {
                place += 1
                if byte == UInt8(ascii: "\"") { return String(decoding: bytes[start..<place - 1], as: UTF8.self) }
                guard byte == UInt8(ascii: "\\") else { continue }
                guard let escaped = next, escaped >= 0x20 else { return nil }
                place += 1
            }
            return nil
        }

        mutating func value() -> Value? {
            skipSpace()
            switch next {
            case UInt8(ascii: "\""): return string().map { _ in .other }
            case UInt8(ascii: "t"): return word("true")
            case UInt8(ascii: "f"): return word("false")
            case UInt8(ascii: "n"): return word("null")
            default: return number()
            }
        }

        private mutating func word(_ word: StaticString) -> Value? {
            let count = word.utf8CodeUnitCount
            guard place + count <= bytes.count else { return nil }
            for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return nil }
            place += count
            return .other
        }

        /// Returns a number as JSON defines it. One that is too large for a `Double` is not kept.
        private mutating func number() -> Value? {
            let start = place
            if next == UInt8(ascii: "-") { place += 1 }
            let leading = place
            guard digits() else { return nil }
            guard place == leading + 1 || bytes[leading] != UInt8(ascii: "0") else { return nil }
            if next == UInt8(ascii: ".") {
                place += 1
                guard digits() else { return nil }
            }
            if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
                place += 1
                if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
                guard digits() else { return nil }
            }
            guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)), value.isFinite else {
                return .other
            }
            return .number(value)
        }

        private mutating func digits() -> Bool {
            let start = place
            while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
            return place > start
        }
    }
}
