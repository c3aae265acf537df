import ArgumentParser
import Companion
import DockControl
import Glibc
import PlainText
import Synchronization

/// The program: verbs like git's. Without one it tells what is plugged in and what to do next.
@main
struct Dockface: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dockface",
        abstract: "DockKit for Linux, with a face: steers a pan/tilt dock toward people and shows how it feels.",
        discussion: """
            Try it without hardware: dockface demo
            Then, from another shell: dockface status --why; dockface tap 0.4 0.6; dockface animate yes
            """,
        version: CompanionSession.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Run",
                subcommands: [
                    Run.self, Demo.self, Simulate.self, Track.self, ReplayVerb.self, PlotVerb.self, Detect.self,
                ]),
            // The library puts "subcommands" behind each name.
            CommandGroup(
                name: "Daemon control",
                subcommands: [Status.self, Watch.self, LatencyVerb.self, MetricsVerb.self, TraceVerb.self] + Words.verbs
            ),
            CommandGroup(
                name: "First ten minutes",
                subcommands: [
                    Ports.self, Cameras.self, Adopt.self, Check.self, Calibrate.self, DoctorVerb.self, Profiles.self,
                    ConfigVerb.self,
                ]),
            CommandGroup(name: "Look", subcommands: [Face.self]),
        ])

    /// Options of the verbs that talk to a daemon may also stand before the verb.
    static func main() async {
        let typed = ProgramWords.all.dropFirst()
        do throws(DockError) {
            try MemoryReserve.checkStack()
        } catch {
            Glibc.exit(error.exit.rawValue)
        }
        var words = WordLine.arranged(Array(typed))
        SystemPlaces.use(for: words)
        do {
            try refuseMisspelt(words.first)
            words = try RunWords.expanded(try DemoWords.expanded(words))
        } catch {
            exit(withError: error)
        }
        // Where a parent had it ignored, the system would reap the guard, and its number could be another process's.
        signal(SIGCHLD, SIG_DFL)
        // A file that may grow no larger is an error where it is written, and not the end of a process that moves a dock.
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
        // The library's own complaints about words would have no level there.
        if LineLog.isJournal { Self.explain(words) }
        await start(words)
        if NewBeginning.isWanted { exit(withError: NewBeginning.begin()) }
    }

    /// Does what the words say. As the library's `main`, but what its errors quote of the words is made plain.
    private static func start(_ words: [String]) async {
        do {
            var command = try parseAsRoot(words)
            if var slow = command as? any AsyncParsableCommand { try await slow.run() } else { try command.run() }
        } catch {
            let status = exitCode(for: error)
            guard !status.isSuccess else { exit(withError: error) }
            let text = fullMessage(for: complaint(about: words) ?? error)
            if !text.isEmpty { printLine(ForeignText.lines(text), to: 2) }
            Glibc.exit(status.rawValue)
        }
    }

    /// What is wrong with words that are not plain: the same complaint, made about them with escapes, so that a line end in a word is
    /// none in the message. Nil: the words are plain, or nothing is wrong with them.
    private static func complaint(about words: [String]) -> (any Error)? {
        guard !words.allSatisfy({ ForeignText.isPlain($0) }) else { return nil }
        do {
            _ = try parseAsRoot(words.map { ForeignText.line($0) })
            return nil
        } catch {
            return error
        }
    }

    /// A verb that there is not.
    /// - Throws: an exit that says which one may be meant; the library would only call it an unexpected argument.
    private static func refuseMisspelt(_ verb: String?) throws {
        let verbs = configuration.groupedSubcommands.flatMap { group in
            group.subcommands.flatMap { row in
                // Without a name of its own a verb has its type's.
                [row.configuration.commandName ?? String(describing: row).lowercased()] + row.configuration.aliases
            }
        }
        guard let verb, !verb.hasPrefix("-"), verb != "help", !verbs.contains(verb) else { return }
        let near = Spelling.nearest(to: verb, among: verbs)
        throw fail(
            "there is no verb \"\(verb)\": "
                + (near.map { "did you mean `dockface \($0)`?" } ?? "`dockface --help` lists them"), status: 64)
    }

    /// Ends with the complaint about words that mean nothing, as journald wants it.
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

/// Ends with an error for people: what happened and what to do, and the exit status of its kind.
/// It is one line; what it quotes need not be plain.
func fail(_ message: String, status: Int32, problem: String? = nil) -> ExitCode {
    fail(plain: ForeignText.line(message, longest: LineLog.longest), status: status, problem: problem)
}

/// The same with a message that is plain already, and may have several lines.
func fail(plain message: String, status: Int32, problem: String? = nil) -> ExitCode {
    if let rehearsal = Failure.rehearsal {
        rehearsal.text = message
    } else {
        Failure.last.withLock { $0 = Failure(text: message, problem: problem) }
        complain(LineLog.error(message))
    }
    return ExitCode(status)
}

/// A line on standard error.
private func complain(_ text: String) { printLine(text, to: 2) }

/// Says on standard error what somebody should know, and goes on.
func warn(_ message: String) { complain(LineLog.warning(ForeignText.line(message, longest: LineLog.longest))) }

/// Tells what is good to know, on standard error.
func note(_ message: String) { complain(LineLog.note(ForeignText.line(message, longest: LineLog.longest))) }

extension DockError {
    /// As an exit of this program.
    var exit: ExitCode {
        fail(plain: hint.isEmpty ? message : "\(message): \(hint)", status: exitStatus, problem: code.rawValue)
    }
}

/// What `fail` has said last: for verbs that tell programs of it, too.
struct Failure: Sendable {
    /// What happened and what to do.
    let text: String
    /// A word for programs; nil: there is none but the exit status.
    let problem: String?

    static let last = Mutex<Failure?>(nil)
    /// Something that could fail is only tried: what it says goes here, and not to standard error.
    @TaskLocal static var rehearsal: Rehearsal?

    /// What `fail` has said last during one.
    final class Rehearsal: Sendable {
        private let said = Mutex<String?>(nil)
        var text: String? {
            get { said.withLock { $0 } }
            set { said.withLock { $0 = newValue } }
        }
    }
}

/// The one JSON line at the end of a verb: its members as they become known, said once, also where the verb fails.
final class JSONEnding {
    var members: [String: JSONValue]
    private let isWanted: Bool

    /// `members`: all that the verb tells, null where nothing is known yet.
    init(isWanted: Bool, members: [String: JSONValue]) {
        self.isWanted = isWanted
        self.members = members
    }

    /// Does the verb's work, and says the line, however it ends; of a failure that has no text of its own, what `fail` has said.
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
