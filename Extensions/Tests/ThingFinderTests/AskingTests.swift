import Geometry
import Testing

@testable import ThingFinder

/// Requests, their ends, and the pauses of a verifier that fails.
@Suite struct AskingTests {
    static func thing(_ id: Int = 1, time: Seconds = 1) -> Thing {
        let rect = Rect(x: 0.4, y: 0.4, width: 0.2, height: 0.2)
        let sighting = Sighting(
            bearing: .zero, width: 0.2, height: 0.2, labels: ["cup": 0.9], rect: rect, isCut: false)
        return Thing(id, sighting, in: FinderView(time: time, boxes: []), at: .zero)
    }

    static var settings: FinderSettings {
        FinderSettings(eye: RoomRecording.roomA.eye, range: RoomRecording.roomA.range)
    }

    @Test func `a request has exactly one end`() throws {
        var book = RequestBook(Self.settings)
        let first = book.ask(about: Self.thing(), now: 1), request = try #require(first)
        #expect(request.picture == 1 && request.deadline == 11)
        let answer = VerifierAnswer.verdict(request: request.id, picture: 1, .match, confidence: 1)
        let (ended, again) = (book.end(answer), book.end(answer))
        #expect(ended == request && again == nil)
        let second = book.ask(about: Self.thing(), now: 2), other = try #require(second)
        let (early, late) = (book.overdue(now: 11.9), book.overdue(now: 12))
        #expect(other.id != request.id && early.isEmpty && late == [other])
        let tooLate = book.end(.verdict(request: other.id, picture: 1, .match, confidence: 1))
        #expect(tooLate == nil)
        let third = book.ask(about: Self.thing(), now: 13), dropped = book.dropAll()
        #expect(dropped == [try #require(third)] && book.open.isEmpty)
    }

    @Test func `a thing is asked about once at a time, two things at most, and not without end`() {
        var settings = Self.settings
        settings.mostRequests = 4
        var book = RequestBook(settings)
        func asks(_ id: Int) -> Bool { book.ask(about: Self.thing(id), now: 1) != nil }
        let beginning = [asks(1), asks(1), asks(2), asks(3)]
        #expect(beginning == [true, false, true, false])
        _ = book.dropAll()
        let next = [asks(3), book.hasLeft, asks(4), book.hasLeft]
        #expect(next == [true, true, true, false])
        _ = book.dropAll()
        let last = asks(5)
        #expect(!last)
    }

    @Test func `a thing without a place in a picture cannot be asked about`() {
        var book = RequestBook(Self.settings), thing = Self.thing()
        thing.box = nil
        let request = book.ask(about: thing, now: 1)
        #expect(request == nil && book.count == 0)
    }

    @Test func `the first request may take longer, because a model may be loaded`() throws {
        var settings = Self.settings
        settings.patience = (180, 30)
        var book = RequestBook(settings)
        let asked = book.ask(about: Self.thing(), now: 0), first = try #require(asked)
        #expect(first.deadline == 180)
        // A failure does not change that: the model may still be loading.
        _ = book.end(.failure(request: first.id, "", retryAfter: nil))
        let asked2 = book.ask(about: Self.thing(), now: 5), second = try #require(asked2)
        #expect(second.deadline == 185)
        _ = book.end(.verdict(request: second.id, picture: 1, .unclear, confidence: 1))
        let third = book.ask(about: Self.thing(), now: 9)
        #expect(third?.deadline == 39)
    }

    @Test func `an answer about another picture, or with an impossible confidence, is no verdict`() throws {
        for (picture, confidence) in [(2.0, 0.9), (1, .nan), (1, 90), (1, -0.1)] {
            var desk = VerifierDesk(Self.settings)
            let asked = desk.ask(about: Self.thing(), now: 1), request = try #require(asked)
            let answer = VerifierAnswer.verdict(
                request: request.id, picture: picture, .match, confidence: confidence)
            let received = desk.receive(answer, now: 2)
            #expect(received?.request == request && received?.word == nil && !desk.allows(now: 3))
        }
    }

    @Test func `a match that is not sure is unclear`() throws {
        var desk = VerifierDesk(Self.settings)
        let asked = desk.ask(about: Self.thing(), now: 1), request = try #require(asked)
        let answer = VerifierAnswer.verdict(request: request.id, picture: 1, .match, confidence: 0.5)
        let received = desk.receive(answer, now: 2)
        #expect(received?.word == .unclear)
    }

    @Test func `pauses grow, and a verifier may ask for a longer one, within reason`() {
        var breaker = Breaker()
        #expect(breaker.allows(now: 0))
        breaker.failed("down", retryAfter: nil, now: 0)
        #expect(!breaker.allows(now: 4.9) && breaker.allows(now: 5) && breaker.problem == "down")
        breaker.failed("down", retryAfter: nil, now: 5)
        #expect(!breaker.allows(now: 15.9) && breaker.allows(now: 16))
        breaker.failed("429", retryAfter: 40, now: 16)
        #expect(!breaker.allows(now: 55) && breaker.allows(now: 56))
        for nonsense in [Double.nan, -1, 0] {
            breaker.failed("", retryAfter: nonsense, now: 100)
            #expect(!breaker.allows(now: 110) && breaker.allows(now: 111))
        }
        breaker.failed("", retryAfter: 1e9, now: 200)
        #expect(breaker.allows(now: 800))
        breaker.succeeded()
        #expect(breaker == Breaker())
    }

    @Test func `a verdict keeps its own time, whatever pictures follow`() {
        var thing = Self.thing()
        thing.verdicts.receive(.reject, picture: 1, now: 2)
        let sighting = Sighting(
            bearing: .zero, width: 0.2, height: 0.2, labels: ["cup": 0.9], rect: .full, isCut: false)
        for second in 3..<62 {
            thing.see(sighting, in: FinderView(time: Double(second), boxes: []), at: .zero)
            #expect(thing.verdicts.isRejected(now: Double(second)))
        }
        #expect(!thing.verdicts.isRejected(now: 62))
    }

    @Test func `two different pictures must match, and a rejection takes all back`() {
        var verdicts = Verdicts()
        verdicts.receive(.match, picture: 1, now: 2)
        verdicts.receive(.match, picture: 1, now: 3)
        #expect(!verdicts.isConfirmed)
        verdicts.receive(.reject, picture: 2, now: 4)
        verdicts.receive(.match, picture: 3, now: 5)
        #expect(!verdicts.isConfirmed)
        verdicts.receive(.match, picture: 4, now: 6)
        #expect(verdicts.isConfirmed)
    }

    @Test func `a thing that stays unclear is left alone for a while`() {
        var verdicts = Verdicts()
        for time in 1...2 { verdicts.receive(.unclear, picture: Double(time), now: Double(time)) }
        #expect(!verdicts.isSetAside(now: 2))
        verdicts.receive(.unclear, picture: 3, now: 3)
        #expect(verdicts.isSetAside(now: 12.9) && !verdicts.isSetAside(now: 13) && !verdicts.isRejected(now: 3))
    }
}
