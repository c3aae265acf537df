internal import CPosix
internal import Glibc
internal import Synchronization

/// What a dock's loop needs to know.
public struct LoopOptions: Sendable {
    /// The rig.
    public var profile: RigProfile
    /// Who steers at first.
    public var mode: TrackingMode
    /// Talk to the dock, decide everything, and write no motion.
    public var dryRun = false
    /// What to do when the subject is lost.
    public var policy = Pursuit.Policy()
    /// The docks (by their own numbers) that a person has checked with this profile: `dockface check`.
    public var checkedDocks: Set<String> = []
    /// A fault of an earlier run that nobody has cleared: it begins latched. Nil: none.
    public var latched: DockFault?
    /// A person let go of the motors in an earlier run: they stay free until somebody switches the torque on.
    public var released = false

    /// Everything that is recorded goes here, too, from the loop's beginning; nil: only the last half minute is kept.
    public var trace: TraceSpool?

    /// A rig and a mode.
    public init(profile: RigProfile, mode: TrackingMode) {
        self.profile = profile
        self.mode = mode
    }
}

/// The one thread that owns a dock: detections, port, timer and commands meet in one `poll`; what goes to the dock goes
/// from here. Others post values and read snapshots. Its last act, on every way out, is the stop.
public final class DockLoop: Sendable {
    /// The note that the machine, and not the dock, has something to be desired.
    public static let noRealTime =
        "no real-time priority (allow it with LimitRTPRIO=50): motion may be less smooth on a busy machine"
    /// The newest snapshot, whenever something changed.
    public let snapshots: AsyncStream<LoopSnapshot>
    /// What happened, at most 64 waiting; `.lost` tells how many were not kept.
    public let events: AsyncStream<LoopEvent>

    let commands = CommandQueue()
    let stopping = Atomic<Bool>(false)
    let traceWanted = Atomic<Bool>(false)
    let turns = Atomic<UInt64>(0)
    let snapshotOutput: AsyncStream<LoopSnapshot>.Continuation
    let eventOutput: AsyncStream<LoopEvent>.Continuation
    private let wake: Int32
    private let thread = Mutex<pthread_t?>(nil)
    private let wantedZoom = Mutex<Double?>(nil)
    private let newest = Mutex<LoopSnapshot>(LoopSnapshot())
    private let result = Mutex<LoopEnd>(LoopEnd())

    /// A loop that is not running yet.
    /// - Throws: `DockError` if the system has no descriptors left.
    public init() throws(DockError) {
        wake = try WaitDescriptors.wake()
        (snapshots, snapshotOutput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (events, eventOutput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit { close(wake) }

    /// Starts the thread on an open link.
    /// - Parameters:
    ///   - link: the port; nil: there is none yet, and `reopen` will be asked for it.
    ///   - options: how it runs.
    ///   - driver: the rig's protocol, which nobody else uses from now on.
    ///   - guardian: stops the dock where the loop cannot; the loop's own from now on. Nil: nobody does.
    ///   - ports: says when ports come and go; the loop's own from now on. Nil: the port is looked for from time to time.
    ///   - reopen: opens the port again after it was lost; called on the loop thread.
    ///   - makeInput: makes the detections' way in, on the loop thread.
    ///   - onSnapshot: gets every new snapshot on the loop's thread, at a quiet moment, and must not wait; where it is given,
    ///     `snapshots` stays empty until its end (waking a task costs ten times what the snapshot does).
    ///   - onEvent: the same for events: what is given to it waits for no task, and is not lost in a crowd of others; where it
    ///     is given, `events` stays empty until its end.
    ///   - onTrace: gets what was recorded after a fault and after `requestTrace`, on the loop's thread; must not wait.
    /// - Throws: `DockError` if no thread or no descriptor can be had.
    public func start(
        link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver, guardian: (any MotionGuard)? = nil,
        ports: (any PortNews)? = nil, reopen: @escaping @Sendable () throws(DockError) -> any ByteLink,
        makeInput: @escaping @Sendable () -> (any SteeringInput)?,
        onSnapshot: (@Sendable (LoopSnapshot) -> Void)? = nil,
        onEvent: (@Sendable (LoopEvent) -> Void)? = nil, onTrace: (@Sendable (TraceCopy) -> Void)? = nil
    ) throws(DockError) {
        // Before there is a thread: one without a timer would never wake up for a deadline.
        let timer = try WaitDescriptors.timer()
        let start = LoopStart(
            loop: self, wake: wake, timer: timer, link: link, options: options, driver: driver, guardian: guardian,
            ports: ports, reopen: reopen, makeInput: makeInput, onSnapshot: onSnapshot, onEvent: onEvent,
            onTrace: onTrace)
        var id = pthread_t()
        let argument = Unmanaged.passRetained(start)
        let code = pthread_create(&id, nil, dockLoopMain, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            close(timer)
            throw DockError(.cannotOpen, "no thread for the dock: \(PortFailure.text(code))", hint: "raise `ulimit -u`")
        }
        thread.withLock { $0 = id }
    }

    /// Posts a command; `reply` is called once, on the loop thread, and must not wait.
    ///
    /// Stop and emergency stop go before everything that waits, and what waits is dropped with `busy`.
    public func post(_ command: MotionCommand, reply: (@Sendable (MotionAnswer) -> Void)? = nil) {
        enqueue(command, reply: reply)()
    }

    /// Posts a command, and returns what is to be called afterwards: it tells those that were refused. For callers who hold
    /// a lock while they post, so that commands keep the order in which they were admitted.
    /// - Parameters:
    ///   - command: what is wanted.
    ///   - program: the program that gives it: a motion ends where that loses its lease. Nil: none.
    ///   - isPersonal: a person gives it; where the queue is full, it outranks what programs want.
    ///   - reply: called once, on the loop thread, and must not wait.
    public func enqueue(
        _ command: MotionCommand, program: ProgramID? = nil, isPersonal: Bool = false,
        reply: (@Sendable (MotionAnswer) -> Void)? = nil
    ) -> @Sendable () -> Void {
        tell(commands.put(QueuedCommand(command: command, program: program, isPersonal: isPersonal, reply: reply)))
    }

    /// Ends whatever a program moves, or waits to move, that lost its lease. No backlog refuses it. The loop tells what it has
    /// ended by the event `leaseEnded`. Returns what is to be called afterwards, as `enqueue` does.
    public func end(_ lost: LostLease) -> @Sendable () -> Void { tell(commands.end(lost)) }

    private func tell(_ refused: CommandQueue.Refusals) -> @Sendable () -> Void {
        cposix_wake_ring(wake)
        return { for (command, reason) in refused { command.reply?(.failure(reason)) } }
    }

    /// Posts a command and waits for what came of it.
    /// - Throws: `DockError`: `busy`, `notConnected`, `invalidParameter`, `notSupportedByDevice`, `faulted`.
    public func perform(_ command: MotionCommand) async throws(DockError) -> MotionReceipt {
        let answer = await withCheckedContinuation { continuation in
            post(command) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// Wakes the loop, so that its input serves its requests.
    public func wakeInput() { cposix_wake_ring(wake) }

    /// The rig's own camera shall magnify so much, where it can (`DriverAbilities.magnification`); the newest wins. Returns at once.
    public func zoom(to magnification: Double) {
        wantedZoom.withLock { $0 = magnification }
        cposix_wake_ring(wake)
    }

    func takeZoom() -> Double? { wantedZoom.withLock { $0.take() } }

    /// Asks for what was recorded; it comes to `onTrace` with the cause `asked`. Returns at once.
    public func requestTrace() {
        traceWanted.store(true, ordering: .releasing)
        cposix_wake_ring(wake)
    }

    /// The newest snapshot.
    public var latest: LoopSnapshot { newest.withLock { $0 } }

    /// Turns that the thread has taken: who watches over the daemon sees by them that it lives.
    package var turnsTaken: UInt64 { turns.load(ordering: .relaxed) }

    /// How it ended; complete after `join`.
    public var end: LoopEnd { result.withLock { $0 } }

    /// Asks the thread to stop the dock and end. Returns at once; may be called from anywhere and more than once.
    public func requestStop() {
        stopping.store(true, ordering: .releasing)
        cposix_wake_ring(wake)
    }

    /// Waits until the thread has written the stop and ended.
    public func join() { if let id = thread.withLock({ $0.take() }) { pthread_join(id, nil) } }

    func publish(_ snapshot: LoopSnapshot, to listener: (@Sendable (LoopSnapshot) -> Void)?) {
        newest.withLock { $0 = snapshot }
        if let listener { listener(snapshot) } else { snapshotOutput.yield(snapshot) }
    }

    func finish(_ end: LoopEnd) {
        result.withLock { $0 = end }
        commands.close()
        snapshotOutput.finish()
        eventOutput.finish()
    }
}

/// What the thread is given.
final class LoopStart {
    let loop: DockLoop
    let wake: Int32
    /// The thread closes it.
    let timer: Int32
    let link: (any ByteLink)?
    let options: LoopOptions
    let driver: any DockDriver
    let guardian: (any MotionGuard)?
    let ports: (any PortNews)?
    let reopen: @Sendable () throws(DockError) -> any ByteLink
    let makeInput: @Sendable () -> (any SteeringInput)?
    let onSnapshot: (@Sendable (LoopSnapshot) -> Void)?
    let onEvent: (@Sendable (LoopEvent) -> Void)?
    let onTrace: (@Sendable (TraceCopy) -> Void)?

    init(
        loop: DockLoop, wake: Int32, timer: Int32, link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver,
        guardian: (any MotionGuard)?, ports: (any PortNews)?,
        reopen: @escaping @Sendable () throws(DockError) -> any ByteLink,
        makeInput: @escaping @Sendable () -> (any SteeringInput)?, onSnapshot: (@Sendable (LoopSnapshot) -> Void)?,
        onEvent: (@Sendable (LoopEvent) -> Void)?, onTrace: (@Sendable (TraceCopy) -> Void)?
    ) {
        self.onTrace = onTrace
        self.onSnapshot = onSnapshot
        self.onEvent = onEvent
        self.loop = loop
        self.wake = wake
        self.timer = timer
        self.link = link
        self.options = options
        self.driver = driver
        self.guardian = guardian
        self.ports = ports
        self.reopen = reopen
        self.makeInput = makeInput
    }
}

/// C calls this on the new thread; as a closure in isolated code it would trap there.
private func dockLoopMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { LoopThread(Unmanaged<LoopStart>.fromOpaque(raw).takeRetainedValue()).run() }
    return nil
}
