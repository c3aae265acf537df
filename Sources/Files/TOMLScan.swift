/// Checks a TOML text before it is parsed, because the parser does not report some mistakes as errors.
///
/// These mistakes fail an assertion in the parser, which would end the program:
/// - a table header that does not begin with a key (`[[[x`, `[=]`, `[.a]`),
/// - a `}` in the place of a value (`[1, }`),
/// - non-ASCII letters outside strings and comments; the parser takes some of them for the end of a value.
///
/// Others end the text early (a NUL) or overflow the parser's stack (a key with ten thousand parts).
enum TOMLScan {
    typealias Flaw = (line: Int, column: Int, text: String)

    /// Returns the first such mistake, with line and column from 1, or nil if there is none.
    static func firstFlaw(in text: String) -> Flaw? {
        var scan = Scan(bytes: Array(text.utf8))
        return scan.run()
    }

    private struct Scan {
        let bytes: [UInt8]
        var at = 0
        var line = 1
        var lineStart = 0
        /// The number of open brackets of values.
        var depth = 0

        /// The last byte that was not a space, a line break or a comment.
        var last: UInt8 = 0
        /// Dots since the last byte that ends a key.
        var dots = 0

        /// The maximum number of parts of a key; dockface uses at most three.
        static let mostParts = 32
        static let controls: Set<UInt8> = Set(0..<32).subtracting([9, 10, 13]).union([127])

        mutating func run() -> Flaw? {
            var isStatement = true
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (at, lineStart) = (3, 3) }  // a byte order mark
            if let place = bytes.firstIndex(where: Self.controls.contains) {
                line = 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") }
                lineStart = (bytes[..<place].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
                at = place
                return flaw("a control character is not allowed here; in a string, write it as \\u and four digits")
            }
            while at < bytes.count {
                let byte = bytes[at]
                switch byte {
                case UInt8(ascii: "."): dots += 1
                case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "["), UInt8(ascii: "{"):
                    dots = 0
                default: break
                }
                guard dots < Self.mostParts else { return flaw("a key has at most \(Self.mostParts) parts") }
                switch byte {
                case UInt8(ascii: "\n"):
                    at += 1
                    (line, lineStart) = (line + 1, at)
                    isStatement = depth == 0
                    continue
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                    at += 1
                    continue
                case UInt8(ascii: "#"): while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
                case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
                case UInt8(ascii: "}") where [UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: "=")].contains(last):
                    return flaw("a value is expected here")
                case 0x80...: return flaw("a character like this is only allowed in a quoted string")
                case UInt8(ascii: "[") where isStatement:
                    if let bad = header() { return bad }
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    at += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth = max(0, depth - 1)
                    at += 1
                default: at += 1
                }
                isStatement = false
                if byte != UInt8(ascii: "#") { last = byte }
            }
            return nil
        }

        private func flaw(_ text: String) -> Flaw { (line, at - lineStart + 1, text) }

        /// Checks a header, at a `[` that begins a statement.
        private mutating func header() -> Flaw? {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "[") { at += 1 }
            while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
            // The parser itself reports the end of the text and an empty header.
            guard at < bytes.count, bytes[at] != UInt8(ascii: "]") else { return nil }
            let isKey =
                switch bytes[at] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
                default: false
                }
            guard isKey else { return flaw("the name of a table is expected here, as in [name]") }
            var parts = 1
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") {
                if bytes[at] == UInt8(ascii: ".") { parts += 1 }
                guard parts <= Self.mostParts else { return flaw("a key has at most \(Self.mostParts) parts") }
                at += 1
            }
            return nil
        }

        private mutating func skipString(_ quote: UInt8) {
            let isLong = at + 2 < bytes.count && bytes[at + 1] == quote && bytes[at + 2] == quote
            at += isLong ? 3 : 1
            while at < bytes.count {
                if bytes[at] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    at += 2
                    continue
                }
                if bytes[at] == quote {
                    guard isLong else {
                        at += 1
                        return
                    }
                    if at + 2 < bytes.count, bytes[at + 1] == quote, bytes[at + 2] == quote {
                        at += 3
                        return
                    }
                }
                if bytes[at] == UInt8(ascii: "\n") {
                    // A short string must end on its line; the parser reports it if not.
                    guard isLong else { return }
                    (line, lineStart) = (line + 1, at + 1)
                }
                at += 1
            }
        }
    }
}
