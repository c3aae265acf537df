internal import CPosix
internal import DockControl
internal import Glibc

/// Trials in real time: a few at once, all of them in one thread with one `poll`, a millisecond at a time.
package struct LiveTrials {
    /// The built daemon.
    package var dockface: String
    /// So many at once.
    package var jobs = 4
    /// Folder for the daemons' own traces; nil: none.
    package var traces: String?
    /// The process is there for this alone: INT, TERM and HUP end all daemons, and the stage goes before whatever else the machine
    /// does, where it may, so that what is measured is the daemon's lateness and not the stage's.
    package var ownsProcess = false
    /// Called when one is over, with how many are by then.
    package var onOutcome: (LiveOutcome, Int) -> Void = { _, _ in }
    /// How punctual all of it was.
    package private(set) var times = LiveTimes()

    /// - Parameter dockface: path of the daemon.
    package init(dockface: String) { self.dockface = dockface }

    /// Runs them all; what came of them, in the order in which they were asked for.
    /// - Throws: `DockError` or `SimulatorError` where one cannot begin; `CancellationError` after a signal. No daemon is left.
    package mutating func run(_ setups: [TrialSetup]) throws -> [LiveOutcome] {
        signal(SIGPIPE, SIG_IGN)  // a daemon that dies is told as that
        let timer = cposix_timer_create(), bell = ownsProcess ? cposix_signal_descriptor(false) : -1
        guard timer >= 0 else { throw DockError(.configuration, "no timer", hint: "raise `ulimit -n`") }
        defer { close(timer) }
        if ownsProcess { _ = cposix_thread_realtime(10) }
        // The longest first, so that the end is not one of them alone.
        var waiting = setups.indices.sorted { setups[$0].scene.duration > setups[$1].scene.duration }[...]
        var stages: [(index: Int, stage: LiveStage)] = [], outcomes: [Int: LiveOutcome] = [:]
        defer { Self.end(stages.map(\.stage)) }
        while true {
            while stages.count < max(1, jobs), let index = waiting.popFirst() {
                let stage = try LiveStage(
                    setups[index], dockface: dockface, traces: traces, now: cposix_monotonic_now())
                stages.append((index, stage))
            }
            guard !stages.isEmpty else { return setups.indices.compactMap { outcomes[$0] } }
            try wait(for: stages.map(\.stage.descriptor), timer: timer, bell: bell)
            for (_, stage) in stages { stage.turn(cposix_monotonic_now(), &times) }
            for (index, stage) in stages {
                guard let outcome = stage.outcome else { continue }
                outcomes[index] = outcome
                onOutcome(outcome, outcomes.count)
            }
            stages.removeAll { $0.stage.outcome != nil }
        }
    }

    /// Until a daemon writes, or the next millisecond begins.
    private func wait(for terminals: [Int32], timer: Int32, bell: Int32) throws {
        // A little behind the millisecond: just before it there would be nothing to do yet.
        cposix_timer_arm(timer, ((cposix_monotonic_now() * 1000).rounded(.down) + 1.02) / 1000)
        var sources = ([timer, bell] + terminals).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&sources, nfds_t(sources.count), -1)
        _ = cposix_counter_take(timer)
        if sources[1].revents != 0 { throw CancellationError() }
    }

    /// All that still run stop their docks and go; whoever has not gone within a second is killed when it is let go.
    private static func end(_ stages: [LiveStage]) {
        var times = LiveTimes()
        for stage in stages { stage.abandon() }
        let deadline = cposix_monotonic_now() + 1
        while stages.contains(where: { $0.outcome == nil }), cposix_monotonic_now() < deadline {
            for stage in stages { stage.turn(cposix_monotonic_now(), &times) }
            usleep(1000)
        }
    }
}
