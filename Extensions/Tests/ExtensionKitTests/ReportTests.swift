import ControlProtocol
import DockTypes
import Testing

@testable import DockClient
@testable import ExtensionKit

@Suite struct ReportRuleTests {
    private static let old = ControlGreeting(version: "0.1.0", speaks: 1)
    private static let new = ControlGreeting(version: "0.3.0", speaks: 1, features: ["extensions"])

    @Test(arguments: [DockError.Code.notSupported, .protocolError])
    func `an older daemon gets no more reports, and nothing is said`(code: DockError.Code) {
        var rule = ReportRule()
        #expect(rule.reaches(Self.old))
        #expect(rule.failed(DockError(code, "unknown method", hint: ""), by: Self.old) == nil)
        #expect(!rule.reaches(Self.old))
        #expect(rule.reaches(Self.new), "the daemon was updated")
    }

    @Test func `a daemon that is away for a moment is no reason to stop`() {
        var rule = ReportRule()
        for code in [DockError.Code.notConnected, .timeout, .busy] {
            #expect(rule.failed(DockError(code, "later", hint: ""), by: Self.new) == nil)
            #expect(rule.reaches(Self.new))
        }
    }

    @Test func `another refusal is named once`() {
        var rule = ReportRule()
        let error = DockError(.limitReached, "64 report already", hint: "")
        #expect(rule.failed(error, by: Self.new) == "the daemon rejects the report: 64 report already")
        #expect(rule.failed(error, by: Self.new) == nil)
        #expect(rule.reaches(Self.new))
    }

    @Test func `a report has at most 80 bytes of plain text`() {
        let identity = ExtensionIdentity(name: "log", version: "0.2.0")
        let text = "\u{1B}[2J" + String(repeating: "é", count: 100)
        let parameters = ReportRule.parameters(identity, .trying, text)
        #expect(parameters["name"] == .string("log") && parameters["version"] == .string("0.2.0"))
        #expect(parameters["state"] == .string("trying") && parameters["ttl"] == .number(10))
        let sent = parameters["text"]?.string ?? ""
        #expect(sent.utf8.count <= 80 && sent.hasPrefix(#"\u{1b}[2Jé"#))
        #expect(sent.unicodeScalars.allSatisfy { $0 != "\u{1B}" })
    }
}
