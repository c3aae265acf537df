import TestSupport
import Testing

extension ProgramTests {
    /// Nothing that comes from outside commands a terminal, forges a line of the log or makes JSON dangerous to look at.
    @Suite(.timeLimit(.minutes(3))) struct ForeignTexts {
        @Test(.serialized, arguments: ForeignWay.all)
        func `what comes in is told, and is plain`(_ way: ForeignWay) throws {
            let said = try way.send()
            for one in said {
                if let flaw = Hostile.flaw(in: one.bytes) { Issue.record("\(one.place): \(flaw)") }
            }
            // A way by which nothing gets in proves nothing.
            #expect(
                said.contains { String(decoding: $0.bytes, as: UTF8.self).contains(way.mark) },
                "the text did not come in: \(said.map { "\($0.place): \(String(decoding: $0.bytes.prefix(300), as: UTF8.self))" })"
            )
        }

        @Test func `the check itself finds what it is for`() {
            for scalar in Hostile.text.unicodeScalars where !scalar.properties.isASCIIHexDigit && scalar.value < 0x20 {
                if scalar != "\n" { #expect(Hostile.flaw(in: "a\(scalar)b".utf8) != nil) }
            }
            #expect(Hostile.flaw(in: "a\nINJECTED".utf8) != nil && Hostile.flaw(in: [0x61, 0x9B]) != nil)
            #expect(Hostile.flaw(in: "a\u{9B}".utf8) != nil && Hostile.flaw(in: "\u{202E}".utf8) != nil)
            #expect(Hostile.flaw(in: "plain, \\u{1b}\nsecond\n".utf8) == nil)
        }
    }
}
