internal import Geometry

/// How often a palm has turned back while it moves from side to side.
struct WaveCount: Sendable, Equatable {
    /// The place at which the hand turned last, or the farthest one since, in picture heights.
    private var extreme: Double?
    /// Whether the hand moves to the right, or nil before it has moved.
    private var isRight: Bool?
    /// When it has turned back.
    private var turns: [Seconds] = []

    /// Records where a palm is. Returns true once it has waved.
    mutating func update(_ hand: HandJoints, at time: Seconds) -> Bool {
        let x = hand.middle.x, step = GestureRules.waving * hand.palm
        guard let extreme else {
            self.extreme = x
            return false
        }
        let moved = (x - extreme) * (isRight == false ? -1 : 1)
        if isRight == nil {
            guard abs(moved) >= step else { return false }
            (isRight, self.extreme) = (moved > 0, x)
        } else if moved > 0 {
            self.extreme = x
        } else if -moved >= step {
            (isRight, self.extreme) = (isRight == false, x)
            turns = turns.filter { time - $0 <= GestureRules.wave } + [time]
        }
        guard turns.count >= GestureRules.turns else { return false }
        self = WaveCount()
        return true
    }
}
