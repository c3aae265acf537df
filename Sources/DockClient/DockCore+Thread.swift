internal import CPosix
internal import ControlProtocol
internal import DockTypes
internal import Geometry
internal import Processes

/// What the connection's thread does with the shared state.
extension DockCore {
    /// Whether bytes wait to be sent.
    var hasOutput: Bool { state.withLock { !$0.outbox.isEmpty } }
    /// Returns the bytes to send next. They stay until `didSend`, which must follow.
    func takeOutput() -> ArraySlice<UInt8> { state.withLock { $0.outbox.take() } }
    func didSend(_ count: Int) { state.withLock { $0.outbox.didSend(count) } }

    /// The bells to wait for. One that has ended would always be ready.
    var bells: [PictureBellWatch] {
        let all = state.withLock { $0.bells }
        let open = all.compactMap(\.value).filter { !$0.isOver }
        if open.count < all.count { state.withLock { $0.bells.removeAll { $0.value == nil } } }
        return open
    }

    /// Handles a line from the daemon. `descriptors` returns those that came with it.
    func receive(
        _ line: [UInt8], descriptors: () -> ReceivedDescriptors?
    ) throws(DockError) {
        let outputs = try state.withLock { state throws(DockError) in
            try state.machine.receive(line, now: cposix_monotonic_now())
        }
        perform(outputs, descriptors: descriptors)
    }

    /// Does what is due. Returns when to call again, or nil if nothing waits.
    func due() -> Seconds? {
        let now = cposix_monotonic_now()
        let (outputs, deadline) = state.withLock { state in
            let outputs = state.machine.due(now: now)
            return (outputs, state.machine.deadline(now: now))
        }
        perform(outputs) { nil }
        return deadline
    }

    /// Records a new connection. What the program wants is requested again under the same lock, so that a later wish of
    /// the program follows it.
    func connected(_ greeting: ControlGreeting) {
        let watchers = state.withLock { state -> [AsyncStream<DockConnection>.Continuation] in
            // The program may have closed it while the connection was made.
            guard state.connection != .closed else { return [] }
            state.outbox = SendQueue()
            state.connection = .connected(greeting)
            send(state.machine.connected(greeting), &state)
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield(.connected(greeting)) }
    }

    /// Records the end of the connection. `isClosed`: for good.
    func end(_ error: DockError, isClosed: Bool = false) {
        struct Ended: Sendable {
            var outputs: [ClientMachine.Output] = []
            var watchers: [AsyncStream<DockConnection>.Continuation] = []
            var listeners: [Listener] = []
            var bells: [Bell] = []
        }
        let connection = isClosed ? DockConnection.closed : .disconnected(error)
        // Under the lock, no closure is called, and no object ends that would need the lock again.
        let ended = state.withLock { state -> Ended in
            guard state.connection != .closed else { return Ended() }
            state.outbox = SendQueue()
            state.connection = connection
            defer {
                state.bells = []
                if isClosed { state.watchers = [:] }
            }
            return Ended(
                outputs: state.machine.lost(error), watchers: Array(state.watchers.values),
                listeners: Array(state.listeners.values), bells: state.bells)
        }
        for watcher in ended.watchers {
            watcher.yield(connection)
            if isClosed { watcher.finish() }
        }
        perform(ended.outputs) { nil }
        for bell in ended.bells { bell.value?.finish() }
        for listener in ended.listeners {
            if let value = listener.value, isClosed || value.endsWithConnection { value.finish() }
        }
    }

    private func perform(_ outputs: [ClientMachine.Output], descriptors: () -> ReceivedDescriptors?) {
        for output in outputs {
            switch output {
            case .send: state.withLock { send([output], &$0) }
            case .answer(let id, let result):
                var answer = CallAnswer(result: result)
                if case .success(let value) = result, value["slots"] != nil { answer.descriptors = descriptors() }
                state.withLock { $0.calls.removeValue(forKey: id) }?.continuation.resume(returning: answer)
            case .event(let event):
                let listeners = state.withLock { Array($0.listeners.values) }
                for listener in listeners {
                    if let value = listener.value, value.topic.rawValue == event.topic { value.put(event) }
                }
            // The descriptors of an answer that no one waits for are closed.
            case .discardDescriptors: _ = descriptors()
            case .leaseLost(let error):
                let endings = state.withLock { state in
                    defer { state.leases = [:] }
                    return Array(state.leases.values)
                }
                for ending in endings { ending.lost(error) }
            }
        }
    }

    func send(_ outputs: [ClientMachine.Output], _ state: inout State) {
        for case .send(let bytes) in outputs { state.outbox.add(bytes) }
    }
}
