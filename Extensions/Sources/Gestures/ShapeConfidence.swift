internal import Geometry

/// How certain it is that a hand shows each shape. It counts time and not frames, so that it is the same at every frame
/// rate.
struct ShapeConfidence: Sendable, Equatable {
    private var levels = [Double](repeating: 0, count: HandShape.allCases.count)
    /// The shapes that count.
    private(set) var held: Set<HandShape> = []

    /// Records what was seen for some time. Returns the shape that has become certain now, if one has.
    mutating func update(_ shape: HandShape, for time: Seconds) -> HandShape? {
        var new: HandShape?
        for (index, one) in HandShape.allCases.enumerated() where one != .none {
            let change = one == shape ? time / GestureRules.rise : -time / GestureRules.fall
            levels[index] = (levels[index] + change).clamped(to: 0...1)
            // Sums of times are not exact.
            if levels[index] >= GestureRules.on - 1e-9 {
                if held.insert(one).inserted { new = one }
            } else if levels[index] <= GestureRules.off {
                held.remove(one)
            }
        }
        return new
    }
}

/// For how long something was seen. What contradicts it counts against it, so that one wrong frame does not end it.
struct SeenTime: Sendable, Equatable {
    private(set) var time: Seconds = 0

    mutating func update(_ isSeen: Bool, for credit: Seconds, most: Seconds) {
        time = (time + (isSeen ? credit : -credit)).clamped(to: 0...most)
    }

    func reaches(_ limit: Seconds) -> Bool { time >= limit - 1e-9 }
}
