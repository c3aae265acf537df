internal import CPosix
internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Processes

/// Processes the same requests as lines of standard input. The answers are sent in the order of the requests. Events
/// are not available here; use `watch`.
final class ControlLineSession: Sendable {
    private let client: Int
    private let version: String
    private let backend: any ControlBackend
    private let write: @Sendable (String) -> Void
    private let queue = Locked(RequestQueue())

    /// Creates a session. `write` receives an answer without a line end, on any thread, and must not block.
    init(client: Int, version: String, backend: any ControlBackend, write: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.version = version
        self.backend = backend
        self.write = write
    }

    /// Executes the stops of a line without answering. The line is answered later, in its turn.
    func handleStops(_ text: some Sequence<UInt8>) {
        for request in read(Array(text)).requests {
            guard case .success(let call) = request.call, call.isStop else { continue }
            backend.perform(call, client: client) { _ in }
        }
    }

    /// Executes a line. If a later stop was executed before it (`isOvertaken`), its requests must not start motion.
    func handle(_ text: some Sequence<UInt8>, isOvertaken: Bool = false) {
        var line = read(Array(text))
        if isOvertaken {
            for index in line.requests.indices where (try? line.requests[index].call.get())?.movesAfterStop == true {
                line.requests[index].call = .failure(ControlError(SessionState.overtaken))
            }
        }
        if line.requests.contains(where: \.isCall) { backend.renewLease(of: client) }
        // A sender that does not wait cannot be slowed down here, so excess requests are refused, except stops.
        let calls = locked { queue -> [(ticket: RequestQueue.Ticket, call: ControlCall)]? in
            let now = cposix_monotonic_now()
            queue.expire(now: now)
            return queue.isFull ? nil : queue.begin(line, now: now)
        }
        guard let calls else { return overtake(line) }
        for (ticket, call) in calls {
            backend.perform(call, client: client) { [self] reply in
                locked { $0.finish(ticket, reply) }
                tell()
            }
        }
        tell()
    }

    private func read(_ bytes: [UInt8]) -> ControlLine {
        guard bytes.count <= LineFramer.longest else {
            return ControlLine(refused: .parse("a line is longer than \(LineFramer.longest) bytes"))
        }
        var line = ControlLine(bytes)
        for index in line.requests.indices {
            switch line.requests[index].call {
            case .success(.subscribe), .success(.unsubscribe): line.requests[index].call = .failure(Self.noEvents)
            case .success(.openPictures), .success(.closePictures):
                line.requests[index].call = .failure(Self.noPictures)
            case .success, .failure: break
            }
        }
        return line
    }

    /// Answers out of order: a stop is executed, and everything else is refused.
    private func overtake(_ line: ControlLine) {
        for var request in line.requests {
            if case .success(let call) = request.call {
                if call.isStop {
                    let stop = request
                    backend.perform(call, client: client) { [self] reply in tell(stop, reply) }
                    continue
                }
                request.call = .failure(Self.tooMany)
            }
            tell(request, nil)
        }
    }

    private func tell(_ request: ControlRequest, _ reply: ControlReply?) {
        let part = RequestQueue.Part(request: request, reply: reply, isLocal: true)
        tell(RequestQueue.Line(parts: [part], isBatch: false, deadline: 0))
    }

    /// Writes the answers that are ready, under the lock so that they keep their order.
    private func tell() { locked { while let line = $0.popReady() { tell(line) } } }

    private func tell(_ line: RequestQueue.Line) {
        let answer = ControlAnswer.line(line, version: version, now: cposix_monotonic_now()) { _ in
            .failure(Self.noEvents)
        }
        if let answer { write(String(decoding: answer, as: UTF8.self)) }
    }

    private static let noEvents = ControlError(
        DockError(.notSupported, "events are not sent on standard output", hint: "type `watch`, or use the socket"))
    private static let noPictures = ControlError(
        DockError(.notSupported, "pictures cannot be passed on standard output", hint: "use the socket"))
    private static let tooMany = ControlError(
        DockError(.busy, "\(RequestQueue.capacity) requests are pending", hint: "wait for their answers"))

    private func locked<Result>(_ body: (inout RequestQueue) -> Result) -> Result {
        return queue.withLock { queue in
            return body(&queue)
        }
    }
}
