import ArgumentParser
import Companion
import Files
import PlainText
import RobotFace

/// The user-defined faces, for the verbs that show faces.
struct OwnFaces {
    /// Returns all known faces. A file with mistakes is skipped with a warning.
    func book() -> ExpressionBook {
        let (book, problems) = ExpressionLibrary().book()
        for problem in problems { warn("face skipped: \(problem)") }
        return book
    }

    /// Returns all faces, in order.
    func all() -> [Expression] { book().all }

    /// Returns a face by name or from a file, and the book of all faces that contains it.
    func face(_ name: String) throws -> (Expression, ExpressionBook) {
        if UserFile.isPath(name) {
            switch ExpressionLibrary.read(name) {
            case .failure(let error): throw fail(plain: "\(error)", status: 78)
            case .success(let read):
                let book = ExpressionLibrary().book(adding: [read]).book
                return (book[read.name] ?? read, book)
            }
        }
        let library = ExpressionLibrary(), (book, problems) = library.book()
        guard let found = book[name] else {
            for problem in problems { warn("face skipped: \(problem)") }
            let missing = book.missing(name)
            throw fail(
                "\(missing.message): \(missing.nearest.map { "did you mean \($0)?" } ?? missing.all) "
                    + "(own faces are files NAME.toml in \(library.folders.joined(separator: ", ")))", status: 64)
        }
        return (found, book)
    }

    /// Checks each file, and names the built-in face that it resembles most.
    func check(_ files: [String]) throws {
        var isBad = false
        for file in files {
            switch ExpressionLibrary.read(file) {
            case .failure(let error):
                isBad = true
                print("\(error)")
            case .success(let expression):
                print("\(ForeignText.line(file)): ok, \(expression.name); \(Self.likeness(of: expression))")
            }
        }
        if isBad { throw ExitCode(78) }
    }

    private static func likeness(of expression: Expression) -> String {
        guard expression.isLit else { return "warning: no part of it is visible" }
        let all = Expression.all.map { ($0.name, expression.difference(from: $0)) }
        guard let nearest = all.min(by: { $0.1 < $1.1 }) else { return "" }
        let share = Int((nearest.1 * 100).rounded())
        return nearest.1 < 0.2
            ? "warning: in black and white only \(share) % differ from \(nearest.0): change the shape of the eyes, a brow or the mark"
            : "most like \(nearest.0), differs by \(share) %"
    }
}
