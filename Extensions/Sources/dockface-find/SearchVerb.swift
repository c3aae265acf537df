import ArgumentParser
import DockTypes
import ExtensionKit
import ThingFinder

struct SearchVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Look for a thing. The default verb.",
        discussion: """
            The label is a word of the detector, such as cup, cat or bottle; more words before it are kept as the \
            name ("brown cup"). Without a label, things of every label are compared with --photo, --text or --describe; \
            with several of them, all must agree. Exit status: 0 found, 1 not found, 75 a person took the head.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: SearchChoices

    @OptionGroup(title: "Which thing it is") var verifiers: VerifierChoices

    @Argument(help: "What to look for.")
    var label: String?

    func run() async throws {
        let (wish, plan) = try await FindPlace.reporting { () throws(DockError) -> (Wish, VerifierPlan) in
            (try verifiers.wish(label), try VerifierPlan(verifiers, label: label))
        }
        try await FindRun.search(wish, options, choices, plan, onlyMemory: nil)
    }
}

struct LookVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "look", abstract: "Look whether a thing is still where it was.")

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: SearchChoices

    @OptionGroup(title: "Which thing it is") var verifiers: VerifierChoices

    @Argument(help: "The name of a thing that was found: see `dockface find things`.")
    var name: String

    func run() async throws {
        typealias Known = (Wish, VerifierPlan, Remembrance)
        let (wish, plan, memory) = try await FindPlace.reporting { () throws(DockError) -> Known in
            let wish = try verifiers.wish(name), plan = try VerifierPlan(verifiers, label: name)
            guard let memory = try FindPlace.memory().thing(named: wish.label) else {
                throw DockError(
                    .cannotOpen, "no place is stored for \"\(wish.label)\"",
                    hint: "see `dockface find things`, or look for it: `dockface find \"\(wish.label)\"`")
            }
            return (wish, plan, memory)
        }
        try await FindRun.search(wish, options, choices, plan, onlyMemory: memory)
    }
}

/// The options of a search.
struct SearchChoices: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The longest time of the search, 1...3600 s. Default: 120, or 600 if a model is asked.",
            valueName: "seconds"))
    var timeLimit: Double?

    @Option(
        help: ArgumentHelp(
            "The detector, by its name in `dockface source`. Default: things if it is there, else the one that steers.",
            valueName: "name"))
    var source: String?

    @Flag(help: "Keep pointing at the thing until Ctrl-C, and look for it again if it disappears.")
    var stay = false

    @Flag(help: "Keep a small picture of the thing with its place, on this machine only, until it is forgotten.")
    var keepPicture = false

    @Flag(help: "Print the progress and the result as JSON Lines.")
    var json = false

    func validate() throws {
        guard timeLimit.map({ (1...3600).contains($0) }) ?? true else {
            throw ValidationError("--time-limit must be 1 to 3600")
        }
    }
}
