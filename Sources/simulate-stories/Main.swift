internal import ArgumentParser
internal import DaemonSimulation
internal import DockControl

@main
struct SimulateStories: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-stories",
        abstract: "Runs the whole daemon in virtual time, through faults and fights, from seeds.",
        discussion: """
            Every story follows from its seed. One that breaks a rule is shrunk, and a command is printed that tells it again.
            """)

    @Option(help: "How many stories.")
    var seeds = 2000
    @Option(help: "The first seed.")
    var first: UInt64 = 1
    @Option(help: "Tell one story, event by event.")
    var seed: UInt64?
    @Option(help: "Of that story only these events, by number: 3,7,9 (or: none).")
    var events: String?
    @Flag(help: "Tell what was written, answered and told in that story.")
    var aloud = false
    @Option(help: "Switch a deliberate bug on; see --mutants for their names.")
    var mutant: String?
    @Option(help: "One long story instead: so many hours, and what memory and descriptors do meanwhile.")
    var soak: Double?
    @Flag(help: "Look for each of the deliberate bugs, and print the table of seeds until it was caught.")
    var mutants = false

    @Option(
        help: "The sign guard before so many cameras of every kind, right and wrong, with bad pictures; prints a table."
    )
    var signs: Int?

    func run() throws {
        if let name = mutant { try SwitchBoard.select(name) }
        if mutants { return try MutantTable.print(first: first, most: seeds) }
        if let signs { return try SignTable.print(first: first, count: signs) }
        if let soak { return try Soak.run(hours: soak, seed: seed ?? first) }
        if let seed { return try Telling.tell(seed: seed, events: events, aloud: aloud) }
        try Campaign.run(first: first, count: seeds)
    }
}
