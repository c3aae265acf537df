import Codecs
import ExtensionKit
import Geometry
import Glibc
import Processes
import ThingFinder

/// The work of the thread that asks verifiers: one question at a time, each with one end.
final class VerifierWork: PolledWork {
    /// What the thread and the program share.
    private let inbox: VerifierInbox
    private let verifiers: [VerifierProcess]
    private var purse: VerifierPurse
    private var open: Open?
    private var isOver = false

    /// The open question.
    private struct Open {
        let question: VerifierInbox.Question
        var panel: VerifierPanel
        /// Whether the verifier whose turn it is has got it.
        var isSent = false
    }

    init(_ inbox: VerifierInbox, _ verifiers: [VerifierProcess], purse: VerifierPurse) {
        (self.inbox, self.verifiers, self.purse) = (inbox, verifiers, purse)
        // At once, so that models are loaded while the head looks round.
        for verifier in verifiers { _ = verifier.start() }
    }

    func turn() -> Bool {
        let now = SystemTime.monotonic
        while !isOver, advance(now: now) {}
        return !isOver
    }

    var deadline: Seconds? {
        let now = SystemTime.monotonic
        return (verifiers.map { $0.deadline(now: now) } + [open?.question.request.deadline]).compactMap { $0 }.min()
    }

    var waits: [pollfd] {
        let now = SystemTime.monotonic
        return verifiers.flatMap { $0.waits(now: now) }
    }

    func handle(_ waits: [pollfd]) {
        let now = SystemTime.monotonic
        for (place, verifier) in verifiers.enumerated() {
            verifier.handle(waits[(3 * place)..<(3 * place + 3)], now: now)
        }
    }

    func end() { for verifier in verifiers { verifier.end() } }

    /// Does one thing. Returns whether there may be more to do at once.
    private func advance(now: Seconds) -> Bool {
        for verifier in verifiers where verifier !== turnOf(open) && verifier.isRunning {
            if let why = listen(verifier, now: now) { return stop(why) }
        }
        guard let open else {
            guard let question = inbox.next() else { return false }
            self.open = Open(question: question, panel: VerifierPanel(count: verifiers.count))
            return true
        }
        let verifier = verifiers[open.panel.turn]
        guard now < open.question.request.deadline else {
            let seconds = Int((open.question.request.deadline - open.question.request.asked).rounded())
            return fail(verifier, "no answer within \(seconds) s", now: now)
        }
        if let why = verifier.start() { return fail(verifier, why, now: now) }
        if !open.isSent, let cost = verifier.cost {
            guard purse.reserve(cost) else { return stop(Self.spent(purse)) }
            let request = open.question.request, picture = open.question.picture
            verifier.send(
                VerifierQuestion.ask(
                    request.id, width: picture.width, height: picture.height, rect: open.question.rect,
                    seconds: request.deadline - now), picture.bytes)
            self.open?.isSent = true
        }
        switch verifier.take() {
        case .nothing: return false
        case .ended: return fail(verifier, "it has ended", now: now)
        case .tooLong: return fail(verifier, "its line is too long", now: now)
        case .line(let line):
            guard let reply = VerifierReply(line: line) else {
                return fail(verifier, "its answer cannot be read", now: now)
            }
            return receive(reply, verifier, open, now: now)
        }
    }

    private func turnOf(_ open: Open?) -> VerifierProcess? { open.map { verifiers[$0.panel.turn] } }

    /// Reads what a verifier says without being asked. Returns why it is of no use.
    private func listen(_ verifier: VerifierProcess, now: Seconds) -> String? {
        while verifier.isRunning {
            switch verifier.take() {
            case .nothing: return nil
            case .line(let line):
                switch VerifierReply(line: line) {
                case .ready(let cost) where verifier.cost == nil: verifier.cost = cost
                case .unusable(let reason): return "\(verifier.name): \(reason)"
                default: _ = verifier.fail("it speaks without being asked", now: now)
                }
            case .ended, .tooLong: _ = verifier.fail("it has ended", now: now)
            }
        }
        return nil
    }

    private func receive(_ reply: VerifierReply, _ verifier: VerifierProcess, _ open: Open, now: Seconds) -> Bool {
        let id = open.question.request.id
        switch reply {
        case .ready(let cost) where verifier.cost == nil: verifier.cost = cost
        case .unusable(let reason): return stop("\(verifier.name): \(reason)")
        case .verdict(id, let verdict) where open.isSent:
            verifier.answered()
            purse.settle(verdict.cost)
            var panel = open.panel
            guard let all = panel.receive(verdict, from: verifier.name) else {
                self.open = Open(question: open.question, panel: panel)
                return true
            }
            inbox.answer(open.question, all)
            self.open = nil
        case .failure(id, let failure) where open.isSent:
            verifier.answered()
            purse.settle(failure.cost)
            let text = "\(verifier.name): \(failure.text)"
            if failure.isFinal { return stop(text) }
            inbox.fail(open.question, text, after: failure.after)
            self.open = nil
        default: return fail(verifier, "its answer is about something else", now: now)
        }
        return true
    }

    /// Ends the open question, and the child that has spoilt it.
    private func fail(_ verifier: VerifierProcess, _ why: String, now: Seconds) -> Bool {
        if open?.isSent == true { purse.settle(nil) }
        let text = "\(verifier.name): " + verifier.fail(why, now: now)
        guard verifier.failures < VerifierProcess.mostFailures else { return stop(text) }
        if let open { inbox.fail(open.question, text, after: nil) }
        open = nil
        return true
    }

    /// Ends all questions, those that come, too.
    private func stop(_ why: String) -> Bool {
        (isOver, open) = (true, nil)
        inbox.stop(why)
        return false
    }

    private static func spent(_ purse: VerifierPurse) -> String {
        let (limit, spent) = (FindWords.money(purse.limit ?? 0), FindWords.money(purse.spent))
        return "the next question could cost more than what is left: \(spent) of \(limit) is spent"
    }
}
