internal import CPosix
internal import DockControl
internal import DockTypes
internal import Glibc

/// Trials in real time: a few at once, all in one thread with one `poll`, a millisecond at a time.
package struct LiveTrials {
    /// Path of the built daemon.
    package var dockface: String
    /// Number of trials at once.
    package var jobs = 4
    /// Folder for the daemons' own traces; nil: none.
    package var traces: String?
    /// The process exists for these trials alone. INT, TERM and HUP end all daemons. If permitted, the stage has
    /// priority over the rest of the machine, so that the measurement shows the lateness of the daemon and not of the
    /// stage.
    package var ownsProcess = false
    /// Called when a trial is over, with the number of finished trials.
    package var onOutcome: (LiveOutcome, Int) -> Void = { _, _ in }
    /// The punctuality of the run.
    package private(set) var times = LiveTimes()

    /// Creates the trials.
    /// - Parameter dockface: path of the daemon.
    package init(dockface: String) { self.dockface = dockface }

    /// Runs all trials. Returns their results in the order of `setups`.
    /// - Throws: `DockError` or `SimulatorError` if a trial cannot begin; `CancellationError` after a signal. No daemon
    ///   is left running.
    package mutating func run(_ setups: [TrialSetup]) throws -> [LiveOutcome] {
        signal(SIGPIPE, SIG_IGN)  // a dead daemon must be reported, not end this process
        let timer = cposix_timer_create(), bell = ownsProcess ? cposix_signal_descriptor(false) : -1
        guard timer >= 0 else { throw DockError(.configuration, "cannot create a timer", hint: "raise `ulimit -n`") }
        defer { close(timer) }
        if ownsProcess { _ = cposix_thread_realtime(10) }
        // The longest first, so that none of them runs alone at the end.
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

    /// Waits until a daemon writes or the next millisecond begins.
    private func wait(for terminals: [Int32], timer: Int32, bell: Int32) throws {
        // Slightly after the millisecond: just before it nothing would be due yet.
        cposix_timer_arm(timer, ((cposix_monotonic_now() * 1000).rounded(.down) + 1.02) / 1000)
        var sources = ([timer, bell] + terminals).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&sources, nfds_t(sources.count), -1)
        _ = cposix_counter_take(timer)
        if sources[1].revents != 0 { throw CancellationError() }
    }

    /// Asks all running daemons to stop their docks and exit. One that has not exited within a second is killed when it
    /// is released.
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
