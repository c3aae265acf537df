import ArgumentParser
import Companion
import DockControl
import DockTypes
import Geometry
import Glibc

/// `dockface check`: makes small moves and asks two questions, once for each dock, before the dock may turn fast by
/// itself.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Check that a dock turns the way its profile says, with moves of 3 degrees per axis and two questions.",
        discussion: """
            Moves each axis by 3 degrees to either side, at most 10 degrees per second, watches what it reports, and asks \
            which way it turned. Any key stops it, and so does Ctrl-C. A dock that passes is stored with its profile. From then on \
            `dockface run` lets it turn fast and follow people from the start.

            Answers are y, n, a (again) or q; without a terminal they are read from standard input, one per line.
            """)

    @OptionGroup var dock: PortOption

    @Option(
        help: "Rig profile: a path or a name (see: dockface profiles).", completion: Completions.profiles)
    var profile: String?

    @Flag(help: "Print one JSON line at the end; everything else goes to standard error.")
    var json = false

    @OptionGroup var place: SystemOption

    func run() throws {
        // If the reader of the pipe ends, SIGPIPE must not end the program before the stop.
        signal(SIGPIPE, SIG_IGN)
        let ending = JSONEnding(
            isWanted: json,
            members: [
                "passed": .bool(false), "profile": .null, "dock": .null, "problem": .null, "axis": .null, "text": .null,
            ])
        try ending.tell { try check(ending) }
    }

    private func check(_ ending: JSONEnding) throws {
        let guardian = try EarlyGuard.take()
        defer { guardian?.close() }
        let arguments = try RigArguments(port: dock.port, profile: profile), rig = arguments.profile
        ending.members["profile"] = .string(rig.name)
        let bench = try Bench(port: arguments.port, profile: rig, source: .none, openLoop: false)
        defer { bench.close() }
        let path = bench.portName, desk = try CheckDesk(usesErrors: json)
        defer { desk.close() }
        let link = try bench.openPort(serial: rig.serial)
        desk.say("checking \(path) with the profile \"\(rig.name)\"")
        desk.say(
            "each axis will turn by 3 degrees to either side, slowly; keep hands and cables away. "
                + (desk.isTerminal ? "Any key stops it." : "Ctrl-C stops it."))
        desk.ask("begin? [y/n]")
        guard desk.answer() == .yes else {
            link.close()
            throw finish(desk, rig, .stopped, dock: nil, at: path, ending)
        }
        // If hands may be near, a latch persists after the program that it stopped.
        let latch: PortLatch?
        do throws(DockError) {
            latch = rig.safety.isNearHands(isHardware: link.isHardware) ? try PortLatch(port: path) : nil
        } catch {
            link.close()
            throw error.exit
        }
        let mover = try CheckMover(
            link: link, profile: rig, desk: desk, guardian: guardian, latch: latch, fastest: DockCheck.speed,
            verb: "check")
        let outcome = try mover.carryOut(ending) { try mover.check() }
        throw finish(desk, rig, outcome.result, dock: outcome.dock, at: path, ending)
    }

    /// Reports the result, stores the stamp, and returns the exit.
    private func finish(
        _ desk: CheckDesk, _ rig: RigProfile, _ result: DockCheck.Result, dock: String?, at path: String,
        _ ending: JSONEnding
    ) -> ExitCode {
        ending.members["passed"] = .bool(result == .passed)
        ending.members["dock"] = .string(orNull: dock)
        var exit = ExitCode.success
        switch result {
        case .passed:
            let stamps = CheckStamps()
            do throws(DockError) {
                try stamps.stamp(dock: dock ?? "", at: path, profile: rig, date: Self.today)
                desk.say("check passed: dock \(dock ?? "") may turn fast with this profile (stored in \(stamps.path))")
            } catch {
                ending.members["passed"] = .bool(false)
                ending.members["text"] = .string(error.message)
                exit = fail(
                    "both axes turn the right way, but the stamp was not stored: \(error.message): \(error.hint)",
                    status: error.exitStatus)
            }
        case .stopped:
            ending.members["text"] = .string("stopped")
            exit = fail(
                "stopped: nothing is stored; run `dockface check` again", status: desk.stoppedStatus)
        case .failed(let problem):
            ending.members["problem"] = .string(problem.word)
            ending.members["axis"] = .string(problem.axis.rawValue)
            ending.members["text"] = .string(problem.text(rig))
            if case .turnedWrong = problem {
                exit = fail(problem.text(rig), status: 78)
            } else {
                exit = fail(problem.text(rig), status: 69)
            }
        }
        return exit
    }

    static var today: String {
        var now = time(nil), day = tm()
        localtime_r(&now, &day)
        var text = [CChar](repeating: 0, count: 16)
        strftime(&text, text.count, "%Y-%m-%d", &day)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
