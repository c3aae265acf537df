internal import CPosix
internal import Companion
internal import DockControl
internal import DockSimulator
internal import Geometry
internal import Glibc

/// A trial in real time: a simulated dock behind a pseudo-terminal, the built daemon at its other end, and the camera's lines on its
/// standard input. `turn` does what is due, and never waits.
final class LiveStage {
    private enum Phase {
        /// Until the daemon writes its first byte; then until all is measured.
        case starting, running
        /// It is asked what it has found out; then its input ends, and it goes.
        case asking, ending
    }

    /// Nil: it is not over.
    private(set) var outcome: LiveOutcome?
    /// The terminal's end where what the daemon writes can be read.
    var descriptor: Int32 { terminal.master }

    private let daemon: LiveDaemon
    private let profile: RigProfile, profileFile: LiveFile
    private var dock: SimulatedDock
    private var terminal: DockTerminal
    private var log = HostLog()
    private var measure: TrialMeasure, eyes: TrialEyes
    private var phase = Phase.starting
    /// The phase is over by then.
    private var deadline: Seconds
    private let boot: Seconds
    private var steps = 0.0
    private var lostBytes = 0
    /// When the newest line was written, if no set-point has followed it yet.
    private var asked: Seconds?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// How long the daemon may take to begin, to answer and to end, seconds.
    private static let patience: (start: Seconds, answer: Seconds, end: Seconds) = (10, 1, 5)

    /// - Throws: `DockError` or `SimulatorError`, where a file, a terminal or the process is not to be had.
    init(_ setup: TrialSetup, dockface: String, traces: String?, now: Seconds) throws {
        profile = Trial.profile(setup, driver: DlpDriver.name)
        profileFile = try LiveFile(ProfileWriter.text(of: profile), ending: ".toml")
        // On whole milliseconds, where the stage wakes up.
        (boot, deadline) = ((now * 1000).rounded(.down) / 1000, now + Self.patience.start)
        dock = SimulatedDock(configuration: .init(model: setup.truth, seed: setup.seed), time: boot)
        measure = TrialMeasure(setup, profile, begin: now)
        eyes = measure.eyes
        terminal = try DockTerminal()
        let trace = traces.map { ["--trace", "\($0)/\(setup.model.name)-\(setup.scene.rawValue)-\(setup.seed).trace"] }
        do {
            daemon = try LiveDaemon(
                dockface,
                [
                    "run", "--port", terminal.path, "--profile", profileFile.path, "--detector", "stdin",
                    "--headless", "--socket", "none", "--mode", TrackingMode.system.rawValue,
                ] + (trace ?? []))
        } catch {
            terminal.close()
            throw error
        }
    }

    deinit {
        buffer.deallocate()
        terminal.close()
    }

    /// The daemon is to go, whatever the trial has come to.
    func abandon() { daemon.end() }

    /// Does what is due by `now` (CLOCK_MONOTONIC).
    func turn(_ now: Seconds, _ times: inout LiveTimes) {
        guard outcome == nil else { return }
        hear(now, &times)
        advance(to: now, &times)
        if phase == .running { show(now) }
        daemon.turn()
        if daemon.ending != nil {
            // What it wrote last may have come in between.
            hear(now, &times)
            return finish(phase == .ending && daemon.endedWell ? nil : "it ended by itself")
        }
        switch phase {
        case .starting where log.total > 0:
            // As in virtual time, all begins with the conversation; how long a process takes to start is not the servo's.
            measure = TrialMeasure(measure.record.setup, profile, begin: now)
            eyes = measure.eyes
            enter(.running, until: measure.end)
        case .starting where now >= deadline: finish("it did not begin to talk to the dock")
        case .running where now >= deadline:
            daemon.feed(Array((#"{"jsonrpc":"2.0","id":1,"method":"latency"}"# + "\n").utf8))
            enter(.asking, until: now + Self.patience.answer)
        case .asking where answer != nil || now >= deadline:
            measure.record.pictureLag = answer?["pictureLag"]?["seconds"]?.number
            daemon.closeInput()
            enter(.ending, until: now + Self.patience.end)
        case .ending where now >= deadline: finish("it did not end with its input")
        default: break
        }
    }

    private func enter(_ next: Phase, until end: Seconds) { (phase, deadline) = (next, end) }

    /// What the daemon says of the pictures.
    private var answer: JSONValue? {
        daemon.answers.last { $0.hasPrefix("{") }.flatMap { JSONValue(json: $0.utf8)?["result"] }
    }

    private func hear(_ now: Seconds, _ times: inout LiveTimes) {
        let before = log.setpoints
        terminal.read(into: buffer) { bytes in
            log.append(bytes)
            dock.receive(bytes, at: now)
        }
        guard log.setpoints > before, let since = asked else { return }
        times.answers.add(now - since)
        asked = nil
    }

    /// The dock lives up to now, a millisecond at a time, as it does in virtual time.
    private func advance(to now: Seconds, _ times: inout LiveTimes) {
        while case let next = boot + (steps + 1) * 0.001, next <= now {
            steps += 1
            dock.advance(to: next)
            guard phase == .running, next < measure.end else { continue }
            times.steps.add(now - next)
            measure.take(dock, at: next, setpoints: Int(log.setpoints))
        }
        let output = dock.takeOutput()
        if !output.isEmpty { lostBytes += terminal.write(output, now: now) }
    }

    private func show(_ now: Seconds) {
        let lines = eyes.lines(by: now) { dock.pose(at: $0) }
        guard !lines.isEmpty else { return }
        asked = cposix_monotonic_now()
        daemon.feed(lines)
    }

    private func finish(_ trouble: String?) {
        measure.record.notes = daemon.log
        outcome = LiveOutcome(measure.record, trouble, daemon, log, dock, lostBytes: lostBytes)
    }
}
