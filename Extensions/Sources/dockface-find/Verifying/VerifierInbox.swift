import Codecs
import Geometry
import Synchronization
import ThingFinder

/// What the search and the thread of the verifiers share: questions, and their ends.
final class VerifierInbox: Sendable {
    /// A question with its picture.
    struct Question: Sendable {
        let request: FinderRequest
        /// The thing with a margin, and where the thing is in it, normalised.
        let picture: RGBPicture, rect: Rect
    }

    private let waiting = Mutex<[Question]>([])
    /// Why no question can be answered any more, or nil.
    private let over = Mutex<String?>(nil)
    private let put: @Sendable (FinderEvent) -> Void
    private let tell: @Sendable (VerifierReply.Verdict) -> Void

    /// The most questions that wait. The search has two at a time.
    private static let most = 4

    /// - Parameters:
    ///   - put: passes an event to the search.
    ///   - tell: shows a verdict to a person.
    init(put: @escaping @Sendable (FinderEvent) -> Void, tell: @escaping @Sendable (VerifierReply.Verdict) -> Void) {
        (self.put, self.tell) = (put, tell)
    }

    /// Adds a question.
    func ask(_ question: Question) {
        if let why = over.withLock({ $0 }) { return fail(question, why, after: nil) }
        let isFull = waiting.withLock { waiting in
            guard waiting.count < Self.most else { return true }
            waiting.append(question)
            return false
        }
        if isFull { fail(question, "too many questions wait", after: nil) }
    }

    /// Forgets a question that does not matter any more, if it was not asked yet.
    func drop(_ request: Int) { waiting.withLock { $0.removeAll { $0.request.id == request } } }

    func next() -> Question? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func answer(_ question: Question, _ verdict: VerifierReply.Verdict) {
        tell(verdict)
        put(
            .answer(
                .verdict(
                    request: question.request.id, picture: question.request.picture, verdict.word,
                    confidence: verdict.confidence)))
    }

    func fail(_ question: Question, _ text: String, after: Seconds?) {
        put(.answer(.failure(request: question.request.id, text, retryAfter: after)))
    }

    /// Ends a request whose picture is not there. The camera may be starting, or too slow for the detector.
    func miss(_ request: FinderRequest) {
        put(.answer(.failure(request: request.id, "the picture of the thing is missing", retryAfter: nil)))
    }

    func stop(_ why: String) {
        over.withLock { $0 = why }
        waiting.withLock { $0 = [] }
        put(.unusable(why))
    }
}
