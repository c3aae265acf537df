internal import PlainText

/// Something wrong in a file that a person wrote (a rig profile, an expression): where, what is expected, and what was perhaps
/// meant.
public struct FileProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// 1 = the first line; nil where there is no place (a missing key).
    public var line: Int?
    /// 1 = the first column; nil as for the line.
    public var column: Int?
    /// What is wrong and what is expected.
    public var text: String

    /// What is wrong in a file. Its name and what is quoted from it need not be plain.
    init(file: String, line: Int? = nil, column: Int? = nil, text: String) {
        self.file = ForeignText.line(file)
        self.line = line
        self.column = column
        self.text = ForeignText.line(text, longest: 4 * ForeignText.longestLine)
    }

    /// "file:line:column: text".
    public var description: String {
        let place = line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? ""
        return "\(file)\(place): \(text)"
    }
}

/// Why a file cannot be used: all problems of it at once.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// In the order of the file.
    public var problems: [FileProblem]

    /// A line each.
    public var lines: [String] { problems.map(\.description) }

    /// The lines, one below the other.
    public var description: String { lines.joined(separator: "\n") }
}
