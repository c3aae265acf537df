internal import CPosix
internal import ControlProtocol
internal import DockTypes
internal import Geometry
internal import Glibc
internal import Processes
internal import Synchronization

/// The descriptors that came with an answer; closed with their last owner unless they are taken.
final class ReceivedDescriptors: Sendable {
    private let held: Locked<(memory: Int32, bell: Int32)?>

    init(memory: Int32, bell: Int32) { held = Locked((memory, bell)) }

    deinit { if let (memory, bell) = take() { for descriptor in [memory, bell] { close(descriptor) } } }

    /// Returns the descriptors, which then belong to the caller.
    func take() -> (memory: Int32, bell: Int32)? {
        held.withLock { held in
            defer { held = nil }
            return held
        }
    }
}

/// The result of a call, with what came beside it.
struct CallAnswer: Sendable {
    var result: Result<JSONValue, DockError>
    var descriptors: ReceivedDescriptors?
}

/// What a `Dock` and its thread share. Tasks call it from anywhere; only the thread touches the socket.
final class DockCore: Sendable {
    struct Call: Sendable {
        let token: Int
        let continuation: CheckedContinuation<CallAnswer, Never>
    }

    struct Listener: Sendable { weak var value: (any TopicListener)? }
    struct Bell: Sendable { weak var value: PictureBellWatch? }

    struct State: Sendable {
        var machine: ClientMachine
        var connection: DockConnection
        var outbox = SendQueue()
        var calls: [Int: Call] = [:]
        /// Calls that were cancelled before they began.
        var cancelled: Set<Int> = []
        var listeners: [Int: Listener] = [:]
        var bells: [Bell] = []
        var watchers: [Int: AsyncStream<DockConnection>.Continuation] = [:]
        var leases: [Int: DockLease.Ending] = [:]
        var lastNumber = 0

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    let state: Locked<State>
    private let thread: PollThread
    private let isClosed = Atomic<Bool>(false)

    /// The maximum number of bytes that wait for a daemon that does not read.
    static let mostBytes = 1 << 20

    /// Prepares a connection that was just made.
    /// - Throws: `cannotOpen` if the system has no descriptors left.
    init(path: String, greeting: ControlGreeting) throws(DockError) {
        guard let thread = PollThread(name: "dock-client") else {
            throw DockError(.cannotOpen, "no file descriptor is left", hint: "raise `ulimit -n`")
        }
        self.thread = thread
        var machine = ClientMachine(path: path)
        _ = machine.connected(greeting)
        let state = Locked(State(machine: machine, connection: .connected(greeting)))
        self.state = state
    }

    /// Starts the thread, which keeps this object until `close`.
    /// - Throws: `cannotOpen` if the system has no thread left.
    func start(_ work: DockWork) throws(DockError) {
        let work = Handover(work)
        guard thread.start({ work.take() }) else {
            // Otherwise the work, and the connection in it, would stay.
            _ = work.take()
            throw DockError(.cannotOpen, "the system has no thread left", hint: "raise `ulimit -u`")
        }
    }

    /// Hands the work to the thread, and does not keep it: the thread's start closure lives as long as this object.
    private final class Handover: @unchecked Sendable {
        // Unchecked: the creator of the work does not use it again, and the thread takes it once.
        private var work: DockWork?

        init(_ work: DockWork) { self.work = work }

        func take() -> any PolledWork {
            defer { work = nil }
            return work ?? NoWork()
        }
    }

    /// Ends the thread, and waits for that. Only the first call does it.
    func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        end(DockError(.notConnected, "the connection was closed", hint: "connect again"), isClosed: true)
        thread.stop()
    }

    // MARK: for tasks

    /// Calls a method and waits for its answer. A stop is sent even if the task was cancelled, before everything that
    /// waits, and however much waits; and once more behind that, because motions may be among it.
    func call(
        _ method: String, _ parameters: [String: JSONValue], timeout: Seconds, feature: String? = nil
    ) async throws(DockError) -> CallAnswer {
        let isStop = method == "stop" || method == "emergencyStop"
        let token = state.withLock { $0.number() }
        defer {
            state.withLock { state in
                _ = state.cancelled.remove(token)
                state.machine.beat(now: cposix_monotonic_now())
            }
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let failure = state.withLock { state -> DockError? in
                    let isCancelled = state.cancelled.remove(token) != nil
                    guard !isCancelled || isStop else { return Self.abandoned }
                    do throws(DockError) {
                        let now = cposix_monotonic_now()
                        let (id, bytes) = try state.machine.call(
                            method, parameters, timeout: timeout, feature: feature, isStop: isStop, now: now)
                        guard isStop || state.outbox.count + bytes.count <= Self.mostBytes else {
                            state.machine.abandon(id)
                            throw DockError(.busy, "dockface does not read what it is sent", hint: "send less")
                        }
                        if isStop {
                            state.outbox.addStop(bytes, again: ClientMachine.notification(method, parameters))
                        } else {
                            state.outbox.add(bytes)
                        }
                        guard !isCancelled else {
                            state.machine.abandon(id)
                            return Self.abandoned
                        }
                        state.calls[id] = Call(token: token, continuation: continuation)
                        return nil
                    } catch {
                        return error
                    }
                }
                if let failure { continuation.resume(returning: CallAnswer(result: .failure(failure))) }
                thread.wake()
            }
        } onCancel: {
            abandon(token)
        }
        return CallAnswer(result: .success(try answer.result.get()), descriptors: answer.descriptors)
    }

    /// Sends a request without an answer, before all later calls.
    func post(_ method: String, _ parameters: [String: JSONValue]) throws(DockError) {
        let line = ClientMachine.notification(method, parameters)
        try state.withLock { state throws(DockError) in
            guard case .connected = state.connection else { throw ClientMachine.disconnected("") }
            guard state.outbox.count + line.count <= Self.mostBytes else {
                throw DockError(.busy, "dockface does not read what it is sent", hint: "send less")
            }
            state.outbox.add(line)
            state.machine.beat(now: cposix_monotonic_now())
        }
        thread.wake()
    }

    private func abandon(_ token: Int) {
        let call = state.withLock { state -> Call? in
            guard let id = state.calls.first(where: { $0.value.token == token })?.key else {
                state.cancelled.insert(token)
                return nil
            }
            state.machine.abandon(id)
            return state.calls.removeValue(forKey: id)
        }
        call?.continuation.resume(returning: CallAnswer(result: .failure(Self.abandoned)))
    }

    private static let abandoned = DockError(
        .timeout, "the task was cancelled before the answer arrived", hint: "the call may have been carried out")

    /// The present connection.
    var connection: DockConnection { state.withLock { $0.connection } }

    /// Returns a stream that begins with the present connection.
    func watch() -> AsyncStream<DockConnection> {
        let (stream, output) = AsyncStream<DockConnection>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let number = state.withLock { state in
            let number = state.number()
            output.yield(state.connection)
            if state.connection == .closed { output.finish() } else { state.watchers[number] = output }
            return number
        }
        output.onTermination = { [weak self] _ in self?.state.withLock { state in state.watchers[number] = nil } }
        return stream
    }

    /// Adds a listener to a topic. Returns its number.
    func add(_ listener: any TopicListener, everyFrame: Bool) throws(DockError) -> Int {
        let number = try state.withLock { state throws(DockError) in
            guard state.connection != .closed else { throw ClientMachine.disconnected("") }
            let number = state.number()
            send(try state.machine.listen(to: listener.topic, everyFrame: everyFrame), &state)
            state.listeners[number] = Listener(value: listener)
            return number
        }
        thread.wake()
        return number
    }

    func remove(listener number: Int, of topic: Topic, everyFrame: Bool) {
        state.withLock { state in
            guard state.listeners.removeValue(forKey: number) != nil else { return }
            send(state.machine.stopListening(to: topic, everyFrame: everyFrame), &state)
        }
        thread.wake()
    }

    /// Remembers an indicator, so that it is shown again after a reconnection.
    func remember(indicator name: String, _ parameters: [String: JSONValue], isOff: Bool) {
        state.withLock { $0.machine.remember(indicator: name, parameters, isOff: isOff) }
    }

    /// Renews the lease from now on. Returns the number of its holder.
    func keepLease(_ ending: DockLease.Ending, patience: Seconds) -> Int {
        let (number, isHeld) = state.withLock { state in
            let number = state.number()
            guard state.machine.acquired(patience: patience, now: cposix_monotonic_now()) else {
                return (number, false)
            }
            state.leases[number] = ending
            return (number, true)
        }
        // The connection may have ended since the answer.
        if !isHeld { ending.lost(ClientMachine.disconnected("")) }
        thread.wake()
        return number
    }

    /// Ends the renewal for a holder; the last one gives the lease back. `isAbandoned`: what the program moves ends
    /// first.
    func dropLease(_ number: Int, isAbandoned: Bool) {
        state.withLock { state in
            guard state.leases.removeValue(forKey: number) != nil, state.leases.isEmpty else { return }
            let outputs = state.machine.released(isAbandoned: isAbandoned)
            send(outputs, &state)
        }
        thread.wake()
    }

    /// Records a sign of life.
    func beat() { state.withLock { $0.machine.beat(now: cposix_monotonic_now()) } }

    /// Watches the bell of pictures as long as it exists.
    func add(_ bell: PictureBellWatch) {
        state.withLock { $0.bells.append(Bell(value: bell)) }
        thread.wake()
    }
}

/// Work that ends at once.
private final class NoWork: PolledWork {
    func turn() -> Bool { false }
    var deadline: Seconds? { nil }
    var waits: [pollfd] { [] }
    func handle(_ waits: [pollfd]) {}
    func end() {}
}
