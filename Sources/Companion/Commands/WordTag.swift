/// A mark that a program puts before a command, as in `#7 tap 0.4 0.6`. The answer begins with it: `#7 ok subject 3`.
enum WordTag {
    /// The maximum length of a tag without its `#`, in bytes.
    static let longest = 32

    /// Splits a line into its tag and its words. The tag, without its `#`, is nil if the line has none or an invalid
    /// one. An invalid tag remains among the words, so that the command is refused.
    static func split(_ line: String) -> (tag: String?, words: String) {
        guard let (tag, words) = parts(of: line), isValid(tag) else { return (nil, line) }
        return (String(tag), String(words))
    }

    /// Returns the words after a tag, valid or not: no stop is refused because of its tag.
    static func words(of line: String) -> Substring { parts(of: line)?.words ?? line[...] }

    private static func parts(of line: String) -> (tag: Substring, words: Substring)? {
        let text = line.drop(while: \.isWhitespace)
        guard text.first == "#" else { return nil }
        let tag = text.dropFirst().prefix { !$0.isWhitespace }
        return (tag, text[tag.endIndex...])
    }

    private static func isValid(_ tag: Substring) -> Bool {
        (1...longest).contains(tag.utf8.count)
            && tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
}
