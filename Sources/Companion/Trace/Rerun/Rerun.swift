package import DockControl
internal import Geometry

/// Decides a recorded session again: the same loop, driver, tracker, selection and servo, in virtual time, with what came from
/// outside as the trace has it; and compares what is decided now with what was decided then.
package struct Rerun {
    /// What a run needs besides the trace; for what a session would have done with another rig.
    package struct Setup {
        /// Instead of the profile of the header; nil: that one.
        package var profile: RigProfile?
        /// Makes the driver; nil: the driver table does.
        package var makeDriver: ((RigProfile) -> any DockDriver)?
        /// Gets what is decided, as records of kinds `set` and `tx`, in order; nil: only the comparison is wanted.
        package var onDecision: ((TraceRecord) -> Void)?

        /// As it was recorded.
        package init() {}
    }

    private let stage = RerunStage()
    private let spool = TraceSpool()
    private let turns: [RerunTurn]
    private let core: LoopCore
    private let setup: Setup
    private var asleep: Seconds

    /// - Throws: `configuration`: the trace does not hold what a decision follows from, or names a driver that is not there.
    package init(_ trace: Trace, _ setup: Setup = Setup()) throws(DockError) {
        guard let about = trace.run, let turns = RerunTurn.all(in: trace.records) else {
            throw DockError(
                .configuration, "the trace holds no turns: it cannot be decided again",
                hint: "record one with this version: dockface run --trace FILE, or dockface trace")
        }
        self.turns = turns
        self.setup = setup
        var options = about.options
        options.profile = setup.profile ?? options.profile
        options.trace = spool
        let driver: any DockDriver
        if let makeDriver = setup.makeDriver {
            driver = makeDriver(options.profile)
        } else {
            driver = try DriverTable.make(for: options.profile)
        }
        stage.load(turns[0])
        asleep = turns.lazy.compactMap(\.asleep).first ?? 0
        core = LoopCore(
            link: stage.first(about), options: options, driver: driver,
            input: about.hasInput ? RerunInput(stage, profile: options.profile) : nil,
            outlet: LoopOutlet(
                takeCommands: { [stage] in stage.commands() }, onSnapshot: { _ in }, onEvent: { _ in },
                hurry: { [stage] in stage.turn.isHurried }, takeZoom: { [stage] in stage.zoom() }),
            guardian: about.hasGuard ? RerunGuard(stage) : nil, ports: RerunPorts(stage, hearsPorts: about.hearsPorts),
            reopen: { [stage] () throws(DockError) in try stage.reopen() }, clock: { [stage] in stage.turn.time })
    }

    /// Runs all of it.
    package mutating func run() -> RerunReport {
        var report = RerunReport(begins: turns[0].time, isFromBeginning: turns[0].call == .begin)
        if turns[0].call != .begin {
            // In mid-session: nothing is known yet.
            core.begin(now: turns[0].time, asleep: asleep)
            _ = core.wait(from: turns[0].time)
            _ = spool.take()
        }
        for (index, turn) in turns.enumerated() {
            // The first turn's port is in the loop's hands already.
            if index > 0 || turn.call != .begin { stage.load(turn) }
            take(turn)
            let made = TraceRecord.all(in: spool.take()).filter(\.isDecision)
            if let onDecision = setup.onDecision { for record in made { onDecision(record) } }
            report.compare(made, with: turn)
        }
        return report
    }

    private mutating func take(_ turn: RerunTurn) {
        asleep = turn.asleep ?? asleep
        switch turn.call {
        case .begin: core.begin(now: turn.time, asleep: asleep)
        case .turn(let found): core.turn(LoopCore.Wake(found, asleep: asleep), now: turn.time)
        case .over:
            _ = core.end()
            return
        }
        _ = core.wait(from: turn.time)
    }
}

extension TraceRecord {
    /// It tells what was decided, or written.
    package var isDecision: Bool {
        switch body {
        case .set, .toDock: true
        default: false
        }
    }
}

extension LoopCore.Wake {
    fileprivate init(_ found: TraceWake, asleep: Seconds) {
        self.init()
        portIsReadable = found.contains(.port)
        portHungUp = found.contains(.hungUp)
        inputIsReadable = found.contains(.detections)
        wasRung = found.contains(.rung)
        isDue = found.contains(.due)
        portsHaveNews = found.contains(.ports)
        guardHasNews = found.contains(.guardian)
        self.asleep = asleep
    }
}
