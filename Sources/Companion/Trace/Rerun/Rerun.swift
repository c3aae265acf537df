package import DockControl
internal import DockTypes
internal import Geometry

/// Repeats the decisions of a recorded session. It runs the same loop, driver, tracker, selection and servo in virtual
/// time with the inputs in the trace, and compares the new decisions with the recorded ones.
package struct Rerun {
    /// Replacements for parts of the recorded session, to find out what it would have done with another rig.
    package struct Setup {
        /// The profile that replaces that of the header. If nil, the header's applies.
        package var profile: RigProfile?
        /// Creates the driver. If nil, the driver table does.
        package var makeDriver: ((RigProfile) -> any DockDriver)?
        /// Receives the decisions in order, as records of kinds `set` and `tx`. If nil, they are only compared.
        package var onDecision: ((TraceRecord) -> Void)?

        /// Creates a setup in which everything is as recorded.
        package init() {}
    }

    private let stage = RerunStage()
    private let spool = TraceSpool()
    private let turns: [RerunTurn]
    private let core: LoopCore
    private let setup: Setup
    private var asleep: Seconds

    /// Prepares a rerun.
    /// - Throws: `configuration` if the trace does not contain the inputs of the decisions, or names an unknown driver.
    package init(_ trace: Trace, _ setup: Setup = Setup()) throws(DockError) {
        guard let about = trace.run, let turns = RerunTurn.all(in: trace.records) else {
            throw DockError(
                .configuration, "the trace contains no turns of the loop, so its decisions cannot be repeated",
                hint: "record a trace with this version: dockface run --trace FILE, or dockface trace")
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
            input: about.hasInput ? RerunInput(stage, profile: options.trackingProfile) : nil,
            outlet: LoopOutlet(
                takeCommands: { [stage] in stage.commands() }, onSnapshot: { _ in }, onEvent: { _ in },
                requestRealtimePriority: { [stage] in stage.turn.isRealTime }, takeZoom: { [stage] in stage.zoom() }),
            guardian: about.hasGuard ? RerunGuard(stage) : nil,
            ports: RerunPorts(stage, reportsPortChanges: about.reportsPortChanges),
            reopen: { [stage] () throws(DockError) in try stage.reopen() }, clock: { [stage] in stage.turn.time })
    }

    /// Runs the whole trace.
    package mutating func run() -> RerunReport {
        var report = RerunReport(begins: turns[0].time, isFromBeginning: turns[0].call == .begin)
        if turns[0].call != .begin {
            // The trace begins in the middle of a session, so no state is known yet.
            core.begin(now: turns[0].time, asleep: asleep)
            _ = core.wait(from: turns[0].time)
            _ = spool.take()
        }
        for (index, turn) in turns.enumerated() {
            // The loop already owns the first turn's port.
            if index > 0 || turn.call != .begin { stage.load(turn) }
            run(turn)
            let made = TraceRecord.all(in: spool.take()).filter(\.isDecision)
            if let onDecision = setup.onDecision { for record in made { onDecision(record) } }
            report.compare(made, with: turn)
        }
        return report
    }

    private mutating func run(_ turn: RerunTurn) {
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
    /// Whether the record is a set-point or bytes to the dock.
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
