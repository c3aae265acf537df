import Files
import Foundation
import RobotFace
import Testing

@testable import Companion

/// Custom expressions: correct files are read, errors are named with their place.
@Suite struct ExpressionFileTests {
    private func problems(_ text: String) -> [String] {
        do {
            _ = try ExpressionReader.read(text, file: "x.toml")
            return []
        } catch {
            return error.problems.map { problem in
                "\(problem.line ?? 0):\(problem.column ?? 0) \(problem.text)"
            }
        }
    }

    @Test(arguments: Expression.all.map(\.name))
    func `each of the 21 is written and read back as it was`(name: String) throws {
        let expression = try #require(Expression(named: name))
        let text = ExpressionWriter.text(of: expression, as: "my-" + name)
        let again = try ExpressionReader.read(text, file: "x.toml")
        #expect(again.name == "my-" + name)
        #expect(again.isDrawn(like: expression), "\(text)")
        // A person would not write 0.10000000149.
        #expect(!text.contains(#/\d\.\d{5}/#), "\(text)")
    }

    @Test(arguments: [
        "motion = []", "motion = []\ngesture = \"none\"\n[left]\nwidth = 1.3\n[right]\nglyph = \"star\"",
        "[[motion]]\nmoves = \"face.x\"\ncurve = \"sine\"\namount = 0\nevery = 2",
        "based_on = \"fear\"\nurgent = false\n[eyes]\nbrow = 0.31\n[[motion]]\nmoves = \"left.x\"\ncurve = \"keys\"\nkeys = [[0, 0.1]]",
    ])
    func `a custom face is written as it was read`(text: String) throws {
        let name = String(repeating: "a", count: 24)
        let read = try ExpressionReader.read("name = \"\(name)\"\n" + text, file: "x.toml")
        let again = try ExpressionReader.read(ExpressionWriter.text(of: read, as: "my-" + name), file: "y.toml")
        #expect(again.isDrawn(like: read), "\(ExpressionWriter.text(of: read, as: name))")
    }

    @Test func `a file that is too large, and one with too many errors, are reported as such`() throws {
        let path = try folder(["big.toml": "name = \"big\"\n" + String(repeating: "# filler\n", count: 120_000)])
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard case .failure(let error) = ExpressionLibrary.read(path + "/big.toml") else {
            Issue.record("was read")
            return
        }
        #expect(error.problems[0].text.contains("larger than 128 KiB"))
        let many = problems((0..<5000).map { "key\($0) = 1" }.joined(separator: "\n"))
        #expect(many.count == 50 && many.contains { $0.contains("may contain more problems") })
    }

    @Test func `omitted keys come from the face that it is based on`() throws {
        let happy = try #require(Expression(named: "happy"))
        let read = try ExpressionReader.read(
            "name = \"grin\"\nbased_on = \"HAPPY\"\n[right]\nwidth = 0.5\n", file: "x.toml")
        #expect(read.left == happy.left && read.motion == happy.motion && read.colour == happy.colour)
        #expect(read.right[.width] == 0.5 && read.right[.height] == happy.right[.height])
        #expect(read.gesture == happy.gesture)
        let plain = try ExpressionReader.read("name = \"plain\"\nmotion = []\ngesture = \"none\"\n", file: "x.toml")
        #expect(plain.motion.isEmpty && plain.gesture == nil && plain.left == Expression.normal.left)
    }

    @Test func `all errors are reported at once, with their place and a suggestion`() {
        let found = problems(
            """
            name = "Grin"
            based_on = "hapy"
            colour = "red"
            mrak = "heart"
            words = ["tired", "next"]
            [eyes]
            width = 9
            uper_lid = 0.1
            [[motion]]
            moves = "face.roll"
            curve = "sine"
            amount = 3
            every = 1
            [[motion]]
            moves = "face.rol"
            curve = "sine"
            amount = 3
            every = 1
            [[motion]]
            moves = "face.x"
            curve = "hop"
            hertz = 3
            amount = 1
            every = 2
            """)
        let expected = [
            "1:1 \"Grin\" is not a valid name",
            "2:1 \"based_on\" is wrong: expected one of the 21; did you mean \"happy\"?",
            "3:1 \"colour\" is wrong: expected a colour, as in \"#33CBFE\"",
            "4:1 \"mrak\" is unknown; did you mean \"mark\"?", "5:1 \"tired\" is a word for sleepy",
            "5:1 \"next\" is reserved", "7:1 \"eyes.width\" is wrong: expected a number from 0.2 to 1.8",
            "8:1 \"eyes.uper_lid\" is unknown; did you mean \"upper_lid\"?",
            "15:1 there is no \"face.rol\" to move; did you mean \"face.roll\"?",
            "21:1 \"hertz\" has no meaning with curve = \"hop\"",
        ]
        #expect(found.count == expected.count, "\(found)")
        for (message, wanted) in zip(found, expected) { #expect(message.hasPrefix(wanted), "\(message)") }
    }

    @Test(arguments: [
        ("name = \"happy\"", "is one of the 21"), ("colour = \"#123456\"", "\"name\" is missing"),
        ("name = \"a\"\nmotion = 3", "\"motion\" is wrong"), ("name = \"a\"\n[eyes]\nmorph = 1", "is unknown"),
        ("name = \"a\"\n[[motion]]\nmoves = \"face.x\"\ncurve = \"keys\"", "\"keys\" is missing"),
        ("name = \"a\"\n[[motion]]\nmoves = \"face.x\"\ncurve = \"keys\"\nkeys = [[1, 0], [0, 1]]", "each later"),
        ("name = \"a\"\n[[motion]]\nmoves = \"face.x\"\ncurve = \"keys\"\nkeys = [[0, 0], [3, 1]]\nevery = 2", "cycle"),
        ("name = \"\"", "is not a valid name"),
        ("name = \"a\"\n[[motion]]\nmoves = \"\"\ncurve = \"sine\"\namount = 1\nevery = 1", "to move"),
        (
            "name = \"a\"\n[[motion]]\nmoves = \"face.gaze_gain\"\ncurve = \"sine\"\namount = 1\nevery = 1",
            "cannot be moved"
        ),
        ("name = \"a\"\n[[motion]]\nmoves = \"face.x\"\ncurve = \"key\"\nkeys = [[0, 0]]", "expected \"sine\""),
        ("name = \"a\"\ncolour = \"#\u{FF26}000\"", "expected a colour"),
        ("name = \"a\"\nwords = [\"x\", }", "a value is expected here"),
        ("name = \"a\"\n[[motion", "not TOML"),
        ("name = \"" + String(repeating: "a", count: 25) + "\"", "is not a valid name"),
    ])
    func `a single error is reported alone`(text: String, expected: String) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].contains(expected), "\(found)")
    }

    private static func motion(_ moves: String, _ rest: String) -> String {
        "\n[[motion]]\nmoves = \"\(moves)\"\n\(rest)\n"
    }
    private static func shake(_ moves: String, _ amount: Double, _ hertz: Double = 15) -> String {
        motion(moves, "curve = \"shake\"\namount = \(amount)\nhertz = \(hertz)\non = 1")
    }

    /// WCAG 2.3.1: children sit in front of this face.
    @Test(arguments: [
        shake("eyes.brightness", 0.4), shake("eyes.pupil", 0.9), shake("face.x", 1), shake("eyes.y", 0.4),
        shake("eyes.upper_bend", 1) + shake("eyes.lower_bend", 1),
        // Each of them alone is harmless.
        String(repeating: shake("eyes.brightness", 0.049), count: 20),
        String(repeating: shake("eyes.upper_lid", 0.24), count: 2)
            + String(repeating: shake("eyes.lower_lid", 0.24), count: 2),
        motion("eyes.brightness", "curve = \"sine\"\namount = 0.4\nevery = 0.4")
            + motion("eyes.brightness", "curve = \"keys\"\nevery = 0.4\nkeys = [[0, 0], [0.1, -0.8], [0.2, 0]]"),
        motion(
            "eyes.brightness",
            "curve = \"keys\"\nevery = 0.8\nkeys = [[0, -1], [0.1, 0], [0.2, -1], [0.3, 0], [0.4, -1]]"),
        // Not before half a minute has passed.
        motion(
            "eyes.brightness",
            "curve = \"keys\"\nkeys = ["
                + (0..<12).map { "[\(33 + Double($0) / 20), \($0 % 2 == 0 ? 0 : -1)]" }.joined(separator: ", ") + "]"),
    ])
    func `a face that flashes more than three times in a second is refused`(motion: String) {
        let found = problems("name = \"strobe\"" + motion)
        #expect(found.count == 1 && found[0].contains("times a second") && found[0].hasPrefix("2:1"), "\(found)")
    }

    @Test(arguments: [
        shake("eyes.brightness", 0.02), shake("face.x", 0.02, 12), shake("eyes.width", 0.03),
        motion("eyes.brightness", "curve = \"sine\"\namount = 0.4\nevery = 0.34"),
        motion(
            "eyes.brightness", "curve = \"keys\"\nkeys = [[0, -1], [0.1, 0], [0.2, -1], [0.3, 0], [0.4, -1], [0.5, 0]]"),
        shake("face.mark_x", 0.1) + "[face]\nmark_scale = 1", shake("face.roll", 1, 12),
    ])
    func `a face that trembles or blinks a few times is accepted`(motion: String) {
        #expect(problems("name = \"steady\"" + motion) == [])
    }

    @Test func `a sweep back and forth over a point lights it twice, and combined beats are found`() {
        let sweep = Self.motion("face.x", "curve = \"sine\"\namount = 0.75\nevery = 0.34")
        #expect(problems("name = \"sweep\"" + sweep).count == 1)
        func blink(_ every: Double) -> String {
            Self.motion(
                "eyes.brightness",
                "by = \"times\"\ncurve = \"keys\"\nevery = \(every)\nkeys = [[0, 1], [0.19, 1], [0.2, 0], [0.3, 0], [0.31, 1]]"
            )
        }
        #expect(problems("name = \"one\"" + blink(0.5)) == [])
        #expect(problems("name = \"two\"" + blink(0.5) + blink(0.49)).count == 1)
    }

    @Test func `garbage never traps`() throws {
        var random = SplitMix(state: 7)
        let whole = Array(ExpressionWriter.text(of: Expression.all[0], as: "x").utf8)
        let pieces: [[UInt8]] = [
            "[", "]", "[[", "=", "\n", "\"", "9e99", "-", "#", "[[motion]]", "nan", "inf", "}", ",", "{", "é",
            "\u{2028}",
        ].map {
            Array($0.utf8)
        }
        for _ in 0..<2000 {
            var text = whole
            for _ in 0..<(1 + Int(random.unit() * 4)) {
                let place = Int(random.unit() * Double(text.count))
                let piece = pieces[Int(random.unit() * Double(pieces.count))]
                text.replaceSubrange(place..<min(text.count, place + Int(random.unit() * 8)), with: piece)
            }
            _ = try? ExpressionReader.read(String(decoding: text, as: UTF8.self), file: "x.toml")
        }
    }

    @Test func `the bundled example is valid, and differs from every built-in face`() throws {
        let root = #filePath.replacing("Tests/CompanionTests/ExpressionFileTests.swift", with: "")
        let wink = try ExpressionLibrary.read(root + "Examples/expressions/wink.toml").get()
        #expect(wink.name == "wink")
        for expression in Expression.all { #expect(wink.difference(from: expression) >= 0.2) }
    }

    @Test func `the page names every key`() throws {
        let root = #filePath.replacing("Tests/CompanionTests/ExpressionFileTests.swift", with: "")
        let page = try String(contentsOfFile: root + "docs/FACE.md", encoding: .utf8)
        for row in ExpressionDraft.rows { #expect(page.contains("`\(row.path.last ?? "")`"), "\(row.name)") }
        for row in TrackDraft.rows { #expect(page.contains("`\(row.name)`"), "\(row.name)") }
    }

    // MARK: library and session

    private func folder(_ files: [String: String]) throws -> String {
        let path = NSTemporaryDirectory() + "expressions-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name)) }
        return path
    }

    @Test func `a folder adds to the 21; invalid files in it are reported and left out`() throws {
        let path = try folder([
            "a.toml": "name = \"grin\"\nwords = [\"smirk\"]", "b.toml": "name = \"smirk\"", "c.toml": "name = 3",
            "notes.txt": "x", "d.toml": "name = \"wide\"\n[eyes]\nwidth = 1.5",
        ])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (book, problems) = ExpressionLibrary(folders: [path, "/nonexistent"]).book()
        let own = RobotFace.Expression.all.count
        #expect(book.names.suffix(2) == ["grin", "wide"] && book.all.count == own + 2)
        #expect(book["SMIRK"]?.name == "grin" && book["\(own + 2)"]?.name == "wide" && book["\(own + 3)"] == nil)
        #expect(book.next(after: book.all[own - 1]).name == "grin")
        #expect(book.next(after: book.all[own + 1]).name == "normal")
        #expect(problems.count == 2)
        #expect(problems.contains { $0.file.hasSuffix("b.toml") && $0.text.contains("is taken by") })
        #expect(problems.contains { $0.file.hasSuffix("c.toml") && $0.line == 1 })
    }

    @Test func `a session shows them, cycles through them, and names them when a word was wrong`() throws {
        let path = try folder(["a.toml": "name = \"grin\"\nwords = [\"smirk\"]"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        var options = SessionState.Options(
            hasFace: true, display: .fixed, endsWithInput: false, dryRun: false, seed: 1)
        options.expressions = ExpressionLibrary(folders: [path]).book().book
        var session = SessionState(options: options)
        _ = session.handle(.line("face smirk", nil), now: 1)
        #expect(session.face.mood.expression.name == "grin")
        _ = session.handle(.line("face next", nil), now: 2)
        #expect(session.face.mood.expression.name == "normal")
        let effects = session.handle(.line("face grim", nil), now: 3)
        #expect("\(effects)".contains("there is no face") && "\(effects)".contains("`face grin`"))
        #expect(session.face.mood.expression.name == "normal")
    }
}
