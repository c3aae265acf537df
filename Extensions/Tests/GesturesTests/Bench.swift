import Geometry

@testable import Gestures

/// A person in front of a camera, a reader, and what it wanted and when. Times are virtual.
struct Bench {
    var reader = GestureReader()
    var rate = 30.0
    /// The followed face: 0.2 heights wide, left of the usual hand.
    var face: Rect? = Rect(x: 0.45, y: 0.25, width: 0.15, height: 0.2)
    var pose: PanTilt? = .zero
    var sight = HandSight(aspect: 4.0 / 3, focal: Point(x: 0.9, y: 1.2), heading: .zero)
    private(set) var now = 100.0
    private(set) var intents: [(time: Seconds, intent: GestureIntent)] = []

    init(rate: Double = 30, isArmed: Bool = true) {
        self.rate = rate
        if isArmed { reader.arm(now: now) }
    }

    /// The wrist of a hand beside the face, in picture heights.
    static let beside = Point(x: 0.95, y: 0.6)

    /// Shows hands for some time.
    mutating func show(_ hands: [DrawnHand], for time: Seconds) {
        let end = now + time - 0.5 / rate, seen = hands.map(\.seen)
        while now < end { frame(seen) }
    }

    mutating func show(_ shape: HandShape, for time: Seconds, at wrist: Point = beside) {
        show([DrawnHand(shape: shape, wrist: wrist)], for: time)
    }

    /// Shows one frame.
    mutating func frame(_ hands: [SeenHand]) {
        now += 1 / rate
        record(reader.update(frame(of: hands, at: now), now: now))
    }

    func frame(of hands: [SeenHand], at time: Seconds) -> HandFrame {
        HandFrame(time: time, hands: hands, face: face, sight: sight, pose: pose)
    }

    /// Lets time pass without frames.
    mutating func wait(_ time: Seconds) {
        let end = now + time
        while now < end {
            now = min(now + 0.02, end)
            record(reader.tick(now: now))
        }
    }

    mutating func record(_ new: [GestureIntent]) { intents += new.map { (now, $0) } }

    /// Forgets what was wanted so far, and begins to measure time.
    mutating func begin() -> Seconds {
        intents = []
        return now
    }

    /// What was wanted, without notes and sounds.
    var acts: [GestureIntent] {
        intents.map(\.intent).filter {
            switch $0 {
            case .cue, .note: false
            default: true
            }
        }
    }

    /// What moves the head.
    var motions: [GestureIntent] {
        acts.filter {
            switch $0 {
            case .engage, .aim, .drag, .animate: true
            default: false
            }
        }
    }

    /// Where the head should look.
    var aims: [PanTilt] {
        intents.compactMap { entry in
            switch entry.intent {
            case .aim(let pose), .drag(let pose): pose
            default: nil
            }
        }
    }

    func time(of intent: GestureIntent) -> Seconds? { intents.first { $0.intent == intent }?.time }

    /// Puts the clutch in.
    mutating func engage(_ closed: HandShape = .fist) {
        show(.palm, for: 1.2)
        show(closed, for: 0.4)
    }
}

/// Random numbers from a seed.
struct Dice: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
