internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Glibc
internal import PictureShare

/// A request of a program through the control API.
enum ControlCall: Sendable, Equatable {
    /// One of the session's commands.
    case command(Command)
    /// A line of command words, with the precedence of words.
    case words(String)
    /// The same from a user who has access only through a shared socket, with the precedence of a program.
    case guestWords(String)
    /// Starts to report these topics; `everyFrame`: topic `tracking` without its usual limit.
    case subscribe([Topic], everyFrame: Bool = false)
    /// Stops reporting these topics, or all of them if nil.
    case unsubscribe([Topic]?)
    /// Opens the camera's pictures.
    case openPictures(PictureRequest)
    /// Closes them.
    case closePictures
}

extension ControlCall {
    /// Whether it stops the dock. Such a call is never rejected as busy and never late.
    var isStop: Bool {
        switch self {
        case .command(let command): command.kind == .stop
        case .words(let line), .guestWords(let line): CommandWords.stop(in: line) != nil
        case .subscribe, .unsubscribe, .openPictures, .closePictures: false
        }
    }

    /// Whether it has no effect besides its answer.
    var isQuestion: Bool {
        switch self {
        // A trace leaves a file.
        case .command(.trace): false
        case .command(let command): command.kind == .read
        case .words(let line), .guestWords(let line):
            (try? CommandWords.parse(line)).map { $0.kind == .read && $0 != .trace } ?? true
        case .subscribe, .unsubscribe, .openPictures, .closePictures: true
        }
    }

    /// The same call from a user who is neither the daemon's user nor root: members of a group may command the dock,
    /// but only its owner counts as a person.
    var ofGuest: ControlCall { if case .words(let line) = self { .guestWords(line) } else { self } }

    /// The same call with the process that made it, if that matters. What an extension reports of itself counts for a
    /// child of the daemon only if it comes from that child, because any program can use its name. Indicators are
    /// limited by process.
    func made(by process: Int32) -> ControlCall {
        guard case .command(.show(let request)) = self, process > 0 else { return self }
        switch request {
        case .report(var reading, let time):
            // A child leads its session and its group, and only what it starts can be in them.
            let group = getpgid(process)
            reading.process = group > 0 ? group : nil
            return .command(.show(.report(reading, time: time)))
        case .indicator(let name, let state, let text, _):
            return .command(.show(.indicator(name, state, text: text, process: process)))
        case .drawing, .cue, .distances: return self
        }
    }

    /// Whether the call would undo a stop if it ran after it.
    var movesAfterStop: Bool {
        switch self {
        case .command(let command): command.movesAfterStop
        case .words(let line), .guestWords(let line): (try? CommandWords.parse(line))?.movesAfterStop ?? false
        case .subscribe, .unsubscribe, .openPictures, .closePictures: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the line may contain a stop. This is a quick check: every stop contains these letters, unless JSON's
    /// escapes hide one of them.
    var containsStop: Bool { has("top") || has("\\u") }

    private func has(_ word: StaticString) -> Bool {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return withUnsafeBytes { bytes in
            var place = 0
            while place + letters.count <= bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + place, Int32(letters[0]), bytes.count - letters.count + 1 - place)
            {
                let index = base.distance(to: UnsafeRawPointer(found))
                if (1..<letters.count).allSatisfy({ bytes[index + $0] == letters[$0] }) { return true }
                place = index + 1
            }
            return false
        }
    }
}

/// The result of a call.
enum ControlReply: Sendable, Equatable {
    /// The answer to a command.
    case answer(Answer)
    /// The answer to a line of words.
    case words(Answer)
    /// The answer to `openPictures`, with its descriptors.
    case pictures(Result<PictureOpening, DockError>)
    /// The answer to a call that gives nothing back.
    case done
}

/// Executes the requests of the control API. The session implements it. Every function is called on the server's
/// thread, may call back into the server, and must not block.
protocol ControlBackend: AnyObject, Sendable {
    /// Executes a call, except `subscribe` and `unsubscribe`. `reply` is called once, from any thread, at any time.
    func perform(_ call: ControlCall, client: Int, reply: @escaping @Sendable (ControlReply) -> Void)
    /// Returns the newest data of a topic, for a client that subscribes or has fallen behind.
    func snapshot(of topic: Topic) -> JSONValue
    /// Renews the lease of this client, because a request from it arrived.
    func renewLease(of client: Int)
    /// The client that holds the lease, or nil if there is none.
    var leaseHolder: Int? { get }
    /// Notifies that the client's connection has ended.
    func disconnected(client: Int)
    /// Notifies that the set of topics with subscribers has changed.
    func audienceChanged(_ interest: TopicInterest)
}
