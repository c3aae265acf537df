internal import ControlProtocol
internal import Geometry
internal import Glibc

/// One client's socket with its input and output. Only the server's thread touches it.
final class ControlConnection {
    let number: Int
    /// -1: the client has closed, its input has been read, and the descriptor is closed.
    private(set) var descriptor: Int32
    var framer = LineFramer()
    var queue = RequestQueue()
    var outbox = Outbox()
    /// Who connected, and which place it has.
    var seat: ControlPlaces.Seat

    /// Whether the daemon's own user or root is at the other end: its words then count as a person's.
    let isOwner: Bool
    /// Progress of its first line. This line, and its answer, go before those of other clients.
    private enum FirstLine { case expected, underWay, answered }
    private var firstLine = FirstLine.expected
    /// Whether the client has closed its writing side.
    private(set) var inputEnded = false
    /// Whether the client has stopped reading.
    private(set) var outputEnded = false
    /// Both sides are closed, so polling again would report nothing new.
    private(set) var isHungUp = false
    /// Whether the framer may still contain lines.
    private(set) var hasLines = false
    /// It sent input that cannot be parsed further: pending answers still go out, then the connection ends.
    private(set) var isClosing = false
    /// The requests left when it closed; nil: it is open.
    var estate: Estate?
    private var end = End()

    /// Progress of the end of the connection.
    private struct End {
        var isShutDown = false
        var stuckSince: Seconds?
        var closeBy: Seconds?
    }

    /// The state of a connection that has closed, while its requests are still carried out.
    struct Estate {
        var closedAt: Seconds
        /// Stops that still wait. They were carried out at once, and no request before them may start motion.
        var stops: Int
        /// It closed while it held the lease: none of its remaining requests may move the dock.
        var lostLease = false
    }

    /// If output does not advance for this long, the client no longer reads, seconds.
    static let patience: Seconds = 30
    /// How long input is discarded after an overlong line, so that the client can read the reason, seconds.
    static let linger: Seconds = 2
    /// Lines of one client that are carried out before the others have their turn.
    static let turn = 32
    /// How many bytes to read ahead if there is no room for answers, so that a stop among them is heard.
    static let lookahead = 1 << 16
    /// The first line is read before everything else if it is at most this long, bytes: a stop is much shorter.
    static let shortLine = 8192

    init(number: Int, descriptor: Int32, peer: Int32 = 0, now: Seconds = 0) {
        self.number = number
        self.descriptor = descriptor
        isOwner = ControlEntrance.isOwner(descriptor)
        seat = ControlPlaces.Seat(number: number, peer: peer, arrivedAt: now, heardAt: now)
    }

    deinit { giveBack() }

    /// Closes the descriptor. Idempotent.
    func giveBack() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    // MARK: polling

    /// The events to poll for; nil: none until an answer arrives.
    var events: Int16? {
        guard descriptor >= 0 else { return nil }
        return (wantsInput ? Int16(POLLIN) : 0) | (outbox.count > 0 ? Int16(POLLOUT) : 0)
    }

    /// Whether it needs regular checks: it waits for answers, is stuck, or is about to be closed.
    var isTicking: Bool { !queue.isEmpty || end.stuckSince != nil || end.closeBy != nil || seat.isProvisional }

    /// Whether it has no pending requests or output and no subscriptions.
    var isIdle: Bool { queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty && !hasLines }

    /// Whether a line may be taken from the framer.
    var mayTakeLine: Bool { hasLines && hasRoom && !isClosing }

    /// Whether it goes before older connections.
    var goesFirst: Bool {
        guard estate == nil, !seat.isProvisional else { return estate == nil }
        return firstLine == .underWay || isNew && framer.count <= Self.shortLine
    }

    /// Whether none of its lines has been carried out yet.
    var isNew: Bool { firstLine == .expected }

    /// All requests so far have their answers.
    func didAnswer() { if firstLine == .underWay, queue.isEmpty { firstLine = .answered } }

    /// Whether its input may contain a stop.
    var mayStop: Bool { hasLines && framer.remaining.containsStop }

    /// A client that does not read its answers is still read: its input may contain a stop.
    private var hasRoom: Bool { !queue.isFull }
    private var wantsInput: Bool {
        !inputEnded && (isClosing || (hasRoom ? !hasLines : framer.count < Self.lookahead))
    }

    // MARK: input

    /// Reads one piece of the available input.
    func read(into buffer: inout [UInt8]) {
        guard wantsInput else { return }
        let most = seat.isProvisional ? max(1, Self.shortLine + 1 - framer.count) : buffer.count
        let count = recv(descriptor, &buffer, min(most, buffer.count, framer.room), 0)
        if count > 0 {
            guard !isClosing else { return }
            framer.append(buffer[..<count])
            hasLines = true
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            if count < 0 { hangUp() }
            inputEnded = true
            hasLines = !isClosing
        }
    }

    /// Reads one piece of the available input even without room for answers. Returns false if there is no more.
    func readAhead(into buffer: inout [UInt8]) -> Bool {
        guard descriptor >= 0, !inputEnded, !isClosing, framer.room > 0 else { return false }
        let count = recv(descriptor, &buffer, min(buffer.count, framer.room), Int32(MSG_DONTWAIT))
        guard count > 0 else { return false }
        framer.append(buffer[..<count])
        return true
    }

    /// The client has closed: reads all its remaining input and closes the descriptor. If that is longer than a line may be,
    /// only the newest part is kept; `forget` is called before the older part is dropped.
    func settle(now: Seconds, _ buffer: inout [UInt8], forget: () -> Void) {
        hangUp()
        while !inputEnded, !isClosing {
            if framer.room <= 0 {
                forget()
                framer.discard()
            }
            let count = recv(descriptor, &buffer, min(buffer.count, framer.room), 0)
            if count > 0 {
                framer.append(buffer[..<count])
            } else if count == 0 || errno != EINTR {
                inputEnded = true
            }
        }
        inputEnded = true
        hasLines = !isClosing
        estate = Estate(closedAt: now, stops: 0)
        giveBack()
    }

    /// The next line, if there is one.
    func nextLine() -> LineFramer.Item? {
        if let item = framer.next() {
            if firstLine == .expected { firstLine = .underWay }
            return item
        }
        hasLines = false
        return inputEnded ? framer.finish() : nil
    }

    /// The waiting lines that were not examined yet.
    func waitingLines() -> [ArraySlice<UInt8>] { hasLines && !isClosing ? framer.unseen() : [] }

    /// Stops reading; pending requests are still answered.
    func stopReading() {
        isClosing = true
        hasLines = false
        outbox.unsubscribe(nil)
    }

    /// The other side is closed.
    private func hangUp() {
        isHungUp = true
        outputEnded = true
        outbox.discard()
    }

    // MARK: output

    /// Sends as much as the client accepts, and adds events as long as it does.
    func send(now: Seconds, snapshot: (Topic) -> ControlEvent) {
        guard descriptor >= 0 else { return }
        repeat {
            outbox.refill(snapshot)
            while outbox.count > 0 {
                let count = outbox.bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
                if count < 0, errno == EINTR { continue }
                if count < 0, errno != EAGAIN {
                    outputEnded = true
                    outbox.discard()
                }
                guard count > 0 else { break }
                outbox.didSend(count)
                end.stuckSince = nil
            }
        } while outbox.count == 0 && outbox.holdsEvents
        let mustMove = outbox.count > 0 && (outbox.isFull || inputEnded || isClosing)
        end.stuckSince = mustMove ? end.stuckSince ?? now : nil
        if isClosing, !end.isShutDown, queue.isEmpty, outbox.count == 0 {
            end.isShutDown = true
            shutdown(descriptor, Int32(SHUT_WR))
            end.closeBy = now + Self.linger
        }
    }

    /// Sends a last line, nil: only what waits, as far as the client accepts it at once.
    func say(last line: [UInt8]?) {
        guard descriptor >= 0, !outputEnded else { return }
        outbox.unsubscribe(nil)
        if let line { outbox.answer(line) }
        send(now: 0) { ControlEvent(topic: $0, sequence: 0, data: []) }
    }

    /// Whether the connection can be dropped.
    func isOver(now: Seconds) -> Bool {
        if let since = end.stuckSince, now - since > Self.patience { return true }
        if let closeBy = end.closeBy, now >= closeBy { return true }
        if outbox.count >= Outbox.capacity { return true }
        guard inputEnded, !hasLines else { return false }
        if outputEnded { return true }
        return queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty
    }
}
