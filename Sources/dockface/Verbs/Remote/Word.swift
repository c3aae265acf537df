import ArgumentParser

/// A command word as a verb: its description for people. Only the daemon interprets it.
struct Word: Sendable {
    /// The verb.
    let name: String
    /// The forms of the arguments, such as `["X Y", "off"]`; empty if there are none.
    let forms: [String]
    /// One line for the list of verbs.
    let abstract: String
    /// Examples, without "dockface".
    let examples: [String]
    /// Whether the word begins a motion with an end that is worth waiting for.
    let moves: Bool
    /// The words that precede the typed ones, or nil for the verb itself.
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

    /// The help of words that wait for the motion's end.
    static let waiting = """


        Waits until the motion has ended, and reports the outcome (status 0: it arrived; 1: it did not). Ctrl-C cancels the \
        motion. With --no-wait the command returns when the motion begins.
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
