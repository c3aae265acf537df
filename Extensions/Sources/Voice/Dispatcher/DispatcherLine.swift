/// One line of Speech Dispatcher: a code of three digits, and text. The last line of an answer has a space after the code, the
/// lines before it a hyphen.
struct DispatcherLine: Sendable, Equatable {
    var code: Int
    var text: String
    var isLast: Bool

    /// Reads a line without its end, or returns nil if it is none.
    init?(_ bytes: some Collection<UInt8>) {
        let line = String(decoding: bytes, as: UTF8.self)
        let digits = line.utf8.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }), let code = Int(line.prefix(3)),
            let mark = line.dropFirst(3).first, mark == " " || mark == "-"
        else { return nil }
        (self.code, text, isLast) = (code, String(line.dropFirst(4)), mark == " ")
    }
}
