import ArgumentParser

/// A command word as a verb: how it is told to people. What it means, the daemon knows.
struct Word: Sendable {
    /// The verb.
    let name: String
    /// What may follow, by form: `["X Y", "off"]`; empty: nothing.
    let forms: [String]
    /// One line for the list of verbs.
    let abstract: String
    /// What to try, without "dockface".
    let examples: [String]
    /// The word begins a motion with an end that is worth waiting for.
    let moves: Bool
    /// What is sent in front of what was typed; nil: the verb itself.
    let prefix: [String]

    init(
        _ name: String, _ forms: [String], _ abstract: String, examples: [String], moves: Bool = false,
        prefix: [String]? = nil
    ) {
        self.name = name
        self.forms = forms
        self.abstract = abstract
        self.examples = examples
        self.moves = moves
        self.prefix = prefix ?? [name]
    }

    /// Of words that wait: the motion's end.
    static let waiting = """


        Waits until the motion has ended, and says how (status 0: it arrived; 1: something came between). Ctrl-C cancels \
        it. --no-wait returns as soon as it begins.
        """

    var configuration: CommandConfiguration {
        let options = (moves ? " [--no-wait]" : "") + " [--json] [--socket PATH]"
        let lines = (forms.isEmpty ? [""] : forms).map { "dockface \(name)\($0.isEmpty ? "" : " " + $0)\(options)" }
        return CommandConfiguration(
            commandName: name, abstract: abstract, usage: lines.joined(separator: "\n"),
            discussion: "For example:\n" + examples.map { "  dockface " + $0 }.joined(separator: "\n")
                + (moves ? Self.waiting : ""))
    }
}

/// A row of the table of words.
protocol WordRow: Sendable {
    static var word: Word { get }
}
