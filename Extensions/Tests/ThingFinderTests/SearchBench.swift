import Geometry

@testable import ThingFinder

/// A room as a detector sees it.
protocol SeenRoom: Sendable {
    /// What is in it, for the judge and the scripted verifier.
    var things: [RoomRecording.Truth] { get }
    var range: PoseRange { get }
    var eye: FinderEye { get }
    /// Returns what the detector says from a pose, while the head turns at this rate in rad/s.
    func boxes(at pose: PanTilt, rate: Double) -> [SeenBox]
}

extension RoomRecording: SeenRoom {}

/// What a verifier does with a request.
struct ScriptedAnswer {
    /// When it answers, in seconds after the request, and what. Several answers, or none, are possible.
    var answers: [(after: Seconds, VerifierAnswer)] = []
}

/// A search in virtual time: a head, a camera with a detector, and a scripted verifier.
struct SearchBench {
    let room: any SeenRoom
    private(set) var finder: Finder
    private(set) var head: SimulatedHead
    private(set) var now: Seconds = 100
    /// What happened.
    private(set) var actions: [(time: Seconds, FinderAction)] = []
    private(set) var requests: [FinderRequest] = []
    private(set) var phases: [(time: Seconds, FinderPhase)] = []
    /// When each request ended, by its number.
    private(set) var ends: [Int: Seconds] = [:]
    /// Answers to requests.
    var verifier: (FinderRequest, SearchBench) -> ScriptedAnswer
    /// Changes what the detector says, or drops it.
    var detector: ([SeenBox], SearchBench) -> [SeenBox]? = { boxes, _ in boxes }

    private var pending: [(due: Seconds, FinderEvent)] = []
    private var nextPicture: Seconds, nextReport: Seconds
    private var sequence = 0

    /// The camera's period, the detector's time, and the verifier's, in seconds.
    static let period = 0.1, latency = 0.09, thought = 0.4
    static let step = 0.01

    init(
        _ room: any SeenRoom = RoomRecording.roomA, find wish: Wish, from pose: PanTilt, wanted: RoomRecording.Truth?,
        change: (inout FinderSettings) -> Void = { _ in }
    ) {
        self.room = room
        var settings = FinderSettings(eye: room.eye, range: room.range)
        (settings.pace, settings.hasVerifier, settings.timeLimit) = (SimulatedHead.pace, wanted != nil, 150)
        change(&settings)
        finder = Finder(wish, settings, now: 100)
        head = SimulatedHead(at: pose, pace: settings.pace)
        (nextPicture, nextReport) = (100, 100)
        verifier = { request, _ in Self.truth(request, wanted) }
    }

    /// The verdict by the truth under the crop's bearing.
    static func word(_ request: FinderRequest, _ wanted: RoomRecording.Truth?) -> VerifierWord {
        guard let wanted else { return .reject }
        return request.bearing.angle(to: wanted.bearing) < wanted.width / 2 ? .match : .reject
    }

    static func truth(_ request: FinderRequest, _ wanted: RoomRecording.Truth?) -> ScriptedAnswer {
        let word = word(request, wanted)
        return ScriptedAnswer(
            answers: [(thought, .verdict(request: request.id, picture: request.picture, word, confidence: 0.9))])
    }

    /// Someone holds the head.
    mutating func hold() { head.isHeld = true }

    /// How long the search has taken.
    var elapsed: Seconds { now - 100 }

    /// Hands an event to the finder, and carries out what it wants.
    mutating func send(_ event: FinderEvent) {
        let open = finder.desk.book.open.map(\.id)
        let wanted = finder.handle(event, now: now)
        for action in wanted {
            actions.append((now, action))
            switch action {
            case .look(let pose): head.target = pose
            case .ask(let request):
                requests.append(request)
                for (after, answer) in verifier(request, self).answers {
                    pending.append((now + after, .answer(answer)))
                }
            case .drop, .mood, .say, .remember, .missed, .end: break
            }
        }
        for id in open where !finder.desk.book.open.contains(where: { $0.id == id }) { ends[id] = now }
        if phases.last?.1 != finder.phase { phases.append((now, finder.phase)) }
    }

    /// Lets time pass.
    mutating func advance() {
        now += Self.step
        head.step(Self.step)
        if now >= nextReport {
            nextReport += 0.05
            send(.head(HeadPose(time: now, pose: head.pose, rate: head.rate)))
            send(.tick)
        }
        if now >= nextPicture {
            nextPicture += Self.period
            sequence += 1
            if let boxes = detector(room.boxes(at: head.pose, rate: head.rate), self) {
                let view = FinderView(sequence: sequence, time: now, boxes: boxes)
                pending.append((now + Self.latency, .view(view)))
            }
        }
        let due = pending.filter { $0.due <= now }
        pending.removeAll { $0.due <= now }
        for (_, event) in due { send(event) }
    }

    /// Runs until the search ends, or this time has passed. Returns how it ended.
    @discardableResult
    mutating func run(most: Seconds = 200) -> FinderOutcome? {
        let end = now + most
        while finder.outcome == nil, now < end { advance() }
        return finder.outcome
    }

    /// Runs until something is true. Returns whether it became true in time.
    @discardableResult
    mutating func run(most: Seconds = 200, until isTrue: (SearchBench) -> Bool) -> Bool {
        let end = now + most
        while now < end, !isTrue(self) { advance() }
        return isTrue(self)
    }

    /// When the thing was found, in seconds after the beginning, and where.
    var found: (time: Seconds, bearing: PanTilt)? {
        for case (let time, .remember(let thing)) in actions { return (time - 100, thing.bearing) }
        return nil
    }

    /// Whether what was found is this thing.
    func isRight(_ wanted: RoomRecording.Truth) -> Bool {
        found.map { $0.bearing.angle(to: wanted.bearing) < .degrees(5) } ?? false
    }
}
