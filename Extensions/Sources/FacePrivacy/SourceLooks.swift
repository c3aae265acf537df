internal import Geometry

/// The looks of one source, and what is known about it.
struct SourceLooks: Sendable {
    let name: String
    /// Ascending by exposure.
    private(set) var looks: [FaceLook] = []
    /// Whether it has ever reported a face.
    private(set) var hasShownFace = false
    /// When its last answer was read, CLOCK_MONOTONIC.
    private(set) var lastAnswer: Seconds
    /// Why an answer could not be used, and when it was read.
    private(set) var lastProblem: (problem: LookProblem, time: Seconds)?
    /// When answers were read that could not be used; CLOCK_MONOTONIC.
    private var refusals: [Seconds] = []
    /// When the newest refusal was read that is no longer in `refusals`.
    private var forgotten: Seconds = -.infinity

    /// How long a look is remembered after its arrival, in seconds.
    static let kept: Seconds = 4
    /// The maximum number of looks, and of refusals. A detector that looks at 60 pictures a second makes 240 in that
    /// time.
    static let most = 256

    init(_ name: String, now: Seconds) { (self.name, lastAnswer) = (name, now) }

    mutating func refuse(_ problem: LookProblem, now: Seconds) {
        lastAnswer = now
        lastProblem = (problem, now)
        refusals.append(now)
        while let first = refusals.first, now - first > Self.kept || refusals.count > Self.most {
            forgotten = max(forgotten, refusals.removeFirst())
        }
    }

    /// Whether an answer that could not be used was read between those of two looks. It may have been about a picture
    /// between theirs, with any faces. As it is not known which ones are forgotten, those count for all earlier times.
    func hasRefused(between a: FaceLook, _ b: FaceLook) -> Bool {
        let first = min(a.arrival, b.arrival), last = max(a.arrival, b.arrival)
        return first <= forgotten || refusals.contains { $0 >= first && $0 <= last }
    }

    /// Adds a look. A second answer about the same frame adds its faces to the first.
    mutating func add(_ look: FaceLook) {
        lastAnswer = look.arrival
        if !look.faces.isEmpty { hasShownFace = true }
        looks.removeAll { look.arrival - $0.arrival > Self.kept }
        let place = looks.lastIndex { $0.exposure <= look.exposure + FrameStamp.tolerance }.map { $0 + 1 } ?? 0
        if place > 0, looks[place - 1].isOfSameFrame(as: look) {
            merge(look, into: place - 1)
        } else {
            looks.insert(look, at: place)
            if looks.count > Self.most { looks.removeFirst() }
        }
    }

    private mutating func merge(_ look: FaceLook, into place: Int) {
        guard looks[place].faces.count + look.faces.count <= FaceLook.mostFaces else {
            // The frame is as good as not looked at.
            looks.remove(at: place)
            return refuse(.crowded, now: look.arrival)
        }
        looks[place].faces += look.faces
        looks[place].arrival = look.arrival
        if looks[place].aspect == nil { looks[place].aspect = look.aspect }
    }
}
