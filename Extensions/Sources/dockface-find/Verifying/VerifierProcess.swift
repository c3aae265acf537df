import Geometry
import Glibc
import Processes
import ThingFinder

/// One verifier as a child process: bytes to it, lines from it, all bounded. It never blocks. A child that has done
/// something wrong is killed, and started again for the next question.
final class VerifierProcess {
    /// The verifier's name for people, and its command.
    let name: String
    private let words: [String]
    private let wish: [UInt8]
    private let note: @Sendable (String) -> Void

    private var child: ChildProcess?
    private var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
    private var log = ChildLog()
    private var outgoing: [UInt8] = [], sent = 0
    private var incoming: [UInt8] = []
    /// The most that a question costs, after the child has said so; nil until it is ready.
    var cost: Double?
    /// How many times in a row it had to be ended, or has ended by itself, without an answer.
    private(set) var failures = 0

    /// The most bytes that may wait to be read as lines.
    private static let most = 4 * VerifierReply.longestLine
    /// After so many failures in a row a verifier is of no use.
    static let mostFailures = 3

    init(_ command: VerifierCommand, wish: Wish, note: @escaping @Sendable (String) -> Void) {
        (name, words) = (command.name, command.words)
        (self.wish, self.note) = (VerifierQuestion.wish(wish), note)
    }

    var isRunning: Bool { child != nil }

    /// Starts the child, and tells it what to look for. Returns why it cannot be started.
    func start() -> String? {
        guard child == nil else { return nil }
        let ends = (input.open(toChild: true, room: 1 << 20), output.open(toChild: false), errors.open(toChild: false))
        defer { for end in [ends.0, ends.1, ends.2] { if let end { close(end) } } }
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(words, pipes: [0: ends.0, 1: ends.1, 2: ends.2])
        } catch {
            closePipes()
            failures += 1
            return error.description
        }
        (outgoing, sent, incoming, cost) = (wish, 0, [], nil)
        log.begin()
        return nil
    }

    /// Sends a question with its pixels.
    func send(_ question: [UInt8], _ pixels: [UInt8]) {
        outgoing.removeFirst(sent)
        sent = 0
        outgoing += question
        outgoing += pixels
    }

    /// Records that it has answered in its form.
    func answered() { failures = 0 }

    /// What to wait for. A pipe for which there is nothing to do is left out, or its end would wake the thread without end.
    func waits(now: Seconds) -> [pollfd] {
        let isLogOpen = log.opens(after: now) == nil
        return [
            pollfd(fd: sent < outgoing.count ? input.descriptor : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: incoming.count <= Self.most ? output.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isLogOpen ? errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// When its log has something to do.
    func deadline(now: Seconds) -> Seconds? {
        [log.opens(after: now), log.deadline].compactMap { $0 }.min()
    }

    /// Reads and writes what is possible now.
    func handle(_ waits: ArraySlice<pollfd>, now: Seconds) {
        guard child != nil, waits.count == 3 else { return }
        let events = waits.map(\.revents)
        if events[0] != 0 { write() }
        if events[1] != 0 { _ = output.read { incoming += $0 } }
        if events[2] != 0 {
            // A child that floods waits in its pipe.
            let room = log.room(now: now)
            if room > 0 { _ = errors.read(room) { log.feed($0, now: now) } }
        }
        for line in log.lines(now: now) { note("\(name): \(line)") }
    }

    private func write() {
        while sent < outgoing.count {
            let count = outgoing.withUnsafeBytes { input.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            guard count > 0 else {
                // A child that reads no more has no use for the rest.
                if input.descriptor < 0 { (outgoing, sent) = ([], 0) }
                return
            }
            sent += count
        }
        (outgoing, sent) = ([], 0)
    }

    /// What it has written.
    enum Output { case line([UInt8]), nothing, tooLong, ended }

    /// Takes the next line.
    func take() -> Output {
        guard let end = incoming.firstIndex(of: 0x0A) else {
            if incoming.count > VerifierReply.longestLine { return .tooLong }
            return output.descriptor < 0 ? .ended : .nothing
        }
        defer { incoming.removeFirst(end + 1) }
        return .line(Array(incoming[..<end]))
    }

    /// Ends the child because of what it did. Returns why, with its last words.
    func fail(_ why: String, now: Seconds) -> String {
        failures += 1
        errors.drain { log.feed($0, now: now) }
        for line in log.lines(now: now, isEnd: true) { note("\(name): \(line)") }
        let last = log.last.map { " (\($0))" } ?? ""
        end()
        return why + last
    }

    /// Kills the child, and waits until it is gone.
    func end() {
        child?.end()
        child?.close()
        child = nil
        (outgoing, sent, incoming, cost) = ([], 0, [], nil)
        closePipes()
    }

    private func closePipes() {
        input.close()
        output.close()
        errors.close()
    }
}
