internal import Geometry
internal import RobotFace

/// Decides which face is shown: a person's choice, a random one, or one that events choose (a person appeared, all
/// people left).
struct Mood: Sendable {
    private(set) var expression = Expression.normal
    private(set) var isRandom = false
    /// Whether a battery is low. If so, the face is tired unless a person has chosen one.
    private(set) var isTired = false
    /// Whether the dock has a fault or is latched. This takes precedence over all other causes, including a person's
    /// choice.
    private(set) var isHurt = false
    /// The face that a person chose before or during that time, or nil if there is none.
    private var chosenBefore: Expression?
    /// When a person's choice ends, or nil if there is no choice.
    private var chosenUntil: Seconds?
    private var nextRandom: Seconds = 0
    private let expressions: ExpressionBook
    private var reactions = Reactions()
    private var random: SplitMix

    /// The times alone after which the face is curious, calm again, and sleepy, in seconds.
    static let curious: Seconds = 2, calm: Seconds = 8, sleepy: Seconds = 120
    /// The time between random faces, in seconds.
    static let randomTime: ClosedRange<Seconds> = 5...15

    /// The time for which a face that a tap or a key chose remains, in seconds. After that the daemon chooses again.
    static let passing: Seconds = 3

    init(seed: UInt64, expressions: ExpressionBook = ExpressionBook()) {
        random = SplitMix(state: seed)
        self.expressions = expressions
    }

    /// Records a person's choice. It lasts `duration` seconds, or until `goOn` if that is infinite. While the dock is
    /// stopped, the choice waits.
    mutating func choose(_ new: Expression, now: Seconds, for duration: Seconds = .infinity) {
        chosenUntil = now + duration
        isRandom = false
        if isHurt { chosenBefore = new } else { (expression, chosenBefore) = (new, nil) }
    }

    /// Switches random faces on or off. Returns the face to show when they end, if it changes.
    mutating func random(_ on: Bool, now: Seconds) -> Expression? {
        guard on != isRandom else { return nil }
        isRandom = on
        nextRandom = now
        return on ? nil : resumeAutomatic(now: now)
    }

    /// Ends any choice, so that events choose again. Returns the face to show, if it changes.
    mutating func resumeAutomatic(now: Seconds) -> Expression? {
        (chosenUntil, chosenBefore, isRandom) = (nil, nil, false)
        let name = reactions.lastSeen.flatMap { lonely(now - $0) } ?? "normal"
        return automatic(name)
    }

    /// Records whether a battery is low. Returns the face to show, if it changes.
    mutating func setBatteryLow(_ on: Bool) -> Expression? {
        guard on != isTired else { return nil }
        isTired = on
        return automatic("normal")
    }

    /// Records whether the dock has a fault or is latched. Returns the face to show, if it changes.
    mutating func setFaulted(_ on: Bool) -> Expression? {
        guard on != isHurt else { return nil }
        isHurt = on
        if on { chosenBefore = chosenUntil == nil ? nil : expression }
        guard !on, let before = chosenBefore else { return automatic("normal") }
        chosenBefore = nil
        expression = before
        return before
    }

    /// Records that a person is in view. Returns the face to show, if it changes.
    mutating func sees(_ sight: Sight, now: Seconds) -> Expression? {
        return automatic(reactions.sees(sight, now: now))
    }

    /// Advances the time. Returns the face to show, if it changes.
    mutating func tick(now: Seconds) -> Expression? {
        if isRandom {
            guard now >= nextRandom, !isHurt else { return nil }
            let span = Self.randomTime
            nextRandom = now + span.lowerBound + random.unit() * (span.upperBound - span.lowerBound)
            // Any of the other expressions is chosen.
            let all = expressions.all, step = 1 + Int(random.unit() * Double(all.count - 1))
            expression = all[(expression.index - 1 + step) % all.count]
            return expression
        }
        if let chosenUntil {
            guard now >= chosenUntil else { return nil }
            return resumeAutomatic(now: now)
        }
        guard let lastSeen = reactions.lastSeen, let name = lonely(now - lastSeen) else { return nil }
        return automatic(name)
    }

    /// Returns the face after this time without people, or nil if the time is too short to show.
    private func lonely(_ alone: Seconds) -> String? {
        alone > Self.sleepy ? "sleepy" : alone > Self.calm ? "normal" : alone > Self.curious ? "curiosity" : nil
    }

    private mutating func automatic(_ wanted: String) -> Expression? {
        let name = isHurt ? "sad" : isTired ? "sleepy" : wanted
        guard isHurt || (chosenUntil == nil && !isRandom), expression.name != name, let new = Expression(named: name)
        else {
            return nil
        }
        expression = new
        return new
    }
}

/// A small seeded generator: the same seed gives the same faces.
struct SplitMix: Sendable {
    var state: UInt64

    /// Returns a number in 0..<1.
    mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
    }
}
