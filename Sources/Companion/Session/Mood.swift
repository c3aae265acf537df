internal import Geometry
internal import RobotFace

/// Which face is shown: chosen by a person, at random, or by what happens (somebody came, everybody left).
struct Mood: Sendable {
    private(set) var expression = Expression.normal
    private(set) var isRandom = false
    /// A battery is low: what nobody chose is a tired face.
    private(set) var isTired = false
    /// The dock has a fault: that shows before everything else that nobody chose.
    private(set) var isHurt = false
    private var isAutomatic = true
    private var nextRandom: Seconds = 0
    private let expressions: ExpressionBook
    private var reactions = Reactions()
    private var random: SplitMix

    /// Alone for so long: curious, calm again, sleepy; seconds.
    static let curious: Seconds = 2, calm: Seconds = 8, sleepy: Seconds = 120
    /// Random faces follow each other after so long, seconds.
    static let randomTime: ClosedRange<Seconds> = 5...15

    init(seed: UInt64, expressions: ExpressionBook = ExpressionBook()) {
        random = SplitMix(state: seed)
        self.expressions = expressions
    }

    /// A person chose; from now on nothing else changes it.
    mutating func choose(_ new: Expression, now: Seconds) {
        expression = new
        isAutomatic = false
        isRandom = false
    }

    mutating func random(_ on: Bool, now: Seconds) {
        isRandom = on
        nextRandom = now
    }

    /// A battery is low, or no longer; the face to show, if it changes.
    mutating func tire(_ on: Bool) -> Expression? {
        guard on != isTired else { return nil }
        isTired = on
        return automatic("normal")
    }

    /// The dock has a fault, or no longer; the face to show, if it changes.
    mutating func hurt(_ on: Bool) -> Expression? {
        guard on != isHurt else { return nil }
        isHurt = on
        return automatic("normal")
    }

    /// Somebody is seen; the face to show, if it changes.
    mutating func sees(_ sight: Sight, now: Seconds) -> Expression? {
        return automatic(reactions.sees(sight, now: now))
    }

    /// Time passed; the face to show, if it changes.
    mutating func tick(now: Seconds) -> Expression? {
        if isRandom {
            guard now >= nextRandom else { return nil }
            let span = Self.randomTime
            nextRandom = now + span.lowerBound + random.unit() * (span.upperBound - span.lowerBound)
            // Any of the others.
            let all = expressions.all, step = 1 + Int(random.unit() * Double(all.count - 1))
            expression = all[(expression.index - 1 + step) % all.count]
            return expression
        }
        guard let lastSeen = reactions.lastSeen else { return nil }
        let alone = now - lastSeen
        if alone > Self.sleepy { return automatic("sleepy") }
        if alone > Self.calm { return automatic("normal") }
        if alone > Self.curious { return automatic("curiosity") }
        return nil
    }

    private mutating func automatic(_ wanted: String) -> Expression? {
        let name = isHurt ? "sad" : isTired ? "sleepy" : wanted
        guard isAutomatic, !isRandom, expression.name != name, let new = Expression(named: name) else { return nil }
        expression = new
        return new
    }
}

/// A small seeded generator: the same seed gives the same faces.
struct SplitMix: Sendable {
    var state: UInt64

    /// 0..<1.
    mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
    }
}
