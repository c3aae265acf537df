import Testing

@testable import Files

/// Texts that the parser does not survive.
@Suite struct TOMLScanTests {
    @Test(arguments: [
        ("[[[bad", 1, 3), ("[[\n", 1, 3), ("\u{FEFF}[\\x", 1, 2), ("[=]", 1, 2), ("a = 1\n  [.a]", 2, 4),
        ("x = \"\"\"\n[=\n\"\"\"\n[[+]]", 4, 3), ("a = [1, }", 1, 9), ("a = [ # x\n}", 2, 1),
        ("a = [1,\u{2028}2]", 1, 8),
        ("a = {b = }", 1, 10), ("a = 1\n\u{0}[pan", 2, 1), ("a = 'b\u{7}'", 1, 7),
        (String(repeating: "a.", count: 60_000) + "a = 1", 1, 64),
        ("[" + String(repeating: "a.", count: 60_000) + "a]", 1, 65),
    ])
    func `input that would trap the parser is an error with its place`(
        text: String, line: Int, column: Int
    ) {
        do {
            _ = try FileWalk(text, file: "x.toml")
            Issue.record("was accepted")
        } catch {
            #expect(error.problems.first?.line == line && error.problems.first?.column == column)
        }
        let right =
            "a.b.c = [\(String(repeating: "1.5, ", count: 99))]\n[pan]\nkeys = [\n  [1, 2],\n]\nt = '[='  # [=\n[[a.'b']]\n[ \"c\" ]\nd = {}\ne = 'é'  # ö"
        #expect(TOMLScan.firstFlaw(in: right) == nil)
    }
}
