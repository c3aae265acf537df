internal import Geometry

/// What a search wants of its verifier, and what it still may.
struct VerifierDesk: Sendable, Equatable {
    private(set) var book: RequestBook
    private(set) var breaker = Breaker()
    private let mutant: FinderMutant?

    /// A match must be at least so sure.
    static let sure = 0.6

    init(_ settings: FinderSettings) {
        book = RequestBook(settings)
        mutant = settings.mutant
    }

    /// Whether a request may be sent now.
    func allows(now: Seconds) -> Bool { mutant == .floodsVerifier || breaker.allows(now: now) }

    /// Opens a request about the last picture of a thing, or returns nil.
    mutating func ask(about thing: Thing, now: Seconds) -> FinderRequest? { book.ask(about: thing, now: now) }

    /// Receives an answer. Returns its request and the verdict, which is nil if there is none; nil if the request has
    /// ended before.
    mutating func receive(
        _ answer: VerifierAnswer, now: Seconds
    ) -> (request: FinderRequest, word: VerifierWord?)? {
        guard let request = book.end(answer) else { return nil }
        switch answer {
        case .verdict(_, let picture, let word, let confidence):
            guard picture == request.picture, (0...1).contains(confidence) else {
                if mutant == .readsMalformedAsMatch { return (request, .match) }
                breaker.failed("its answer cannot be read", retryAfter: nil, now: now)
                return (request, nil)
            }
            breaker.succeeded()
            return (request, word == .match && confidence < Self.sure ? .unclear : word)
        case .failure(_, let text, let wanted):
            if mutant == .readsMalformedAsMatch { return (request, .match) }
            breaker.failed(text, retryAfter: wanted, now: now)
            return (request, nil)
        }
    }

    /// Ends the requests whose deadline has passed. Returns their numbers.
    mutating func expire(now: Seconds) -> [Int] {
        let late = book.overdue(now: now)
        for request in late {
            let seconds = Int((request.deadline - request.asked).rounded())
            breaker.failed("no answer within \(seconds) s", retryAfter: nil, now: now)
        }
        return late.map(\.id)
    }

    /// Drops all requests. Returns their numbers.
    mutating func dropAll() -> [Int] { book.dropAll().map(\.id) }
}
