import ArgumentParser
import DockTypes
import Testing
import ThingFinder

@testable import dockface_find

/// What the options of a search mean.
@Suite struct ChoicesTests {
    private func choices(_ words: String...) throws -> VerifierChoices { try VerifierChoices.parse(words) }

    @Test func `a thing without a name is called after what tells it`() throws {
        let cases: [([String], String)] = [
            (["--photo", "/pictures/Red Mug.jpg"], "red mug"), (["--photo", "/pictures/mug"], "mug"),
            (["--text", "ACME"], "acme"), (["--describe", "a red mug"], "a red mug"),
        ]
        for (words, name) in cases {
            let wish = try VerifierChoices.parse(words).wish(nil)
            #expect(wish.label == name && wish.takesAnyLabel)
        }
        let named = try choices("--photo", "mug.jpg").wish("cup")
        #expect(named.label == "cup" && !named.takesAnyLabel && named.photo?.hasPrefix("/") == true)
        #expect(named.photo?.hasSuffix("/mug.jpg") == true)
        #expect(throws: DockError.self) { try choices().wish(nil) }
        #expect(throws: DockError.self) { try choices("--text", "a\u{1B}[2J").wish("cup") }
    }

    @Test func `only words of the owner ask a model`() throws {
        for words in [["--llm"], ["--describe", "red"], ["--llm-address", "http://h/v1"], ["--llm-model", "eye"]] {
            #expect(try VerifierChoices.parse(words).asksModel)
        }
        for words in [[], ["--photo", "mug.jpg"], ["--text", "llm"], ["--verifier", "exec:cat"]] {
            #expect(try !VerifierChoices.parse(words).asksModel)
        }
        let plan = try VerifierPlan(choices(), label: "cup")
        #expect(plan.commands.isEmpty && !plan.sendsAway)
    }

    @Test(arguments: [
        ("person", true), ("tall Person", true), ("personal computer", false), ("cup", false), (nil, false),
    ])
    func `only the name of the thing uncovers faces`(label: String?, isVisible: Bool) throws {
        let words = ["--describe", "a mug with a person", "--photo", "person.jpg"]
        let plan = try VerifierPlan(VerifierChoices.parse([]), label: label)
        #expect(plan.showsFaces == isVisible)
        // Without a name the description names the thing, and uncovers nothing.
        #expect(try VerifierChoices.parse(words).wish(nil).label == "person")
    }

    @Test func `an address of this machine is not that of another one`() {
        let cases = [
            ("http://127.0.0.1:8080/v1", true), ("http://localhost/v1", true), ("http://[::1]:8/v1", true),
            ("http://[::1]/v1", true), ("https://api.example.com/v1", false), ("http://192.168.1.2:11434/v1", false),
            ("http://127.0.0.1.example.com/v1", false), ("http://localhost.example.com/v1", false),
            ("http://[2001:db8::1]/v1", false), ("", false),
        ]
        for (address, isLocal) in cases {
            var model = ModelSettings()
            model.address = address
            #expect(model.isLocal == isLocal, "\(address)")
        }
    }

    @Test func `a model needs an address, a name, and prices for a limit of money`() throws {
        var model = ModelSettings()
        #expect(throws: DockError(.configuration, "", hint: "")) { try model.check() }
        model.address = "http://127.0.0.1/v1"
        #expect(throws: DockError(.configuration, "", hint: "")) { try model.check() }
        model.model = "eye"
        try model.check()
        model.money = 0.05
        #expect(throws: DockError(.configuration, "", hint: "")) { try model.check() }
        model.priceOut = 0.6
        try model.check()
    }
}
