import ArgumentParser
import ControlProtocol
import DockControl

extension ServoVerb {
    /// `dockface servo scan`: who answers on a bus.
    struct Scan: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the servos on a bus, at every speed that they can have. Nothing is written.",
            discussion: """
                Asks all servos at once and then the ids 0 to 15 one after the other, at each speed of each family. \
                That takes about ten seconds; with --profile, --family or --baud less. Exit status 69 if no servo \
                answers.
                """)

        @OptionGroup var place: ServoOptions

        @Flag(help: "Ask every id, not only 0 to 15 and those that answer with all others. That takes minutes.")
        var all = false

        @Flag(help: "Print one JSON line; everything else goes to standard error.")
        var json = false

        func run() throws { try ServoVerb.withBus(place, usesErrors: json) { try scan($0, $1) } }

        private func scan(_ bus: ServoBus, _ desk: CheckDesk) throws {
            desk.say("looking for servos at \(bus.port); nothing moves ...")
            let last = bus.families.map(\.lastID).max() ?? 252
            let ids = all ? (0...last).map { UInt8(clamping: $0) } : ServoSearch.usualIDs
            let found = try bus.search(ids: ids, show: { desk.say("  " + ServoText.line($0)) })
            if json { ServoText.printJSON(["port": .string(bus.port), "servos": .array(found.map(ServoText.json))]) }
            guard !found.isEmpty else {
                throw fail(
                    "no servo answers at \(bus.port): check that the servos have their own supply, that the plug is "
                        + "the right way round, and that no switch of the adapter routes the bus elsewhere"
                        + (all ? "" : "; --all asks every id"), status: 69)
            }
            for line in ServoText.advice(found, bus.profile, bus.port) { desk.say(line) }
        }
    }
}
