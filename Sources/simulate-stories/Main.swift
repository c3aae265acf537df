internal import ArgumentParser
internal import DaemonSimulation
internal import DockControl

@main
struct SimulateStories: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-stories",
        abstract: "Run the whole daemon in virtual time, with faults and conflicting requests, from seeds.",
        discussion: """
            Every story follows from its seed. A story that breaks a rule is reduced, and the command that repeats it is printed.
            """)

    @Option(help: "Number of stories.")
    var seeds = 2000
    @Option(help: "The first seed.")
    var first: UInt64 = 1
    @Option(help: "Seed of a single story to run and describe.")
    var seed: UInt64?
    @Option(help: "Numbers of the only events to keep in that story: 3,7,9 (or: none).")
    var events: String?
    @Flag(help: "Print every message, answer and set-point of that story.")
    var aloud = false
    @Option(help: "Deliberate bug to switch on; --mutants lists the names.")
    var mutant: String?
    @Option(help: "Length of a single long story in hours; prints its use of memory and descriptors.")
    var soak: Double?
    @Flag(help: "Search for each deliberate bug, and print how many stories it took to catch it.")
    var mutants = false

    @Option(
        help: "Number of cameras of each kind, correct and wrong, with bad frames, for the sign guard; prints a table."
    )
    var signs: Int?

    func run() throws {
        if let name = mutant { try MutantSelection.select(name) }
        if mutants { return try MutantTable.print(first: first, most: seeds) }
        if let signs { return try SignTable.print(first: first, count: signs) }
        if let soak { return try Soak.run(hours: soak, seed: seed ?? first) }
        if let seed { return try StoryReport.tell(seed: seed, events: events, aloud: aloud) }
        try Campaign.run(first: first, count: seeds)
    }
}
