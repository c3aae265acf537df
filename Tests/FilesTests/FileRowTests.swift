import Testing

@testable import Files

/// Rows of TOML: what is read, what is written, and where a mistake is.
@Suite struct FileRowTests {
    private struct Lamp: Equatable {
        var name = "", level = 0.0, isOn = false
    }

    private static let rows: [FileRow<Lamp>] = [
        FileRow("name", .text, required: true, get: { .text($0.name) }) { $0.name = $1.text },
        FileRow("light.level", .number(0...1), get: { .number($0.level) }) { $0.level = $1.number },
        FileRow("light.on", .flag, get: { .flag($0.isOn) }) { $0.isOn = $1.flag },
    ]

    private func read(_ text: String) throws(FileError) -> Lamp {
        var walk = try FileWalk(text, file: "lamp.toml"), lamp = Lamp()
        walk.read(Self.rows, into: &lamp)
        walk.checkKeys(Self.rows)
        try walk.end()
        return lamp
    }

    @Test func `what is written is read as the same value, with the fewest decimals`() throws {
        let lamp = Lamp(name: "desk \"one\"", level: 0.1 + 0.2, isOn: true), text = FileText.lines(of: lamp, Self.rows)
        #expect(try read(text) == lamp)
        let round = Lamp(name: "desk", level: 0.3)
        #expect(
            FileText.lines(of: round, Self.rows) == "name = \"desk\"\n\n[light]\nlevel = 0.3\non = false\n")
    }

    @Test func `all mistakes are found at once, each at its place and with the nearest name`() {
        do {
            _ = try read("nam = \"x\"\n[light]\nlevel = 2\n")
            Issue.record("was accepted")
        } catch {
            #expect(
                error.lines == [
                    "lamp.toml:1:1: \"nam\" is unknown; did you mean \"name\"?",
                    "lamp.toml:3:1: \"light.level\" is wrong: expected a number from 0 to 1",
                    "lamp.toml: \"name\" is missing: expected a string in quotes, without control or invisible characters",
                ])
        }
    }

    @Test func `a word is suggested if at most a third of its letters differ`() {
        #expect(Spelling.nearest(to: "statsu", among: ["status", "stop"]) == "status")
        #expect(Spelling.nearest(to: "x", among: ["status", "stop"]) == nil)
        #expect(Spelling.nearest(to: "fee", among: ["feetech-sts3215-pair", "feetech", "dlp"]) == "feetech")
        #expect(Spelling.distance(Array("ab"), Array("ba")) == 1)
    }
}
