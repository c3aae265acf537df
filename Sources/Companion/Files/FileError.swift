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
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
