public import RobotFace

/// Finds expressions that people have written: a file each, NAME.toml.
public struct ExpressionLibrary: Sendable {
    /// Folders, the first one wins.
    public var folders: [String]

    /// $DOCKFACE_EXPRESSIONS, the user's own, /etc/dockface/expressions and /usr/share.
    public init() {
        folders = ProcessEnvironment.value("DOCKFACE_EXPRESSIONS").map { [$0] } ?? []
        folders += [Self.ownFolder, "/etc/dockface/expressions", "/usr/share/dockface/expressions"]
    }

    /// Looks only in these folders.
    public init(folders: [String]) { self.folders = folders }

    /// Where the user's own expressions are: `$XDG_CONFIG_HOME/dockface/expressions`.
    public static var ownFolder: String { UserFolder.configuration + "/expressions" }

    /// More files than these are not read.
    static let most = 200

    /// The 21, those that are given, and all that were found; and what is wrong with the files that cannot be used.
    public func book(adding more: [Expression] = []) -> (book: ExpressionBook, problems: [FileProblem]) {
        var found = more, problems: [FileProblem] = [], files: [String: String] = [:]
        var seen: Set<String> = []
        for folder in folders {
            for file in UserFile.files(in: folder) where file.hasSuffix(".toml") {
                guard seen.insert(file).inserted else { continue }
                let path = folder + "/" + file
                guard seen.count <= Self.most else {
                    problems.append(FileProblem(file: path, text: "more than \(Self.most) files of faces"))
                    return (ExpressionBook(adding: found), problems)
                }
                switch Self.read(path) {
                case .failure(let error): problems += error.problems
                case .success(let expression):
                    let taken = ([expression.name] + expression.words).first { files[$0] != nil }
                    if let taken {
                        problems.append(
                            FileProblem(file: path, text: "\"\(taken)\" is taken by \(files[taken] ?? "")"))
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
