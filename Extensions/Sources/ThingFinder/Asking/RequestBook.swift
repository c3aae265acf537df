internal import Geometry

/// The requests of a search. Each has exactly one end: a verdict, an error, its deadline, or that it is dropped.
struct RequestBook: Sendable, Equatable {
    private(set) var open: [FinderRequest] = []
    /// How many were asked.
    private(set) var count = 0
    private var lastID = 0, hasAnswered = false
    private let most: Int, patience: (first: Seconds, later: Seconds)
    private let mutant: FinderMutant?

    /// The most requests that wait at one time.
    static let mostOpen = 2

    init(_ settings: FinderSettings) {
        (most, patience, mutant) = (settings.mostRequests, settings.patience, settings.mutant)
    }

    /// Whether there are requests left.
    var hasLeft: Bool { count < most }

    /// Returns the request about a thing that waits for its answer.
    func open(about thing: Int) -> FinderRequest? { open.first { $0.thing == thing } }

    /// Opens a request about the last picture of a thing. The result is nil if none is left, too many wait, or the thing
    /// has no place in a picture.
    mutating func ask(about thing: Thing, now: Seconds) -> FinderRequest? {
        guard hasLeft, open.count < Self.mostOpen, open(about: thing.id) == nil, let box = thing.box else { return nil }
        (lastID, count) = (lastID + 1, count + 1)
        let request = FinderRequest(
            id: lastID, thing: thing.id, picture: box.time, sequence: box.sequence, rect: box.rect,
            bearing: thing.bearing, asked: now, deadline: now + (hasAnswered ? patience.later : patience.first))
        open.append(request)
        return request
    }

    /// Ends a request with its answer. The result is nil if it has ended before, or never was.
    mutating func end(_ answer: VerifierAnswer) -> FinderRequest? {
        guard let place = open.firstIndex(where: { $0.id == answer.request }) else { return nil }
        // A failure says nothing about how long the first answer takes.
        if case .verdict = answer { hasAnswered = true }
        return open.remove(at: place)
    }

    /// Ends the requests whose deadline has passed.
    mutating func overdue(now: Seconds) -> [FinderRequest] {
        guard mutant != .waitsWithoutEnd else { return [] }
        let late = open.filter { now >= $0.deadline }
        open.removeAll { now >= $0.deadline }
        return late
    }

    /// Drops all requests.
    mutating func dropAll() -> [FinderRequest] {
        defer { open = [] }
        return open
    }

    /// When the next deadline is, or nil if none waits.
    var deadline: Seconds? { open.map(\.deadline).min() }

    static func == (a: RequestBook, b: RequestBook) -> Bool {
        a.open == b.open && a.count == b.count && a.lastID == b.lastID && a.hasAnswered == b.hasAnswered
    }
}
