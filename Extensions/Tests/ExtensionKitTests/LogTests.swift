import Testing

@testable import ExtensionKit

@Suite struct ExtensionLogTests {
    private static let plain = ExtensionLog("pad") { _ in }
    private static let journal = ExtensionLog("pad", isJournal: true) { _ in }

    @Test func `a line begins with the extension's name`() {
        #expect(Self.plain.line("ready", .note) == "pad: ready")
        #expect(Self.plain.line("no gamepad", .warning) == "pad: warning: no gamepad")
        #expect(Self.plain.line("no gamepad", .error) == "pad: error: no gamepad")
    }

    @Test func `in the journal a line has its priority instead`() {
        #expect(Self.journal.line("ready", .note) == "<6>ready")
        #expect(Self.journal.line("a\nb", .error) == "<3>a\n<3>b")
    }

    @Test func `foreign text commands no terminal`() {
        #expect(Self.plain.line("a\u{1B}[2Jb\u{202E}c", .note) == #"pad: a\u{1b}[2Jb\u{202e}c"#)
    }

    @Test func `a text is cut between letters`() {
        #expect(PlainLine.of("äöü", bytes: 5) == "äö")
        #expect(PlainLine.of("abc", bytes: 3) == "abc")
    }
}
