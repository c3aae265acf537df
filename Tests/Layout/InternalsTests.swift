import Foundation
import Testing

/// The pages in docs/internals name types and functions. All of them must exist.
@Suite struct InternalsTests {
    static let pages = ["LIFE-OF-A-RECTANGLE.md", "LIFE-OF-A-KEY.md"]

    /// The sources of our targets, by type: every file that declares or extends it.
    static let sources: [String: [String]] = {
        let folder = LayerTests.root.appendingPathComponent("Sources")
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let declaration = #/(?:struct|class|enum|actor|protocol|extension) ([A-Z]\w+)/#
        var sources: [String: [String]] = [:]
        for case let file as URL in all?.allObjects ?? [] where file.pathExtension == "swift" {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let types = Set(text.matches(of: declaration).map { String($0.1) })
            for type in types { sources[type, default: []].append(text) }
        }
        return sources
    }()

    @Test(arguments: pages)
    func `every function that a page names exists`(page: String) throws {
        let text = try String(
            contentsOf: LayerTests.root.appendingPathComponent("docs/internals/\(page)"), encoding: .utf8)
        let named = text.matches(of: #/`([A-Z]\w+)\.(\w+)`/#)
        #expect(named.count > 15)
        for match in named {
            let (type, member) = (String(match.1), String(match.2))
            let files = Self.sources[type] ?? []
            #expect(!files.isEmpty, "there is no type \(type)")
            // Several constants may share one `let`.
            let declaration = try Regex(
                #"(?:func|var|let|case|struct|class|enum) (?:\w+(?:: \w+)? = [^,\n]+, )*\#(member)\b"#)
            #expect(files.contains { $0.contains(declaration) }, "\(type) has no \(member)")
        }
    }

    @Test(arguments: pages)
    func `every type that a page names exists`(page: String) throws {
        let text = try String(
            contentsOf: LayerTests.root.appendingPathComponent("docs/internals/\(page)"), encoding: .utf8)
        for match in text.matches(of: #/`([A-Z][a-z]\w+)`/#) {
            #expect(Self.sources[String(match.1)] != nil, "there is no type \(match.1)")
        }
    }
}
