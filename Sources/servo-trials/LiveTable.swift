internal import ArgumentParser
internal import DockSimulator
internal import Glibc
internal import ServoTrials

/// The options of `--live`.
struct LiveOptions: ParsableArguments {
    @Flag(help: "Run the built daemon in real time, with the simulated dock on a pseudo-terminal.") var live = false
    @Option(
        help: ArgumentHelp("With --live: path of the daemon. Default: dockface beside this program.", valueName: "path")
    )
    var dockface: String?
    @Option(help: "With --live: number of runs at once.") var jobs = 4
    @Option(help: ArgumentHelp("With --live: folder for the daemons' traces.", valueName: "folder"))
    var traces: String?

    mutating func validate() throws {
        guard jobs > 0 else { throw ValidationError("--jobs must be above 0.") }
        guard live || dockface == nil && traces == nil else {
            throw ValidationError("--dockface and --traces need --live.")
        }
    }
}

/// The runs of `--live`: rows for the table, and the text below it.
struct LiveTable {
    private var trials: LiveTrials
    private var failures = 0, complaints: [(text: String, runs: [String])] = []

    init(_ options: LiveOptions) throws {
        trials = LiveTrials(dockface: try options.dockface ?? Self.beside())
        trials.jobs = options.jobs
        trials.traces = options.traces
        trials.ownsProcess = true
    }

    /// Runs the setups. Returns the records of those that are measurements.
    mutating func run(_ setups: [TrialSetup]) throws -> [TrialRecord] {
        let all = setups.count
        trials.onOutcome = { outcome, done in
            let result = outcome.failure.map { "no measurement: \($0)" } ?? Self.words(TrialScore(outcome.record))
            let line = Array("\(done) of \(all): \(Self.name(outcome.record.setup)): \(result)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
        }
        let outcomes: [LiveOutcome]
        do {
            outcomes = try trials.run(setups)
        } catch is CancellationError {
            throw ExitCode(130)
        }
        for outcome in outcomes {
            let name = Self.name(outcome.record.setup)
            let failure = outcome.failure.map { ["no measurement: \($0)"] } ?? []
            failures += failure.count
            for text in failure + outcome.complaints { note(text, name) }
        }
        return outcomes.filter { $0.failure == nil }.map(\.record)
    }

    /// Prints the text below the table. Fails if any run was not a measurement.
    func finish() throws {
        let times = trials.times
        print("\nIn real time, \(trials.jobs) runs at once. Lateness of the stage itself: \(times.steps.words).")
        print("From a line to the set-point that follows it: \(times.answers.words).")
        for (text, runs) in complaints { print("- \(text) [\(runs.joined(separator: "; "))]") }
        if failures > 0 { throw ExitCode.failure }
    }

    private mutating func note(_ text: String, _ run: String) {
        if let index = complaints.firstIndex(where: { $0.text == text }) {
            if complaints[index].runs.last != run { complaints[index].runs.append(run) }
        } else {
            complaints.append((text, [run]))
        }
    }

    private static func name(_ setup: TrialSetup) -> String {
        "\(setup.model.name) \(setup.scene.rawValue) \(Int(setup.framesPerSecond))/s seed \(setup.seed)"
    }

    private static func words(_ score: TrialScore) -> String {
        func figure(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        return "\(figure(score.rms)) deg rms, settled \(figure(score.settle)), \(score.isKept ? "kept" : "not kept"), "
            + "\(figure(score.reversals)) reversals/s, \(figure(score.commands)) commands/s"
    }

    private static func beside() throws -> String {
        guard let own = realpath("/proc/self/exe", nil) else {
            throw ValidationError("The path of this program is unknown. Name the daemon with --dockface PATH.")
        }
        defer { free(own) }
        let folder = String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
        return "/\(folder)/dockface"
    }
}
