import Foundation
import Testing

/// The table of `Companion`'s folders in ARCHITECTURE.md, enforced by looking for the names of types.
@Suite struct FolderTests {
    /// A folder's name, and the folders whose types it names.
    struct Row: Equatable {
        let folder: String
        let uses: Set<String>
    }

    static let sources = LayerTests.root.appendingPathComponent("Sources/Companion")

    /// The rows of the table, from top to bottom.
    static func table() throws -> [Row] {
        let page = try String(
            contentsOf: LayerTests.root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let head = try #require(lines.firstIndex { $0.hasPrefix("| folder of `Companion` |") })
        return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let uses = cells[2].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(
                folder: cells[0].filter { $0 != "`" }, uses: uses == ["nothing"] ? [] : Set(uses))
        }
    }

    /// The code of each file without comments and without texts, by folder.
    static func code() throws -> [String: [String]] {
        let start = sources.path.count + 1
        var code: [String: [String]] = [:]
        for file in LayerTests.swiftFiles("Companion") {
            let folder = file.path.dropFirst(start).prefix { $0 != "/" }
            let text = try String(contentsOf: file, encoding: .utf8)
                .replacing(/\/\/[^\n]*/, with: "")
                .replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"")
            code[String(folder), default: []].append(text)
        }
        return code
    }

    /// The folders that each folder uses: those that declare a type, at the top level of a file, whose name its code contains. A
    /// name that two folders declare counts for neither.
    static func uses(of code: [String: [String]]) -> [String: Set<String>] {
        let declaration =
            /(?m)^(?:(?:public|package|internal|final|indirect|nonisolated|@[a-z]\w*) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        var homes: [String: Set<String>] = [:]
        for (folder, texts) in code {
            for text in texts {
                for match in text.matches(of: declaration) { homes[String(match.1), default: []].insert(folder) }
            }
        }
        return code.mapValues { texts in
            let words = Set(texts.flatMap { $0.matches(of: /\b[A-Z]\w+/).map { String($0.0) } })
            return Set(words.compactMap { homes[$0]?.count == 1 ? homes[$0]?.first : nil })
        }
    }

    @Test func `the folders of Companion use what their rows name`() throws {
        let table = try Self.table()
        let uses = try Self.uses(of: Self.code())
        #expect(Set(table.map(\.folder)) == Set(uses.keys))
        for row in table {
            let found = (uses[row.folder] ?? []).subtracting([row.folder])
            #expect(found == row.uses, "\(row.folder) uses \(found.sorted())")
        }
    }

    /// So there are no circles.
    @Test func `a folder uses only folders above it in the table`() throws {
        var above: Set<String> = []
        for row in try Self.table() {
            #expect(row.uses.isSubset(of: above), "\(row.folder) uses \(row.uses.subtracting(above).sorted())")
            above.insert(row.folder)
        }
    }
}
