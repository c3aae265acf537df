public import Geometry

/// What the hands of a person mean for the head. Frames and times go in, intents come out.
///
/// It is off until a person arms it. Only an open palm acts at once, because it stops. Before anything moves, two
/// different gestures must follow each other beside the face of the followed person.
public struct GestureReader: Sendable, Equatable {
    /// A shape that was understood, and when it was seen last.
    struct Understood: Sendable, Equatable {
        var shape: HandShape
        var time: Seconds
    }

    /// What the hand does to the head.
    enum Phase: Sendable, Equatable {
        /// Nothing.
        case idle
        /// A palm was held: a hand that closes now moves the head. `palm`: when the palm was seen last.
        case ready(palm: Seconds, closed: SeenTime)
        /// The head follows the hand.
        case driving(HandDrive)
        /// The head looks where a finger pointed, until then; afterwards it returns to `home`.
        case looking(until: Seconds, home: PanTilt)
        /// The head returns from there, until then.
        case returning(until: Seconds)
    }

    /// Whether gestures have an effect.
    public private(set) var isArmed = false
    var phase = Phase.idle
    var choice = HandChoice()
    var confidence = ShapeConfidence()
    var palm = SeenTime()
    /// Whether the palm that is seen has stopped the head already.
    var hasStopped = false
    var pointing = SteadyPoint()
    var wave = WaveCount()
    /// The last gesture.
    var understood: Understood?
    /// When a gesture was understood last, or the reader was armed.
    private var use: Seconds = 0
    /// The time of the last frame, and when it came.
    private var frameTime: Seconds = -.infinity, frameArrival: Seconds = -.infinity

    /// Creates a reader that is off.
    public init() {}

    /// Whether the head moves because of a gesture, or holds the right to do so.
    public var isEngaged: Bool {
        switch phase {
        case .idle, .ready: false
        case .driving, .looking, .returning: true
        }
    }

    /// Lets gestures have an effect, on behalf of a person.
    public mutating func arm(now: Seconds) { (self, isArmed, use) = (GestureReader(), true, now) }

    /// Ends the effect of gestures.
    public mutating func disarm(_ end: GestureEnd = .over) -> [GestureIntent] {
        let intents = isEngaged ? release(end) : []
        self = GestureReader()
        return intents
    }

    /// Records that something else has ended the motion, or that it was refused.
    public mutating func interrupted(_ why: String) -> [GestureIntent] {
        isEngaged ? release(.interrupted(why)) : []
    }

    /// Reads a frame. A frame that is not newer than the last one, or not of this moment, is left out.
    public mutating func update(_ frame: HandFrame, now: Seconds) -> [GestureIntent] {
        guard isArmed, abs(frame.time - now) < GestureRules.oldest, frame.time > frameTime else { return [] }
        var intents: [GestureIntent] = []
        let gap = frame.time - frameTime
        if gap > GestureRules.silence {
            // What was before the gap counts no more, because the hand may have done anything meanwhile.
            if frameTime.isFinite, case .driving = phase { intents += release(.silent) }
            forget()
        }
        (frameTime, frameArrival) = (frame.time, now)
        let credit = gap > GestureRules.silence ? 0 : min(gap, GestureRules.mostCredit)
        intents += read(frame, for: credit, now: now)
        return intents + tick(now: now)
    }

    /// Does what is due without a frame.
    public mutating func tick(now: Seconds) -> [GestureIntent] {
        guard isArmed else { return [] }
        switch phase {
        case .driving where now - frameArrival > GestureRules.silence:
            defer { forget() }
            return release(.silent)
        case .driving(let drive) where now - frameArrival > drive.patience: return wait()
        case .looking(let until, let home) where now >= until:
            phase = .returning(until: now + GestureRules.back)
            return [.aim(home)]
        case .returning(let until) where now >= until:
            phase = .idle
            return [.release, .cue(.release)]
        case .idle, .ready:
            guard now - use >= GestureRules.idle else { return [] }
            return disarm() + [.cue(.disarmed), .note(.understood(.disarmed))]
        default: return []
        }
    }

    private mutating func read(_ frame: HandFrame, for credit: Seconds, now: Seconds) -> [GestureIntent] {
        var intents: [GestureIntent] = []
        let chosen = choice.choose(frame)
        if chosen?.isSame != true {
            if case .driving = phase { intents += release(chosen == nil ? .lost : .jumped) }
            // Another hand begins from nothing.
            if chosen != nil { forgetShapes() }
        }
        let shape = chosen.map { HandShape($0.hand) } ?? .none
        intents += stops(shape, for: credit, now: now)
        let new = confidence.update(shape, for: credit)
        if let last = understood, confidence.held.contains(last.shape) { understood?.time = frame.time }
        let hand = chosen.map { ReadHand(joints: $0.hand, shape: shape, frame: frame) }
        switch phase {
        case .driving(let drive): if let hand { intents += follow(drive, hand, for: credit, now: now) }
        case .looking, .returning: break
        case .idle, .ready:
            if let new { intents += understand(new, hand, now: now) }
            intents += close(hand, at: frame.time, for: credit, now: now)
            intents += point(hand, at: frame.time, for: credit, now: now)
            intents += greet(hand, at: frame.time, now: now)
        }
        return intents
    }

    /// An open palm stops the head, wherever it is.
    private mutating func stops(_ shape: HandShape, for credit: Seconds, now: Seconds) -> [GestureIntent] {
        palm.update(shape == .palm, for: credit, most: GestureRules.stop)
        if palm.time == 0 { hasStopped = false }
        guard palm.reaches(GestureRules.stop), !hasStopped else { return [] }
        hasStopped = true
        use = now
        var intents: [GestureIntent] = [.stop]
        if isEngaged {
            phase = .idle
            intents.append(.release)
        }
        return intents + [.cue(.stop), .note(.understood(.stop))]
    }

    /// Records that a gesture was understood.
    mutating func used(_ shape: HandShape, at time: Seconds, now: Seconds) {
        (understood, use) = (Understood(shape: shape, time: time), now)
    }

    /// Records that the head moves because of a gesture.
    mutating func isUsed(now: Seconds) { use = now }

    /// Whether another gesture came before this one.
    func follows(_ shape: HandShape, at time: Seconds) -> Bool {
        understood.map { $0.shape != shape && time - $0.time <= GestureRules.sequence } ?? false
    }

    /// Ends the motion.
    mutating func release(_ end: GestureEnd) -> [GestureIntent] {
        // The hand that was closed must not count as a gesture before the next one.
        forgetShapes()
        phase = .idle
        return [.release, .cue(.release), .note(.released(end))]
    }

    /// Forgets the hand, and what it has shown.
    private mutating func forget() {
        forgetShapes()
        (palm, hasStopped) = (SeenTime(), false)
        choice.forget()
    }

    /// Forgets what a hand has shown, except that a palm stops.
    private mutating func forgetShapes() {
        (confidence, pointing, wave, understood) = (ShapeConfidence(), SteadyPoint(), WaveCount(), nil)
        if case .ready = phase { phase = .idle }
    }
}
