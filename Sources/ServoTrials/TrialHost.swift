internal import Companion
internal import DockControl
internal import DockSimulator
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The program under test: it receives from dock and detector, and writes to the dock. Called every millisecond of
/// virtual time.
protocol TrialHost: AnyObject {
    /// Number of set-points written so far.
    var setpoints: Int { get }
    /// Its notes.
    var notes: [String] { get }
    /// Its finding about the times of the frames; nil: none.
    var pictureLag: LatencyWatch.Finding? { get }
    /// The port is open, and the conversation begins.
    func begin()
    /// Processes one moment; `lines` are the detector's, as they arrived.
    func turn(_ lines: [UInt8], now: Seconds)
    /// Stops. Returns what was recorded since the beginning.
    func end() -> [TraceRecord]
}

/// The whole daemon.
final class DaemonHost: TrialHost {
    private let line: VirtualLink
    private var core: LoopCore?
    private var session: VirtualSession?
    private var snapshot = LoopSnapshot()
    private(set) var notes: [String] = []
    private var now: Seconds
    private var deadline: Seconds, nextTick: Seconds
    private var records: [TraceRecord] = []
    /// The flight recorder keeps half a minute, so it is emptied more often.
    private var emptied: Seconds
    private static let emptyEvery: Seconds = 5

    var setpoints: Int { snapshot.counters.setpoints }
    var pictureLag: LatencyWatch.Finding? { snapshot.timing.pictureLag }

    init(line: VirtualLink, driver: any DockDriver, profile: RigProfile, seed: UInt64, now: Seconds) {
        self.line = line
        self.now = now
        (deadline, nextTick, emptied) = (now, now, now - 0.001)
        let session = VirtualSession(
            profile: profile, seed: seed, now: { [unowned self] in self.now },
            realtime: { [unowned self] in 1.7e9 + self.now })
        self.session = session
        let core = LoopCore(
            link: line, options: LoopOptions(profile: profile, mode: .system), driver: driver, input: session.input,
            outlet: LoopOutlet(
                takeCommands: { session.commands.take() },
                onSnapshot: { [unowned self] in
                    snapshot = $0
                    session.receive($0)
                },
                onEvent: { [unowned self] event in
                    if case .note(let text) = event { notes.append(text) }
                    session.receive(event)
                },
                onTrace: { [unowned self] copy in
                    // The copy after a fault arrives in the middle of a turn.
                    guard copy.cause == "asked" else { return }
                    records += copy.records.filter { $0.time > emptied }
                    emptied = copy.time
                }),
            reopen: { () throws(DockError) in throw DockError(.notConnected, "gone", hint: "") },
            clock: { [unowned self] in self.now })
        self.core = core
    }

    func begin() {
        guard let core else { return }
        core.begin(now: now, asleep: 0)
        deadline = core.wait(from: now)
    }

    func turn(_ lines: [UInt8], now: Seconds) {
        self.now = now
        guard let core, let session else { return }
        if !lines.isEmpty { session.detect(lines) }
        if now >= nextTick {
            nextTick += 0.25
            session.tick()
        }
        var wake = LoopCore.Wake()
        wake.portIsReadable = !line.inbox.isEmpty
        wake.inputIsReadable = !lines.isEmpty
        wake.isDue = now >= deadline
        wake.wasRung = session.hasRung
        if session.hasRung { session.heard() }
        guard wake.portIsReadable || wake.inputIsReadable || wake.isDue || wake.wasRung else { return }
        core.turn(wake, now: now)
        deadline = core.wait(from: now)
        if now - emptied >= Self.emptyEvery { core.keepTrace(cause: "asked", now: now) }
    }

    func end() -> [TraceRecord] {
        core?.keepTrace(cause: "asked", now: now)
        _ = core?.end()
        session?.commands.close()
        return records
    }
}
