internal import PlainText

/// A mistake in a file that a person wrote (a rig profile, an expression): its position, what is expected, and perhaps
/// a suggestion.
public struct FileProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// The line, counted from 1, or nil if the mistake has no position (a missing key).
    public var line: Int?
    /// The column, counted from 1, or nil in the same cases as the line.
    public var column: Int?
    /// The mistake and what is expected.
    public var text: String

    /// Creates a mistake in a file. The file's name and quoted parts are made safe to show.
    public init(file: String, line: Int? = nil, column: Int? = nil, text: String) {
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

/// The reason why a file cannot be used, with all its problems.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, in the order of the file.
    public var problems: [FileProblem]

    /// Creates an error of at least one problem.
    public init(problems: [FileProblem]) { self.problems = problems }

    /// One line for each problem.
    public var lines: [String] { problems.map(\.description) }

    /// The lines, joined.
    public var description: String { lines.joined(separator: "\n") }
}
