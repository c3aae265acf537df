/// Looks over a TOML text before the parser gets it: a table header that begins with anything but a key (`[[[x`, `[=]`, `[.a]`)
/// is an assertion in the parser, which would end the program, and not an error that it reports.
enum HeaderScan {
    /// Where the first such header stands, counted from 1; nil: there is none.
    static func firstBad(in text: String) -> (line: Int, column: Int)? {
        var scan = Scan(bytes: Array(text.utf8))
        return scan.run()
    }

    private struct Scan {
        let bytes: [UInt8]
        var at = 0
        var line = 1
        var lineStart = 0
        /// Open brackets of values.
        var depth = 0

        mutating func run() -> (line: Int, column: Int)? {
            var isStatement = true
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (at, lineStart) = (3, 3) }  // a byte order mark
            while at < bytes.count {
                let byte = bytes[at]
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
            }
            return nil
        }

        /// At a `[` that begins a statement.
        private mutating func header() -> (line: Int, column: Int)? {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "[") { at += 1 }
            while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
            // The parser itself tells of the end of the text and of an empty header.
            guard at < bytes.count, bytes[at] != UInt8(ascii: "]") else { return nil }
            let isKey =
                switch bytes[at] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
                default: false
                }
            guard isKey else { return (line, at - lineStart + 1) }
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
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
                    // A short string does not go over the line; the parser says so.
                    guard isLong else { return }
                    (line, lineStart) = (line + 1, at + 1)
                }
                at += 1
            }
        }
    }
}
