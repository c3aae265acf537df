import ArgumentParser
import DockTypes
import Glibc
import ThingFinder

/// The options that say how a thing is recognised.
struct VerifierChoices: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp("A photo of the thing, which needs a pattern. Compared on this machine.", valueName: "file"))
    var photo: String?

    @Option(help: ArgumentHelp("What is written on the thing. Read on this machine.", valueName: "text"))
    var text: String?

    @Option(
        help: ArgumentHelp(
            "What the thing looks like. Asks the vision model of find.toml: pictures go to its address.",
            valueName: "text"))
    var describe: String?

    @Flag(help: "Ask the vision model of find.toml whether it is the thing, by its name: pictures go to its address.")
    var llm = false

    @Option(help: ArgumentHelp("The address of the vision model, instead of that of find.toml.", valueName: "address"))
    var llmAddress: String?

    @Option(help: ArgumentHelp("The name of the vision model there.", valueName: "name"))
    var llmModel: String?

    @Option(
        help: ArgumentHelp(
            "The most questions to verifiers, 1...100. Default: 12 to a model, else 60.", valueName: "count"))
    var requests: Int?

    @Option(
        help: ArgumentHelp(
            "The most that the questions may cost, in the currency of llm.price_in.", valueName: "amount"))
    var money: Double?

    @Option(help: ArgumentHelp("A verifier of your own: \"exec:COMMAND\". See docs/FIND.md.", valueName: "verifier"))
    var verifier: String?

    func validate() throws {
        if let requests, !(1...100).contains(requests) { throw ValidationError("--requests must be 1 to 100") }
        if let money, !(0...1000).contains(money) { throw ValidationError("--money must be 0 to 1000") }
    }

    /// Whether a model is asked.
    var asksModel: Bool { llm || describe != nil || llmAddress != nil || llmModel != nil }

    /// Whether anything verifies the thing.
    var isAny: Bool { photo != nil || text != nil || asksModel || verifier != nil }

    /// The thing that is looked for.
    /// - Parameter label: what the person calls it, or nil; then its photo, its text or its description names it.
    func wish(_ label: String?) throws(DockError) -> Wish {
        let path = photo.map { $0.hasPrefix("/") ? $0 : Self.folder + "/" + $0 }
        let given = label ?? photo.map(Self.name) ?? text ?? describe
        guard let given else {
            throw DockError(
                .invalidParameter, "no thing is named",
                hint: "name one, as in `dockface find cup`, or describe it with --photo, --text or --describe")
        }
        guard label != nil || isAny else {
            throw DockError(.invalidParameter, "no thing is named", hint: "name one, as in `dockface find cup`")
        }
        return try Wish(given, takesAnyLabel: label == nil, photo: path, text: text, description: describe)
    }

    /// The name of a file without its folder and its kind: `mug` for `pictures/mug.jpg`.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }

    private static var folder: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }
}

/// What verifies the thing of a search.
struct VerifierPlan: Sendable {
    /// The verifiers, those that cost nothing first.
    var commands: [VerifierCommand] = []
    /// The model, or nil if none is asked.
    var model: ModelSettings?
    /// Whether faces stay visible in the pictures for the model, because a person is looked for by that name.
    var showsFaces = false
    var mostRequests = 60
    /// How long a question may take, in seconds: the first one, and all others.
    var patience: (first: Double, later: Double) = (30, 10)

    /// Whether pictures leave this machine.
    var sendsAway: Bool { model.map { !$0.isLocal } ?? false }

    /// - Parameter label: what the person calls the thing, or nil. Only this name can uncover faces: a description, a text
    ///   or the name of a photo may end with "person" by chance.
    /// - Throws: `notSupported` if the detectors are not installed; `configuration` if there is no model to ask.
    init(_ choices: VerifierChoices, label: String?) throws(DockError) {
        showsFaces = label?.lowercased().split(whereSeparator: \.isWhitespace).last == "person"
        if choices.photo != nil { commands.append(try VerifierCommand("photo", module: "verify_photo")) }
        if choices.text != nil { commands.append(try VerifierCommand("text", module: "verify_text")) }
        if let own = choices.verifier {
            commands.append(try VerifierCommand(own: own))
            patience = (60, 30)
        }
        if choices.asksModel {
            var model = try ModelSettings.read()
            model.address = choices.llmAddress ?? model.address
            model.model = choices.llmModel ?? model.model
            model.money = choices.money ?? model.money
            try model.check()
            commands.append(try model.command(showsFaces: showsFaces))
            // A local model is loaded for minutes before its first answer.
            (self.model, mostRequests, patience) = (model, Int(model.requests), (180, 30))
        }
        mostRequests = choices.requests ?? mostRequests
    }
}
