public import Files
public import RobotFace

/// Finds expressions in files NAME.toml.
public struct ExpressionLibrary: Sendable {
    /// The folders, in order of precedence.
    public var folders: [String]

    /// Searches $DOCKFACE_EXPRESSIONS, the user's own folder, /etc/dockface/expressions and
    /// /usr/share/dockface/expressions.
    public init() {
        folders = ProcessEnvironment.value("DOCKFACE_EXPRESSIONS").map { [$0] } ?? []
        folders += [Self.ownFolder, "/etc/dockface/expressions", "/usr/share/dockface/expressions"]
    }

    /// Searches only these folders.
    public init(folders: [String]) { self.folders = folders }

    /// The folder of the user's own expressions: `$XDG_CONFIG_HOME/dockface/expressions`.
    public static var ownFolder: String { UserFolder.configuration + "/expressions" }

    /// The maximum number of files.
    static let most = 200

    /// Returns the 21 built-in expressions, the given ones and all that were found, with the problems of the unusable
    /// files.
    public func book(adding more: [Expression] = []) -> (book: ExpressionBook, problems: [FileProblem]) {
        var found = more, problems: [FileProblem] = [], files: [String: String] = [:]
        var seen: Set<String> = []
        for folder in folders {
            for file in UserFile.files(in: folder) where file.hasSuffix(".toml") {
                guard seen.insert(file).inserted else { continue }
                let path = folder + "/" + file
                guard seen.count <= Self.most else {
                    problems.append(FileProblem(file: path, text: "more than \(Self.most) expression files"))
                    return (ExpressionBook(adding: found), problems)
                }
                switch Self.read(path) {
                case .failure(let error): problems += error.problems
                case .success(let expression):
                    let taken = ([expression.name] + expression.words).first { files[$0] != nil }
                    if let taken {
                        problems.append(
                            FileProblem(file: path, text: "the name \"\(taken)\" is taken by \(files[taken] ?? "")"))
                    } else {
                        for word in [expression.name] + expression.words { files[word] = path }
                        found.append(expression)
                    }
                }
            }
        }
        return (ExpressionBook(adding: found), problems)
    }

    /// Reads one file.
    public static func read(_ path: String) -> Result<Expression, FileError> {
        Result { () throws(FileError) in try ExpressionReader.read(try UserFile.text(of: path), file: path) }
    }
}
