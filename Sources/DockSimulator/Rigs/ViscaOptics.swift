internal import Glibc

/// The lens of a simulated camera, which moves to its goal at a constant speed.
struct ViscaOptics: Sendable {
    /// Position, 0 ... 4000 hex, and where it is going.
    private(set) var place = 0
    var goal = 0
    /// Magnification at 4000 hex, and the exponent of its power law; 0: equal factors.
    private let longest: Double
    private let exponent: Double

    /// Positions per millisecond: 2.7 s from end to end, an estimate.
    private static let speed = 0x4000 / 2500

    /// The options select the model of the lens.
    init(options: [String: Double]) {
        longest = options["zoom_max"] ?? 1
        exponent = options["zoom_curve"] ?? 0
    }

    /// Magnification; 1 is none.
    var magnification: Double {
        let way = Double(place) / 0x4000
        guard exponent > 0, longest > 1 else { return exp(way * log(longest)) }
        let far = exp(-exponent * log(longest))
        return exp(-log(1 + way * (far - 1)) / exponent)
    }

    /// Stops where it is, as when the supply was interrupted.
    mutating func stop() { goal = place }

    /// Advances by a millisecond.
    mutating func tick() { place += max(-Self.speed, min(Self.speed, goal - place)) }
}
