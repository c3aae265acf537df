import ArgumentParser
import Companion
import DockControl
import Glibc

/// `dockface servo`: the first contact with bus servos. Nothing moves.
struct ServoVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servo",
        abstract: "Find bus servos, give them ids, and show or reset the settings that they keep. Nothing moves.",
        discussion: """
            For FeeTech and Dynamixel servos. New ones all have the id 1, and two of them on one bus disturb each \
            other: give each its own id, one at a time. For example:
              dockface servo scan --port /dev/ttyUSB0
              dockface servo id 2 --port /dev/ttyUSB0
              dockface servo info 2 --port /dev/ttyUSB0
            """,
        subcommands: [Scan.self, Info.self, NewID.self, Reset.self])

    /// Opens a bus for some work, and closes it afterwards. `usesErrors`: standard output is reserved for a program.
    static func withBus(
        _ options: ServoOptions, usesErrors: Bool = false, _ work: (ServoBus, CheckDesk) throws -> Void
    ) throws {
        // If the reader of the pipe ends, SIGPIPE must not end the program in the middle of a change.
        signal(SIGPIPE, SIG_IGN)
        let desk = try CheckDesk(usesErrors: usesErrors, takesKeys: false)
        defer { desk.close() }
        let bus = try ServoBus(options, desk)
        defer { bus.close() }
        do {
            try work(bus, desk)
        } catch is DeskMover.Stopped {
            throw fail("stopped: nothing more is written", status: desk.stoppedStatus)
        }
    }

    /// Asks before settings are written.
    /// - Throws: an exit if the answer is not yes, or `Stopped` after a signal.
    static func confirm(_ question: String, _ desk: CheckDesk) throws {
        desk.ask(question + " [y/n]")
        let answer = desk.answer()
        if desk.wasStopped { throw DeskMover.Stopped() }
        guard answer == .yes else { throw fail("nothing was written", status: 75) }
    }
}

/// Where to look for servos, and what is known about them.
struct ServoOptions: ParsableArguments {
    @OptionGroup var dock: PortOption

    @Option(
        help: "Rig profile: a path or a name (see: dockface profiles).", completion: Completions.profiles)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "Only servos of this family. Default: that of the profile, otherwise all.",
            valueName: "feetech|scs|dynamixel"), completion: .list(ServoFamily.allCases.map(\.rawValue)))
    var family: String?

    @Option(help: "Only this speed of the line, in bits per second. Default: all speeds that the servos can have.")
    var baud: Int?

    mutating func validate() throws {
        if let family, ServoFamily(rawValue: family) == nil {
            throw ValidationError("--family must be feetech, scs or dynamixel.")
        }
        if let baud, !(300...4_500_000).contains(baud) {
            throw ValidationError("--baud must be 300 to 4500000.")
        }
    }
}
