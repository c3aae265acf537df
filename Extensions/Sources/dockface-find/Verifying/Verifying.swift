import DockClient
import DockTypes
import ExtensionKit
import Processes
import Synchronization
import ThingFinder

/// The verifiers of a running search.
final class Verifying: Sendable {
    private let plan: VerifierPlan
    private let board: PictureBoard
    private let inbox: VerifierInbox
    private let thread: PollThread
    private let news: VerdictList

    /// The name of the daemon's sign that pictures leave the robot.
    static let sign = "live"

    /// Starts the verifiers.
    /// - Parameter put: passes their answers to the search.
    /// - Throws: `cannotOpen` if the system has no descriptors or threads left.
    init(
        _ plan: VerifierPlan, _ wish: Wish, board: PictureBoard, log: ExtensionLog,
        put: @escaping @Sendable (FinderEvent) -> Void
    ) throws(DockError) {
        guard let thread = PollThread(name: "verifiers") else { throw Self.noRoom }
        let news = VerdictList(), inbox = VerifierInbox(put: put) { news.add($0) }
        (self.plan, self.board, self.thread, self.news, self.inbox) = (plan, board, thread, news, inbox)
        let limit = plan.model.flatMap { $0.money > 0 ? $0.money : nil }
        let isStarted = thread.start {
            let verifiers = plan.commands.map { VerifierProcess($0, wish: wish) { log.note($0) } }
            return VerifierWork(inbox, verifiers, purse: VerifierPurse(limit: limit))
        }
        guard isStarted else { throw Self.noRoom }
    }

    private static var noRoom: DockError {
        DockError(.cannotOpen, "the system has no room for verifiers", hint: "end other programs")
    }

    /// Says on the robot's screen and in the log that pictures leave the robot, if they do.
    /// - Throws: `configuration` if no screen shows it and its owner wants one; the errors of the daemon.
    func announce(_ dock: Dock, _ log: ExtensionLog) async throws(DockError) {
        guard let model = plan.model else { return }
        let limit = model.money > 0 ? " and \(FindWords.money(model.money)) of money" : ""
        log.note(
            "asks \(model.model) at \(model.host), with pictures of things (faces are \(plan.showsFaces ? "visible" : "covered")), "
                + "at most \(plan.mostRequests) times\(limit)")
        guard plan.sendsAway else { return }
        if !model.address.hasPrefix("https:") {
            log.warning("the pictures are sent without encryption: everyone in the network can see them")
        }
        let isShown = try await dock.setIndicator(Self.sign, .on, text: "asks a model")
        guard isShown || !model.needsScreen else {
            throw DockError(
                .configuration, "no screen of this robot can show that pictures are sent, so none are",
                hint: "llm.sign = \"none\" in find.toml sends them without one")
        }
    }

    /// Asks about a picture.
    func ask(_ request: FinderRequest) {
        guard
            let part = board.part(
                request.rect, time: request.picture, sequence: request.sequence, side: VerifierQuestion.side)
        else {
            return inbox.miss(request)
        }
        inbox.ask(VerifierInbox.Question(request: request, picture: part.picture, rect: part.rect))
        thread.wake()
    }

    /// Forgets a question.
    func drop(_ request: Int) { inbox.drop(request) }

    /// Takes the verdicts since the last call, to show them.
    func takeNews() -> [VerifierReply.Verdict] { news.take() }

    /// Ends the verifiers.
    func end() { thread.stop() }
}

/// Verdicts that wait to be shown, the newest eight.
private final class VerdictList: Sendable {
    private let verdicts = Mutex<[VerifierReply.Verdict]>([])

    func add(_ verdict: VerifierReply.Verdict) {
        verdicts.withLock { verdicts in
            if verdicts.count >= 8 { verdicts.removeFirst() }
            verdicts.append(verdict)
        }
    }

    func take() -> [VerifierReply.Verdict] {
        verdicts.withLock { verdicts in
            defer { verdicts = [] }
            return verdicts
        }
    }
}
