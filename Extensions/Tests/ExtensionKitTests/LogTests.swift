import Glibc
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

    @Test func `text for people commands no terminal, whatever it quotes`() throws {
        var ends: [Int32] = [-1, -1]
        let isMade = pipe(&ends) == 0
        try #require(isMade)
        defer { close(ends[0]) }
        TextOutput.put("a\u{1B}[2Jb\u{9B}1m\nc\n", to: ends[1])
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = read(ends[0], &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "a\\u{1b}[2Jb\\u{9b}1m\nc\n")
    }

    @Test func `a text is cut between letters`() {
        #expect(PlainLine.of("äöü", bytes: 5) == "äö")
        #expect(PlainLine.of("abc", bytes: 3) == "abc")
    }
}
