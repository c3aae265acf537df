import TestSupport
import Testing

extension ProgramTests {
    /// No text from outside controls a terminal, forges a log line or makes JSON dangerous to display.
    @Suite(.timeLimit(.minutes(10))) struct ForeignTexts {
        @Test(.serialized, arguments: ForeignWay.all)
        func `text from outside is shown, and is plain`(_ way: ForeignWay) throws {
            let said = try way.send()
            for one in said {
                if let flaw = Hostile.flaw(in: one.bytes) { Issue.record("\(one.place): \(flaw)") }
            }
            // A way that lets nothing in proves nothing.
            #expect(
                said.contains { String(decoding: $0.bytes, as: UTF8.self).contains(way.mark) },
                "the text did not come in: \(said.map { "\($0.place): \(String(decoding: $0.bytes.prefix(300), as: UTF8.self))" })"
            )
        }

        @Test func `the check itself finds hostile text`() {
            for scalar in Hostile.text.unicodeScalars where !scalar.properties.isASCIIHexDigit && scalar.value < 0x20 {
                if scalar != "\n" { #expect(Hostile.flaw(in: "a\(scalar)b".utf8) != nil) }
            }
            #expect(Hostile.flaw(in: "a\nINJECTED".utf8) != nil && Hostile.flaw(in: [0x61, 0x9B]) != nil)
            #expect(Hostile.flaw(in: "a\u{9B}".utf8) != nil && Hostile.flaw(in: "\u{202E}".utf8) != nil)
            #expect(Hostile.flaw(in: "plain, \\u{1b}\nsecond\n".utf8) == nil)
        }
    }
}
