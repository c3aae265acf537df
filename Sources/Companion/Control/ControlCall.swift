internal import DockControl
internal import Glibc

/// What a program asks for through the control API.
enum ControlCall: Sendable, Equatable {
    /// One of the session's commands.
    case command(Command)
    /// A line of command words, with the precedence of words.
    case words(String)
    /// The same from somebody whom a shared socket lets in: with the precedence of a program.
    case guestWords(String)
    /// Tell these topics from now on.
    case subscribe([Topic])
    /// Tell them no more; nil: none at all.
    case unsubscribe([Topic]?)
}

extension ControlCall {
    /// It stops the dock: never busy, never late.
    var isStop: Bool {
        switch self {
        case .command(let command): command.kind == .stop
        case .words(let line), .guestWords(let line): CommandWords.stop(in: line) != nil
        case .subscribe, .unsubscribe: false
        }
    }

    /// Nothing but its answer comes of it.
    var isQuestion: Bool {
        switch self {
        // A trace is a file that stays.
        case .command(.trace): false
        case .command(let command): command.kind == .read
        case .words(let line), .guestWords(let line):
            (try? CommandWords.parse(line)).map { $0.kind == .read && $0 != .trace } ?? true
        case .subscribe, .unsubscribe: true
        }
    }

    /// The same call of somebody who is neither the daemon's user nor root: a group may command the dock, but who speaks for the
    /// person beside it is its owner.
    var ofGuest: ControlCall { if case .words(let line) = self { .guestWords(line) } else { self } }

    /// Carried out after a stop that was meant to follow it, it would take that stop back.
    var movesAfterStop: Bool {
        switch self {
        case .command(let command): command.movesAfterStop
        case .words(let line), .guestWords(let line): (try? CommandWords.parse(line))?.movesAfterStop ?? false
        case .subscribe, .unsubscribe: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// A quick look: no stop is without these letters.
    var containsStop: Bool {
        withUnsafeBytes { bytes in
            var place = 0
            while place + 2 < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + place, Int32(UInt8(ascii: "t")), bytes.count - 2 - place)
            {
                let index = base.distance(to: UnsafeRawPointer(found))
                if bytes[index + 1] == UInt8(ascii: "o"), bytes[index + 2] == UInt8(ascii: "p") { return true }
                place = index + 1
            }
            return false
        }
    }
}

/// What came of a call.
enum ControlReply: Sendable, Equatable {
    /// Of a command.
    case answer(Answer)
    /// Of a line of words.
    case words(Answer)
}

/// Who does what the control API asks for: the session. Every function is called on the server's thread, may call back into
/// the server, and must not wait.
protocol ControlBackend: AnyObject, Sendable {
    /// Carries a call out; `subscribe` and `unsubscribe` never come. `reply` is called once, from any thread, at any time.
    func perform(_ call: ControlCall, client: Int, reply: @escaping @Sendable (ControlReply) -> Void)
    /// The newest data of a topic, for who begins to listen or could not follow.
    func snapshot(of topic: Topic) -> JSONValue
    /// A request of this client arrived: its lease lives on.
    func heard(from client: Int)
    /// Which client holds the lease; nil: none.
    var leaseHolder: Int? { get }
    /// The client's connection is gone.
    func gone(client: Int)
    /// Somebody listens to these topics now, and nobody to others.
    func audienceChanged(_ topics: Set<Topic>)
}
