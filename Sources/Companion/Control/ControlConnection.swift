internal import Geometry
internal import Glibc

/// One client's socket with what is on its way in and out. Only the server's thread touches it.
final class ControlConnection {
    let number: Int
    /// -1: the client has closed, everything that it left was read, and the descriptor is given back.
    private(set) var descriptor: Int32
    var framer = LineFramer()
    var queue = RequestQueue()
    var outbox = Outbox()
    /// Who connected, and what place it has.
    var seat: ControlPlaces.Seat

    /// The daemon's own user or root is at the other end: its words are a person's.
    let isOwner: Bool
    /// How far its first line is. It goes before what others have sent, and so does its answer.
    private enum FirstLine { case expected, underWay, answered }
    private var firstLine = FirstLine.expected
    /// The client writes no more.
    private(set) var inputEnded = false
    /// The client reads no more.
    private(set) var outputEnded = false
    /// The system told that both sides are closed: asking again tells nothing new.
    private(set) var isHungUp = false
    /// Something may still be in the framer.
    private(set) var hasLines = false
    /// It sent what cannot be read on from: answers still go out, then it ends.
    private(set) var isClosing = false
    /// What it left when it closed; nil: it lives.
    var estate: Estate?
    private var end = End()

    /// How far its end is.
    private struct End {
        var isShutDown = false
        var stuckSince: Seconds?
        var closeBy: Seconds?
    }

    /// The lines of a connection that has closed.
    struct Estate {
        var closedAt: Seconds
        /// Stops that still wait. They were carried out at once; nothing in front of them may begin a motion.
        var stops: Int
        /// It closed while it held the lease, and lost it by that: nothing of what it left moves the dock.
        var lostLease = false
    }

    /// Output that does not move for so long has no reader, seconds.
    static let patience: Seconds = 30
    /// After a line too long, what still comes is thrown away for so long, so that the client gets to read why; seconds.
    static let linger: Seconds = 2
    /// Lines of one client that are worked off before others have their turn.
    static let turn = 32
    /// Without room for answers so many bytes more are read, so that a stop among them is heard.
    static let lookahead = 1 << 16
    /// The first line is read before everything else if it is no longer than this, bytes: a stop is much shorter.
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

    // MARK: what to wait for

    /// What poll shall watch; nil: nothing, until an answer comes.
    var events: Int16? {
        guard descriptor >= 0 else { return nil }
        return (wantsInput ? Int16(POLLIN) : 0) | (outbox.count > 0 ? Int16(POLLOUT) : 0)
    }

    /// Its time matters: it waits for answers, is stuck, or is about to be closed.
    var isTicking: Bool { !queue.isEmpty || end.stuckSince != nil || end.closeBy != nil || seat.isProvisional }

    /// It waits for nothing and listens to nothing.
    var isIdle: Bool { queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty && !hasLines }

    /// Whether a line may be taken from the framer.
    var mayTakeLine: Bool { hasLines && hasRoom && !isClosing }

    /// It is to be heard before those who have been here longer.
    var goesFirst: Bool {
        guard estate == nil, !seat.isProvisional else { return estate == nil }
        return firstLine == .underWay || isNew && framer.count <= Self.shortLine
    }

    /// It has not had a line carried out yet.
    var isNew: Bool { firstLine == .expected }

    /// What was asked is answered, as far as there is an answer.
    func didAnswer() { if firstLine == .underWay, queue.isEmpty { firstLine = .answered } }

    /// What it has said may be a stop.
    var mayStop: Bool { hasLines && framer.remaining.containsStop }

    /// Who does not read its answers is still read: a stop could be among what it sends.
    private var hasRoom: Bool { !queue.isFull }
    private var wantsInput: Bool {
        !inputEnded && (isClosing || (hasRoom ? !hasLines : framer.count < Self.lookahead))
    }

    // MARK: in

    /// Reads what there is, a piece.
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

    /// Reads a piece of what there is, whether there is room for answers or not; false: there is no more.
    func readAhead(into buffer: inout [UInt8]) -> Bool {
        guard descriptor >= 0, !inputEnded, !isClosing, framer.room > 0 else { return false }
        let count = recv(descriptor, &buffer, min(buffer.count, framer.room), Int32(MSG_DONTWAIT))
        guard count > 0 else { return false }
        framer.append(buffer[..<count])
        return true
    }

    /// The client has closed: takes in all that it left, and gives the descriptor back. Where that is more than a line may
    /// have, only the newest is kept; `forget` is called before the older is dropped.
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

    /// The lines that wait and were not looked at yet.
    func waitingLines() -> [ArraySlice<UInt8>] { hasLines && !isClosing ? framer.unseen() : [] }

    /// No more is read; what is under way is still answered.
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

    // MARK: out

    /// Sends what the client takes, and fills up with events while it does.
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

    /// The last words, nil: none but what waits; as much as the client takes at once.
    func say(last line: [UInt8]?) {
        guard descriptor >= 0, !outputEnded else { return }
        outbox.unsubscribe(nil)
        if let line { outbox.answer(line) }
        send(now: 0) { ControlEvent(topic: $0, sequence: 0, data: []) }
    }

    /// Whether nothing is left to do for it.
    func isOver(now: Seconds) -> Bool {
        if let since = end.stuckSince, now - since > Self.patience { return true }
        if let closeBy = end.closeBy, now >= closeBy { return true }
        if outbox.count >= Outbox.capacity { return true }
        guard inputEnded, !hasLines else { return false }
        if outputEnded { return true }
        return queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty
    }
}
