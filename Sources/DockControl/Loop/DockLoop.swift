internal import CPosix
public import DockTypes
internal import Glibc
internal import Synchronization

/// Receives the dock's poses on the loop's thread; its functions must not block.
public protocol PoseReceiver: AnyObject, Sendable {
    /// Receives a report.
    func append(_ sample: MotionSample)
    /// The reports so far are outdated, because the dock restarted or was replaced.
    func forget()
}

/// The options of a dock's loop.
public struct LoopOptions: Sendable {
    /// The rig.
    public var profile: RigProfile
    /// The initial mode.
    public var mode: TrackingMode
    /// Whether the loop talks to the dock and decides everything, but writes no motion.
    public var dryRun = false
    /// The behaviour when the subject is lost.
    public var policy = Pursuit.Policy()
    /// The unique IDs of the docks that passed `dockface check` with this profile.
    public var checkedDocks: Set<String> = []
    /// A fault from an earlier run that was not cleared, with which the loop begins latched. It is nil if there is
    /// none.
    public var latched: DockFault?
    /// Whether an earlier run switched the torque off on request. It then stays off until a person switches it on.
    public var released = false
    /// Whether the frames do not come from a camera on this head, even if the profile says so. Examples are a simulated
    /// head with a real camera, and a film.
    public var cameraIsElsewhere = false

    /// A further receiver of everything that is recorded, from the loop's beginning. If nil, only the last half minute
    /// is kept.
    public var trace: TraceSpool?
    /// A further receiver of the poses that the dock reports. It is nil if there is none.
    public var poses: (any PoseReceiver)?

    /// Creates options for a rig and a mode.
    public init(profile: RigProfile, mode: TrackingMode) {
        self.profile = profile
        self.mode = mode
    }

    /// The profile for tracking, which has a fixed camera if the camera is elsewhere.
    public var trackingProfile: RigProfile {
        var profile = profile
        if cameraIsElsewhere { profile.fixCameras() }
        return profile
    }
}

/// The one thread that owns a dock. A single `poll` waits for detections, port, timer and commands, and only this
/// thread writes to the dock. Other threads post values and read snapshots. Every exit path ends with the stop.
public final class DockLoop: Sendable {
    /// The note about a limitation of the machine, not of the dock.
    public static let noRealTime =
        "no real-time priority (allow it with LimitRTPRIO=50): motion may be less smooth on a busy machine"
    /// The newest snapshot after each change.
    public let snapshots: AsyncStream<LoopSnapshot>
    /// The events. At most 64 wait; `.lost` reports how many were dropped.
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

    /// Creates a loop that is not running yet.
    /// - Throws: `DockError` if the system has no descriptors left.
    public init() throws(DockError) {
        wake = try WaitDescriptors.wake()
        (snapshots, snapshotOutput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (events, eventOutput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit { close(wake) }

    /// Starts the thread on an open link.
    /// - Parameters:
    ///   - link: the port. If it is nil, there is none yet, and the loop calls `reopen`.
    ///   - options: the options of the loop.
    ///   - driver: the rig's protocol; only the loop uses it from now on.
    ///   - guardian: stops the dock when the loop cannot; the loop owns it from now on. It is nil if nothing does.
    ///   - ports: reports when ports appear and disappear; the loop owns it from now on. It is nil if the loop looks
    ///     for the port from time to time.
    ///   - reopen: opens the port again after it was lost; called on the loop's thread.
    ///   - makeInput: creates the input for detections, on the loop's thread.
    ///   - onSnapshot: receives every new snapshot on the loop's thread, at a quiet moment, and must not block. If it
    ///     is given, `snapshots` stays empty until it ends (waking a task costs ten times as much as the snapshot).
    ///   - onEvent: receives events in the same way. They wait for no task and are not lost among many others. If it is
    ///     given, `events` stays empty until it ends.
    ///   - onTrace: receives the recording after a fault and after `requestTrace`, on the loop's thread; must not
    ///     block.
    /// - Throws: `DockError` if no thread or no descriptor is available.
    public func start(
        link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver, guardian: (any MotionGuard)? = nil,
        ports: (any PortEvents)? = nil, reopen: @escaping @Sendable () throws(DockError) -> any ByteLink,
        makeInput: @escaping @Sendable () -> (any SteeringInput)?,
        onSnapshot: (@Sendable (LoopSnapshot) -> Void)? = nil,
        onEvent: (@Sendable (LoopEvent) -> Void)? = nil, onTrace: (@Sendable (TraceCopy) -> Void)? = nil
    ) throws(DockError) {
        // The timer is created before the thread: a thread without a timer would never wake up for a deadline.
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
            throw DockError(
                .cannotOpen, "cannot create the dock's thread: \(PortFailure.text(code))", hint: "raise `ulimit -u`")
        }
        thread.withLock { $0 = id }
    }

    /// Posts a command; `reply` is called once, on the loop's thread, and must not block.
    ///
    /// Stop and emergency stop precede all waiting commands, which are dropped with `busy`.
    public func post(_ command: MotionCommand, reply: (@Sendable (MotionAnswer) -> Void)? = nil) {
        enqueue(command, reply: reply)()
    }

    /// Posts a command and returns a closure to call afterwards, which answers the rejected commands. For callers that
    /// hold a lock while they post, so that commands keep the order in which they were admitted.
    /// - Parameters:
    ///   - command: the command.
    ///   - program: the program that sends it; a motion ends when this program loses its lease. It is nil if there is
    ///     none.
    ///   - isPersonal: a person gives the command; in a full queue it outranks programs' commands.
    ///   - reply: called once, on the loop's thread; must not block.
    public func enqueue(
        _ command: MotionCommand, program: ProgramID? = nil, isPersonal: Bool = false,
        reply: (@Sendable (MotionAnswer) -> Void)? = nil
    ) -> @Sendable () -> Void {
        tell(commands.put(QueuedCommand(command: command, program: program, isPersonal: isPersonal, reply: reply)))
    }

    /// Ends the motion and the waiting commands of a program that lost its lease. No backlog can block this. The loop
    /// reports what it has ended with the event `leaseEnded`. Returns a closure to call afterwards, as `enqueue` does.
    public func end(_ lost: LostLease) -> @Sendable () -> Void { tell(commands.end(lost)) }

    private func tell(_ refused: CommandQueue.Refusals) -> @Sendable () -> Void {
        cposix_wake_ring(wake)
        return { for (command, reason) in refused { command.reply?(.failure(reason)) } }
    }

    /// Posts a command and waits for its result.
    /// - Throws: `DockError`: `busy`, `notConnected`, `invalidParameter`, `notSupportedByDevice`, `faulted`.
    public func perform(_ command: MotionCommand) async throws(DockError) -> MotionReceipt {
        let answer = await withCheckedContinuation { continuation in
            post(command) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// Wakes the loop, so that its input serves the waiting requests.
    public func wakeInput() { cposix_wake_ring(wake) }

    /// Requests a magnification from the rig's own camera, if it has a zoom (`DriverAbilities.magnification`). The
    /// newest request wins. Returns at once.
    public func zoom(to magnification: Double) {
        wantedZoom.withLock { $0 = magnification }
        cposix_wake_ring(wake)
    }

    func takeZoom() -> Double? { wantedZoom.withLock { $0.take() } }

    /// Requests the recording; `onTrace` receives it with the cause `asked`. Returns at once.
    public func requestTrace() {
        traceWanted.store(true, ordering: .releasing)
        cposix_wake_ring(wake)
    }

    /// The newest snapshot.
    public var latest: LoopSnapshot { newest.withLock { $0 } }

    /// The number of turns that the thread has taken. An increase proves to a `guardLink` that the loop runs.
    package var turnsTaken: UInt64 { turns.load(ordering: .relaxed) }

    /// The result of the loop; complete after `join`.
    public var end: LoopEnd { result.withLock { $0 } }

    /// Asks the thread to stop the dock and end. It returns at once, and may be called from any thread and more than
    /// once.
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

/// The arguments of the thread.
final class LoopStart {
    let loop: DockLoop
    let wake: Int32
    /// The timer's descriptor, which the thread closes.
    let timer: Int32
    let link: (any ByteLink)?
    let options: LoopOptions
    let driver: any DockDriver
    let guardian: (any MotionGuard)?
    let ports: (any PortEvents)?
    let reopen: @Sendable () throws(DockError) -> any ByteLink
    let makeInput: @Sendable () -> (any SteeringInput)?
    let onSnapshot: (@Sendable (LoopSnapshot) -> Void)?
    let onEvent: (@Sendable (LoopEvent) -> Void)?
    let onTrace: (@Sendable (TraceCopy) -> Void)?

    init(
        loop: DockLoop, wake: Int32, timer: Int32, link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver,
        guardian: (any MotionGuard)?, ports: (any PortEvents)?,
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

/// The entry point of the new thread, called from C. As a closure in isolated code it would trap there.
private func dockLoopMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { LoopThread(Unmanaged<LoopStart>.fromOpaque(raw).takeRetainedValue()).run() }
    return nil
}
