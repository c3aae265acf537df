internal import CPosix
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import Glibc
internal import Processes
internal import RobotFace

/// The lines of standard input: the thread that executes them, and the stops that were executed first.
struct WordIntake: Sendable {
    /// The thread that executes the lines, or nil before its start and after its end.
    let thread = Locked<SessionThread?>(nil)
    /// Limits the answers to lines that were refused because too many wait.
    private let refusals = Locked(LogGate())
    /// The stops that were executed before their turn, by number.
    private let stops = Locked<[Int: StopAnswer]>([:])

    /// Returns the answer to a line for which there was no room, or nil if enough such lines were answered.
    func refusal(now: Seconds) -> String? { refusals.withLock { $0.pass("too many lines are waiting", now: now) } }

    /// Records that the turn of a stop has come. Returns its answer if it is known; otherwise the ticket waits for it.
    func turn(ofStop number: Int, _ ticket: Ticket) -> Answer? {
        stops.withLock { stops -> Answer? in
            guard case .early(let answer)? = stops.removeValue(forKey: number) else {
                stops[number] = .due(ticket)
                return nil
            }
            return answer
        }
    }

    /// Records that the answer of a stop has arrived. Returns the ticket if the stop's turn has come; otherwise the
    /// answer is kept.
    func ticket(ofStop number: Int, _ answer: Answer) -> Ticket? {
        stops.withLock { stops in
            // Number 0 has no turn: it arrived when too many lines waited.
            guard number > 0 else { return .words }
            if case .due(let ticket)? = stops.removeValue(forKey: number) { return ticket }
            stops[number] = .early(answer)
            return nil
        }
    }
}

/// The flight recorder's traces: where they are written, and which are pending.
struct SessionTraces: Sendable {
    /// Their folder, or nil if there is none.
    let folder: TraceFolder?
    let desk = Locked(TraceDesk())

    /// Finds the folder. A program that embeds the session has traces only if it names a folder.
    init(_ configuration: SessionConfiguration) {
        let named = configuration.storage.traceFolder
        folder = configuration.host.ownsProcess || named != nil ? TraceFolder(path: named) : nil
    }
}

/// The service manager, and the heartbeat that it expects.
struct ServiceReport: Sendable {
    /// The service manager, or nil if there is none.
    let manager: ServiceManager?
    let heart: Locked<ServiceWatchdog?>

    init(ownsProcess: Bool) {
        manager = ownsProcess ? ServiceManager() : nil
        heart = Locked(manager?.timeout.map { ServiceWatchdog(timeout: $0) })
    }
}

/// The end of a session: its reason, and the time at which it ends by itself.
struct SessionEnd: Sendable {
    /// The reason for the end. A later case is stronger: a final end overrides a restart.
    enum Reason: Int, Comparable {
        case none, restart, over

        static func < (one: Reason, other: Reason) -> Bool { one.rawValue < other.rawValue }
    }

    /// One element for each request.
    let requests: AsyncStream<Void>
    private let output: AsyncStream<Void>.Continuation
    private let current = Locked(Reason.none)
    /// When the session ends by itself, CLOCK_MONOTONIC, or nil if it does not.
    private let deadline: Seconds?

    /// Creates the end of a session. `seconds` is the length of the session, or nil for no limit.
    init(seconds: Seconds?) {
        (requests, output) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        deadline = seconds.map { cposix_monotonic_now() + $0 }
    }

    /// The strongest reason so far.
    var reason: Reason { current.withLock { $0 } }

    /// Ends the session. The order of several calls does not matter.
    func request(_ reason: Reason) {
        current.withLock { $0 = max($0, reason) }
        output.yield()
    }

    /// Returns whether the session's time is over.
    func isDue(now: Seconds) -> Bool { deadline.map { now >= $0 } ?? false }
}

/// The session's terminal: the face, and the destination of answers to lines.
struct SessionTerminal: Sendable {
    /// The face, or nil while none is shown.
    let face = Locked<FaceScreen?>(nil)
    /// Whether this run shows a face.
    let hasFace: Bool
    /// Whether answers to lines go to standard output. Otherwise the face is there, and they go to the log.
    let answersToOutput: Bool
    /// The handling of Ctrl-Z.
    let suspension: Suspension

    /// - Throws: `DockError` if the system has no descriptors left.
    init(hasFace: Bool, ownsProcess: Bool) throws(DockError) {
        self.hasFace = hasFace
        answersToOutput = ownsProcess && (!hasFace || isatty(1) == 0)
        suspension = try Suspension()
    }
}

/// Everyone who asks a session or listens to it, and what they hear.
struct SessionAudience: Sendable {
    /// The calls that wait for their answers.
    let calls = WaitingCalls()
    /// The programs and tasks that listen.
    let hub = ListenerHub()
    /// The session's connection to the control API.
    let control = ControlBridge()
    /// The answers of all detectors.
    let answers: AnswerTap
}
