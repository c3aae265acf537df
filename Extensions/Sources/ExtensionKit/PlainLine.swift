internal import PlainText

/// Text from outside, made safe to show.
public enum PlainLine {
    /// Returns the text as one line of at most 1,000 scalars, without controls or invisible characters.
    public static func of(_ text: String) -> String { ForeignText.line(text) }

    /// Returns the beginning of such a line that has at most this number of UTF-8 bytes.
    public static func of(_ text: String, bytes most: Int) -> String {
        let plain = ForeignText.line(text)
        guard plain.utf8.count > most else { return plain }
        var cut = "", count = 0
        for letter in plain {
            count += letter.utf8.count
            guard count <= most else { break }
            cut.append(letter)
        }
        return cut
    }
}
