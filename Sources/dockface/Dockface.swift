import ArgumentParser
import Companion
import ControlProtocol
import DockControl
import DockTypes
import Files
import Glibc
import PlainText
import Synchronization

/// The program, with subcommands like git's. Without a verb it shows what is plugged in and what to do next.
@main
struct Dockface: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dockface",
        abstract: "DockKit for Linux, with a face: steers a pan/tilt dock toward people and shows an expression.",
        discussion: """
            Try it without hardware: dockface demo
            Then, from another shell: dockface status --why; dockface tap 0.5 0.45; dockface animate yes
            More words come with extensions, such as find, record and voice; this lists them: dockface extensions
            """,
        version: CompanionSession.version,
        groupedSubcommands: [
            CommandGroup(
                name: "First ten minutes",
                subcommands: [
                    Demo.self, Ports.self, Cameras.self, ServoVerb.self, Adopt.self, Check.self, Calibrate.self,
                    BoardVerb.self, DoctorVerb.self, Profiles.self, ConfigVerb.self,
                ]),
            CommandGroup(
                name: "Run",
                subcommands: [
                    Run.self, Simulate.self, Track.self, ReplayVerb.self, PlotVerb.self, Detect.self,
                    ExtensionsVerb.self,
                ]),
            // The library prints "subcommands" after each name.
            CommandGroup(
                name: "Daemon control",
                subcommands: [
                    Status.self, Watch.self, SnapshotVerb.self, LatencyVerb.self, MetricsVerb.self, TraceVerb.self,
                ] + Words.verbs
            ),
            CommandGroup(name: "Look", subcommands: [Face.self]),
        ])

    /// Starts the program. Options of the verbs that talk to a daemon may also precede the verb.
    static func main() async {
        let typed = CommandLine.arguments.dropFirst()
        do throws(DockError) {
            try MemoryReserve.checkStack()
        } catch {
            Glibc.exit(error.exit.rawValue)
        }
        var words = WordLine.arranged(Array(typed))
        SystemPlaces.use(for: words)
        do {
            try refuseMisspelt(words)
            words = try RunWords.expanded(DemoWords.expanded(words))
        } catch {
            exit(withError: error)
        }
        // If a parent process ignored SIGCHLD, the system would reap the guard, and its process id could be reused.
        signal(SIGCHLD, SIG_DFL)
        // A file at its size limit must be an error of the write. It must not end a process that moves a dock.
        signal(SIGXFSZ, SIG_IGN)
        if EarlyGuard.drives(words) {
            do throws(DockError) {
                try DescriptorReserve.check()
                try MemoryReserve.check()
            } catch {
                Glibc.exit(error.exit.rawValue)
            }
        }
        EarlyGuard.begin(for: words)
        // The library's own error messages would have no log level in the journal.
        if LineLog.isJournal { Self.explain(words) }
        await start(words)
        if SelfRestart.isWanted { exit(withError: SelfRestart.begin()) }
    }

    /// Executes the verb. Like the library's `main`, but it escapes the words that error messages quote.
    private static func start(_ words: [String]) async {
        do {
            var command = try parseAsRoot(words)
            if var slow = command as? any AsyncParsableCommand { try await slow.run() } else { try command.run() }
        } catch {
            let status = exitCode(for: error)
            guard !status.isSuccess else { exit(withError: error) }
            var text = ForeignText.lines(fullMessage(for: complaint(about: words) ?? error))
            // All errors of this program begin alike.
            if text.hasPrefix("Error: ") { text = LineLog.error(String(text.dropFirst("Error: ".count))) }
            if !text.isEmpty { printLine(text, to: 2) }
            // Some verbs report the lost output themselves, as a file that cannot be written.
            let isOfFile = [65, 78].contains(status.rawValue)
            Glibc.exit(isOfFile && StandardOutput.finish() != nil ? Self.lostOutput : status.rawValue)
        }
        if let failure = StandardOutput.finish() {
            _ = fail("standard output: \(failure); the answer above is incomplete", status: Self.lostOutput)
            Glibc.exit(Self.lostOutput)
        }
    }

    /// The exit status of a verb whose output could not be written.
    private static let lostOutput: Int32 = 74

    /// Returns the error for words with unsafe characters, produced from the escaped words, so that a line end in a
    /// word is not one in the message. The result is nil if the words are plain, or if they are valid.
    private static func complaint(about words: [String]) -> (any Error)? {
        guard !words.allSatisfy({ ForeignText.isPlain($0) }) else { return nil }
        do {
            _ = try parseAsRoot(words.map { ForeignText.line($0) })
            return nil
        } catch {
            return error
        }
    }

    /// Executes the extension of a verb that is not built in, or rejects the verb.
    /// - Throws: an exit that suggests the nearest verb. The library would only report an unexpected argument.
    private static func refuseMisspelt(_ words: [String]) throws {
        let isHelp = words.first == "help", verb = isHelp ? words.dropFirst().first : words.first
        let verbs = configuration.groupedSubcommands.flatMap { group in
            group.subcommands.flatMap { row in
                // A verb without a configured name has the name of its type.
                [row.configuration.commandName ?? String(describing: row).lowercased()] + row.configuration.aliases
            }
        }
        guard let verb, !verb.hasPrefix("-"), verb != "help", !verbs.contains(verb) else { return }
        try ExtensionVerbs.execute(verb, isHelp ? ["--help"] : Array(words.dropFirst()))
        let near = Spelling.nearest(to: verb, among: verbs + ExtensionLibrary().all().found.map(\.name))
        throw fail(
            "unknown verb \"\(verb)\": "
                + (near.map { "did you mean `dockface \($0)`?" } ?? "`dockface --help` lists them"), status: 64)
    }

    /// Exits with the error for invalid words, formatted for journald.
    private static func explain(_ words: [String]) {
        do {
            _ = try parseAsRoot(words)
        } catch {
            let status = exitCode(for: error)
            guard !status.isSuccess else { return }
            Glibc.exit(
                fail(plain: ForeignText.lines(message(for: complaint(about: words) ?? error)), status: status.rawValue)
                    .rawValue)
        }
    }

    func run() async throws { try Ports.overview() }
}

/// Reports an error to the user, what happened and what to do, and returns the exit status of its kind. The message
/// becomes one line; the text that it quotes may contain any characters.
func fail(_ message: String, status: Int32, problem: String? = nil) -> ExitCode {
    fail(plain: ForeignText.line(message, longest: LineLog.longest), status: status, problem: problem)
}

/// Does the same with a message that is already plain, and may have several lines.
func fail(plain message: String, status: Int32, problem: String? = nil) -> ExitCode {
    if let rehearsal = Failure.rehearsal {
        rehearsal.text = message
    } else {
        Failure.last.withLock { $0 = Failure(text: message, problem: problem) }
        complain(LineLog.error(message))
    }
    return ExitCode(status)
}

/// Writes a line to standard error.
private func complain(_ text: String) { printLine(text, to: 2) }

/// Writes a warning to standard error; the program continues.
func warn(_ message: String) { complain(LineLog.warning(ForeignText.line(message, longest: LineLog.longest))) }

/// Writes a note to standard error.
func note(_ message: String) { complain(LineLog.note(ForeignText.line(message, longest: LineLog.longest))) }

extension DockError {
    /// The error as an exit of this program.
    var exit: ExitCode {
        fail(plain: hint.isEmpty ? message : "\(message): \(hint)", status: exitStatus, problem: code.rawValue)
    }
}

/// The last message of `fail`, for verbs that also report it to programs.
struct Failure: Sendable {
    /// What happened and what to do.
    let text: String
    /// The error name for programs, or nil if there is only the exit status.
    let problem: String?

    static let last = Mutex<Failure?>(nil)
    /// Set while an operation is only rehearsed: messages of `fail` go here and not to standard error.
    @TaskLocal static var rehearsal: Rehearsal?

    /// The last message of `fail` during a rehearsal.
    final class Rehearsal: Sendable {
        private let said = Mutex<String?>(nil)
        var text: String? {
            get { said.withLock { $0 } }
            set { said.withLock { $0 = newValue } }
        }
    }
}

/// The one JSON line at the end of a verb. Its members are filled in as they become known. It is printed once, even if
/// the verb fails.
final class JSONEnding {
    var members: [String: JSONValue]
    private let isWanted: Bool

    /// Creates an ending. `members`: all members of the line, null if their values are not known yet.
    init(isWanted: Bool, members: [String: JSONValue]) {
        self.isWanted = isWanted
        self.members = members
    }

    /// Does the verb's work, then prints the line, whatever the result. A failure without a text gets the last message
    /// of `fail`.
    func tell(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let exit as ExitCode {
            if exit != .success, members["text"] == .null, let failure = Failure.last.withLock({ $0 }) {
                members["text"] = .string(failure.text)
                if members["problem"] == .null { members["problem"] = .string(orNull: failure.problem) }
            }
            say()
            throw exit
        }
        say()
    }

    private func say() {
        if isWanted { print(String(decoding: JSONValue.object(members).bytes, as: UTF8.self)) }
    }
}
