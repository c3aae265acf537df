import ArgumentParser
import Companion
import DockControl
import Glibc

/// The program: verbs like git's. Without one it tells what is plugged in and what to do next.
@main
struct Dockface: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dockface",
        abstract: "DockKit for Linux, with a face: steers a pan/tilt dock toward people and shows how it feels.",
        discussion: """
            Try it without hardware: dockface run --port sim --detector scene:Examples/faces/two-people.jsonl
            Then, from another shell: dockface status --why; dockface tap 0.4 0.6; dockface animate yes
            """,
        version: CompanionSession.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Run", subcommands: [Run.self, Simulate.self, Track.self, ReplayVerb.self]),
            // The library puts "subcommands" behind each name.
            CommandGroup(name: "Daemon control", subcommands: [Status.self, Watch.self, TraceVerb.self] + Words.verbs),
            CommandGroup(
                name: "First ten minutes",
                subcommands: [Ports.self, Adopt.self, Check.self, Calibrate.self, DoctorVerb.self, Profiles.self]),
            CommandGroup(name: "Look", subcommands: [Face.self]),
        ])

    /// Options of the verbs that talk to a daemon may also stand before the verb.
    static func main() async {
        let words = WordLine.arranged(Array(CommandLine.arguments.dropFirst()))
        // Where a parent had it ignored, the system would reap the guard, and its number could be another process's.
        signal(SIGCHLD, SIG_DFL)
        if EarlyGuard.drives(words) {
            do throws(DockError) {
                try DescriptorReserve.check()
            } catch {
                Glibc.exit(error.exit.rawValue)
            }
        }
        EarlyGuard.begin(for: words)
        await main(words)
    }

    func run() async throws { try Ports.overview() }
}

/// Ends with an error for people: what happened and what to do, and the exit status of its kind.
func fail(_ message: String, status: Int32) -> ExitCode {
    var line = "dockface: error: \(message)\n"
    line.withUTF8 { bytes in _ = write(2, bytes.baseAddress, bytes.count) }
    return ExitCode(status)
}

/// Says on standard error what somebody should know, and goes on.
func warn(_ message: String) {
    var line = "dockface: warning: \(message)\n"
    line.withUTF8 { bytes in _ = write(2, bytes.baseAddress, bytes.count) }
}

extension DockError {
    /// As an exit of this program.
    var exit: ExitCode { fail("\(message): \(hint)", status: exitStatus) }
}
