internal import CPosix
internal import Companion
internal import ControlProtocol
internal import DockControl
internal import DockSimulator
internal import DockTypes
internal import Geometry
internal import Glibc

/// A trial in real time: a simulated dock behind a pseudo-terminal, the built daemon at its other end, and the camera's
/// lines on its standard input. `turn` does what is due, and never waits.
final class LiveStage {
    private enum Phase {
        /// Until the daemon writes its first byte; then until the measurement ends.
        case starting, running
        /// The daemon is asked for its latency finding; then its input ends, and it exits.
        case asking, ending
    }

    /// Nil: the trial is not over.
    private(set) var outcome: LiveOutcome?
    /// The terminal's end from which the daemon's output is read.
    var descriptor: Int32 { line.descriptor }

    private let daemon: LiveDaemon
    private let profile: RigProfile, profileFile: LiveFile
    private let line: LiveLine
    private var dock: SimulatedDock
    private var measure: TrialMeasure, eyes: TrialEyes
    private var phase = Phase.starting
    /// When the phase ends.
    private var deadline: Seconds
    private let boot: Seconds
    private var steps = 0.0
    /// When the newest line was written, if no set-point has followed it yet.
    private var asked: Seconds?

    /// How long the daemon may take to start, to answer and to exit, seconds.
    private static let patience: (start: Seconds, answer: Seconds, end: Seconds) = (10, 1, 5)

    /// Starts a trial.
    /// - Throws: `DockError` or `SimulatorError` if a file, a terminal or the process is not available.
    init(_ setup: TrialSetup, dockface: String, traces: String?, now: Seconds) throws {
        profile = Trial.profile(setup, driver: DlpDriver.name)
        profileFile = try LiveFile(ProfileWriter.text(of: profile), ending: ".toml")
        // On whole milliseconds, when the stage wakes up.
        (boot, deadline) = ((now * 1000).rounded(.down) / 1000, now + Self.patience.start)
        dock = SimulatedDock(configuration: setup.dock, time: boot)
        measure = TrialMeasure(setup, profile, begin: now)
        eyes = measure.eyes
        line = try LiveLine()
        let trace = traces.map { ["--trace", "\($0)/\(setup.model.name)-\(setup.scene.rawValue)-\(setup.seed).trace"] }
        daemon = try LiveDaemon(
            dockface,
            [
                "run", "--port", line.path, "--profile", profileFile.path, "--detector", "stdin",
                "--headless", "--socket", "none", "--mode", TrackingMode.system.rawValue,
            ] + (trace ?? []))
    }

    /// Asks the daemon to exit, whatever the state of the trial.
    func abandon() { daemon.end() }

    /// Does what is due by `now` (CLOCK_MONOTONIC).
    func turn(_ now: Seconds, _ times: inout LiveTimes) {
        guard outcome == nil else { return }
        hear(now, &times)
        advance(to: now, &times)
        if phase == .running { show(now) }
        daemon.turn()
        if daemon.ending != nil {
            // Its last output may have arrived in between.
            hear(now, &times)
            return finish(phase == .ending && daemon.endedWell ? nil : "it ended by itself")
        }
        switch phase {
        case .starting where line.log.total > 0:
            // As in virtual time, everything begins with the conversation. A process's start-up time is not part of the
            // servo's.
            measure = TrialMeasure(measure.record.setup, profile, begin: now)
            eyes = measure.eyes
            enter(.running, until: measure.end)
        case .starting where now >= deadline: finish("it did not start the conversation with the dock")
        case .running where now >= deadline:
            daemon.feed(Array((#"{"jsonrpc":"2.0","id":1,"method":"latency"}"# + "\n").utf8))
            enter(.asking, until: now + Self.patience.answer)
        case .asking where answer != nil || now >= deadline:
            measure.record.pictureLag = answer?["pictureLag"]?["seconds"]?.number
            daemon.closeInput()
            enter(.ending, until: now + Self.patience.end)
        case .ending where now >= deadline: finish("it did not exit when its input ended")
        default: break
        }
    }

    private func enter(_ next: Phase, until end: Seconds) { (phase, deadline) = (next, end) }

    /// The daemon's answer about the frames' times.
    private var answer: JSONValue? {
        daemon.answers.last { $0.hasPrefix("{") }.flatMap { JSONValue(json: $0.utf8)?["result"] }
    }

    private func hear(_ now: Seconds, _ times: inout LiveTimes) {
        let hasSetpoint = line.read { dock.receive($0, at: now) }
        guard hasSetpoint, let since = asked else { return }
        times.answers.add(now - since)
        asked = nil
    }

    /// Advances the dock to the current time, a millisecond at a time, as in virtual time.
    private func advance(to now: Seconds, _ times: inout LiveTimes) {
        while case let next = boot + (steps + 1) * 0.001, next <= now {
            steps += 1
            dock.advance(to: next)
            guard phase == .running, next < measure.end else { continue }
            times.steps.add(now - next)
            measure.sample(dock, at: next, setpoints: Int(line.log.setpoints))
        }
        line.write(dock.drainOutput(), now: now)
    }

    private func show(_ now: Seconds) {
        let lines = eyes.lines(by: now) { dock.pose(at: $0) }
        guard !lines.isEmpty else { return }
        asked = cposix_monotonic_now()
        daemon.feed(lines)
    }

    private func finish(_ trouble: String?) {
        measure.record.notes = daemon.log
        outcome = LiveOutcome(measure.record, trouble, daemon, line, dock)
    }
}
