internal import Geometry
internal import Glibc

/// One client's socket with what is on its way in and out. Only the server's thread touches it.
final class ControlConnection {
    let number: Int
    let descriptor: Int32
    var framer = LineFramer()
    var queue = RequestQueue()
    var outbox = Outbox()

    /// The daemon's own user or root is at the other end: its words are a person's.
    var isOwner = false
    /// When it last sent something, CLOCK_MONOTONIC.
    var heardAt: Seconds = 0
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
    private var isShutDown = false
    private var stuckSince: Seconds?
    private var closeBy: Seconds?

    /// Output that does not move for so long has no reader, seconds.
    static let patience: Seconds = 30
    /// After a line too long, what still comes is thrown away for so long, so that the client gets to read why; seconds.
    static let linger: Seconds = 2
    /// Lines of one client that are worked off before others have their turn.
    static let turn = 32
    /// Without room for answers so many bytes more are read, so that a stop among them is heard.
    static let lookahead = 1 << 16

    init(number: Int, descriptor: Int32) {
        self.number = number
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    // MARK: what to wait for

    /// What poll shall watch; nil: nothing, until an answer comes.
    var events: Int16? {
        let wanted = (wantsInput ? Int16(POLLIN) : 0) | (outbox.count > 0 ? Int16(POLLOUT) : 0)
        return isHungUp && !wantsInput ? nil : wanted
    }

    /// Its time matters: it waits for answers, is stuck, or is about to be closed.
    var isTicking: Bool { !queue.isEmpty || stuckSince != nil || closeBy != nil }

    /// It waits for nothing and listens to nothing.
    var isIdle: Bool { queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty && !hasLines }

    /// Whether a line may be taken from the framer.
    var mayTakeLine: Bool { hasLines && hasRoom && !isClosing }

    /// Who does not read its answers is still read: a stop could be among what it sends.
    private var hasRoom: Bool { !queue.isFull }
    private var wantsInput: Bool {
        !inputEnded && (isClosing || (hasRoom ? !hasLines : framer.count < Self.lookahead))
    }

    // MARK: in

    /// Reads what there is, a piece.
    func read(into buffer: inout [UInt8]) {
        guard wantsInput else { return }
        let count = recv(descriptor, &buffer, min(buffer.count, framer.room), 0)
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

    /// The next line, if there is one.
    func nextLine() -> LineFramer.Item? {
        if let item = framer.next() { return item }
        hasLines = false
        return inputEnded ? framer.finish() : nil
    }

    /// The lines that wait for room, each of them once.
    func waitingLines() -> [ArraySlice<UInt8>] { hasLines && !hasRoom && !isClosing ? framer.unseen() : [] }

    /// No more is read; what is under way is still answered.
    func stopReading() {
        isClosing = true
        hasLines = false
        outbox.unsubscribe(nil)
    }

    /// The other side is closed.
    func hangUp() {
        isHungUp = true
        outputEnded = true
        outbox.discard()
    }

    // MARK: out

    /// Sends what the client takes, and fills up with events while it does.
    func send(now: Seconds, snapshot: (Topic) -> ControlEvent) {
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
                stuckSince = nil
            }
        } while outbox.count == 0 && outbox.holdsEvents
        let mustMove = outbox.count > 0 && (outbox.isFull || inputEnded || isClosing)
        stuckSince = mustMove ? stuckSince ?? now : nil
        if isClosing, !isShutDown, queue.isEmpty, outbox.count == 0 {
            isShutDown = true
            shutdown(descriptor, Int32(SHUT_WR))
            closeBy = now + Self.linger
        }
    }

    /// Whether nothing is left to do for it.
    func isOver(now: Seconds) -> Bool {
        if let stuckSince, now - stuckSince > Self.patience { return true }
        if let closeBy, now >= closeBy { return true }
        if outbox.count >= Outbox.capacity { return true }
        guard inputEnded, !hasLines else { return false }
        if outputEnded { return true }
        return queue.isEmpty && outbox.count == 0 && outbox.topics.isEmpty
    }
}
