internal import CPosix
internal import ControlProtocol
internal import DockTypes
internal import PictureShare
internal import Geometry
internal import Glibc

/// One client's socket with its input and output. Only the server's thread touches it.
final class ControlConnection {
    let number: Int
    /// The descriptor; -1 if the client has closed, its input has been read, and the descriptor is closed.
    private(set) var descriptor: Int32
    /// The process that connected, and the kind of its slot.
    var slot: ConnectionSlots.Slot
    /// Whether the daemon's own user or root is at the other end. Its words then count as a person's.
    let isOwner: Bool

    private(set) var input = ConnectionInput()
    var queue = RequestQueue()
    var outbox = Outbox()
    /// Whether the client has stopped reading.
    private(set) var outputEnded = false
    /// Whether it waits for the answer to `openPictures`, or that answer has not been sent.
    var opensPictures: Bool { isOpening || outbox.hasOpening }
    /// Whether an answer to `openPictures` is pending.
    var isOpening = false
    /// Whether it sees the camera's pictures.
    var seesPictures = false
    private var end = ConnectionEnd()
    /// The requests left when it closed, or nil if it is open.
    var closedWork: ClosedConnectionWork?

    /// The number of lines of one client that are executed before the other clients are served.
    static let turn = 32

    init(number: Int, descriptor: Int32, peer: Int32 = 0, now: Seconds = 0) {
        self.number = number
        self.descriptor = descriptor
        isOwner = ControlEntrance.isOwner(descriptor)
        slot = ConnectionSlots.Slot(number: number, peer: peer, arrivedAt: now, heardAt: now)
    }

    deinit { giveBack() }

    /// Closes the descriptor. Idempotent.
    func giveBack() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    // MARK: polling

    /// The events to poll for, or nil if there are none until an answer arrives.
    var events: Int16? {
        guard descriptor >= 0 else { return nil }
        return (wantsInput ? Int16(POLLIN) : 0) | (outbox.count > 0 ? Int16(POLLOUT) : 0)
    }

    /// Whether it needs regular checks, because it waits for answers, is stuck, or is about to be closed.
    var isTicking: Bool { !queue.isEmpty || end.isPending || slot.isProvisional }

    /// Whether it has no pending requests or output, no subscriptions, and no pictures.
    var isIdle: Bool {
        queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty && !input.hasLines && !seesPictures
    }

    /// Whether one of its lines may be executed.
    var mayBeginLine: Bool { input.hasLines && hasRoom && !input.isRefused }

    /// Whether it takes precedence over older connections.
    var goesFirst: Bool { closedWork == nil && (slot.isProvisional || input.goesFirst) }

    /// Records that all requests so far have been answered, if that is the case.
    func recordAnswers() { if queue.isEmpty { input.recordAnswers() } }

    private var hasRoom: Bool { !queue.isFull }
    private var wantsInput: Bool { input.isWanted(hasRoom: hasRoom) }

    // MARK: input

    /// Reads one piece of the available input.
    func read(into buffer: inout [UInt8]) {
        guard wantsInput else { return }
        let most = slot.isProvisional ? max(1, ConnectionInput.shortLine + 1 - input.count) : buffer.count
        let count = recv(descriptor, &buffer, min(most, buffer.count, input.room), 0)
        if count > 0 {
            input.append(buffer[..<count])
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            if count < 0 { hangUp() }
            input.end()
        }
    }

    /// Reads one piece of the available input even without room for answers. Returns false if there is no more input.
    func readAhead(into buffer: inout [UInt8]) -> Bool {
        guard descriptor >= 0, !input.hasEnded, !input.isRefused, input.room > 0 else { return false }
        let count = recv(descriptor, &buffer, min(buffer.count, input.room), Int32(MSG_DONTWAIT))
        guard count > 0 else { return false }
        input.appendAhead(buffer[..<count])
        return true
    }

    /// Reads all the remaining input of a client that has closed, and closes the descriptor. If the input exceeds the
    /// maximum length of a line, only the newest part is kept. `forget` is called before the older part is dropped.
    func settle(now: Seconds, _ buffer: inout [UInt8], forget: () -> Void) {
        hangUp()
        while !input.hasEnded, !input.isRefused {
            if input.room <= 0 {
                forget()
                input.discard()
            }
            let count = recv(descriptor, &buffer, min(buffer.count, input.room), 0)
            if count > 0 {
                input.appendAhead(buffer[..<count])
            } else if count == 0 || errno != EINTR {
                input.end()
            }
        }
        input.end()
        closedWork = ClosedConnectionWork(closedAt: now)
        giveBack()
    }

    /// Returns the next line, if there is one.
    func nextLine() -> LineFramer.Item? { input.next() }

    /// Returns the waiting lines that have not been examined yet.
    func waitingLines() -> [ArraySlice<UInt8>] { input.unseen() }

    /// Stops reading; pending requests are still answered.
    func stopReading() {
        input.refuse()
        outbox.unsubscribe(nil)
    }

    /// Records that the other side is closed.
    private func hangUp() {
        outputEnded = true
        outbox.discard()
    }

    // MARK: output

    /// Sends as much as the client accepts, and adds events as long as the client accepts them.
    func send(now: Seconds, snapshot: (Topic) -> ControlEvent) {
        guard descriptor >= 0 else { return }
        repeat {
            outbox.refill(snapshot)
            while outbox.count > 0 {
                let count = sendPiece()
                if count < 0, errno == EINTR { continue }
                // Too many descriptors of this user are on their way. The client must not wait without an answer.
                if count < 0, errno == ETOOMANYREFS, outbox.refuseOpening() {
                    seesPictures = false
                    continue
                }
                if count < 0, errno != EAGAIN {
                    outputEnded = true
                    outbox.discard()
                }
                guard count > 0 else { break }
                outbox.didSend(count)
                end.recordProgress()
            }
        } while outbox.count == 0 && outbox.holdsEvents
        let mustMove = outbox.count > 0 && (outbox.isFull || input.hasEnded || input.isRefused)
        end.record(isStuck: mustMove, now: now)
        if input.isRefused, queue.isEmpty, outbox.count == 0, end.shutDown(now: now) {
            shutdown(descriptor, Int32(SHUT_WR))
        }
    }

    private func sendPiece() -> Int {
        let (bytes, opening) = outbox.piece
        return bytes.withUnsafeBytes { bytes in
            guard let opening else {
                return Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            return cposix_send_with(descriptor, bytes.baseAddress, bytes.count, [opening.memory, opening.bell], 2)
        }
    }

    /// The error of a client that opens pictures and does not take them.
    static let opening = DockError(
        .busy, "this connection has not yet received the pictures that it opened", hint: "read the answer first")

    /// The error of a client whose descriptors the system does not pass on.
    static let stuck = DockError(
        .busy, "the system does not pass on more descriptors now",
        hint: "some program of this user does not take those that were sent to it; try again later")

    /// Records what the answers to a line mean for the client's pictures.
    func recordPictures(of line: RequestQueue.Line) {
        for part in line.parts {
            switch (part.request.call, part.reply) {
            case (.success(.openPictures), .pictures(.failure(let error))?) where error.message == Self.opening.message:
                break
            case (.success(.openPictures), .pictures(.success)?): (isOpening, seesPictures) = (false, true)
            case (.success(.openPictures), _): (isOpening, seesPictures) = (false, false)
            case (.success(.closePictures), _): seesPictures = false
            default: break
            }
        }
    }

    /// Sends a last line, as far as the client accepts it at once. If the line is nil, only the waiting output is sent.
    func say(last line: [UInt8]?) {
        guard descriptor >= 0, !outputEnded else { return }
        outbox.unsubscribe(nil)
        if let line { outbox.answer(line) }
        send(now: 0) { ControlEvent(topic: $0, sequence: 0, data: []) }
    }

    /// Returns whether the connection can be dropped.
    func isOver(now: Seconds) -> Bool {
        if end.isDue(now: now) || outbox.count >= Outbox.capacity { return true }
        guard input.hasEnded, !input.hasLines else { return false }
        if outputEnded { return true }
        return queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty
    }
}
