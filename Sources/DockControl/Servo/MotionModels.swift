internal import Geometry
internal import Glibc

/// Where something is along one axis and how fast it moves, told by three models at once: it stands, it moves steadily, it turns and
/// stops as it likes. Which of them is right is weighed anew with every measurement (interacting multiple models, Blom and
/// Bar-Shalom 1988), so that who stands is held calmly and who sets out is followed at once, without a switch that could chatter.
struct MotionModels: Sendable, Equatable {
    /// One model's opinion.
    struct Opinion: Sendable, Equatable {
        var position: Double
        var velocity: Double
        /// Variances of both, and their covariance.
        var p00: Double, p01: Double, p11: Double
        /// How likely the model is, 0...1.
        var weight: Double
    }

    /// Stands, steady, agile.
    private(set) var opinions: [Opinion]
    private var before: [Opinion]
    /// Weighed together, radians and rad/s.
    private(set) var position: Double
    private(set) var velocity = 0.0
    /// Variance of a measurement as it has turned out to be while somebody stood, rad².
    private(set) var noise: Double

    /// How much the velocity changes, rad/s in a second (standard deviation): steadily, and as one likes.
    static let steady = Double.degrees(25), agile = Double.degrees(150)
    /// How far who stands drifts in a second (standard deviation), rad.
    static let drift = Double.degrees(0.8)
    /// How fast something may move of which nothing is known, rad/s.
    static let unknown = Double.degrees(40)
    /// How long a model stays right (time constant), seconds.
    static let persistence: Seconds = 0.7
    /// Measurements are not taken to be better or worse than this (standard deviation), rad.
    static let noises = Double.degrees(0.1)...Double.degrees(1.5)

    /// Begins at a measured place whose standard deviation is about `deviation`, radians.
    init(at position: Double, deviation: Double) {
        let noise = deviation.clamped(to: Self.noises)
        self.position = position
        self.noise = noise * noise
        opinions = [0.4, 0.3, 0.3].map {
            Opinion(position: position, velocity: 0, p00: noise * noise, p01: 0, p11: Self.unknown * Self.unknown, weight: $0)
        }
        opinions[0].p11 = 0
        before = []
        before += opinions
    }

    /// Begins anew somewhere else; what is known of the noise stays.
    mutating func seed(at place: Double) {
        let known = noise
        self = MotionModels(at: place, deviation: known.squareRoot())
        noise = known
    }

    /// Takes a measurement, `elapsed` after the last one.
    mutating func measure(_ measured: Double, after elapsed: Seconds) {
        mix(elapsed)
        var total = 0.0, standing = 0.0
        for index in opinions.indices {
            predict(index, elapsed)
            let s = opinions[index].p00 + noise, residual = measured - opinions[index].position
            if index == 0 { standing = residual * residual / s * noise }
            // A single wild one must not silence a model for good.
            let likelihood = exp(-min(residual * residual / (2 * s), 30)) / s.squareRoot()
            update(index, residual: residual, s: s)
            opinions[index].weight *= likelihood
            total += opinions[index].weight
        }
        for index in opinions.indices { opinions[index].weight = max(opinions[index].weight / total, 1e-4) }
        combine()
        if opinions[0].weight > 0.7 {
            let share = 0.04
            noise = (noise + share * (standing - noise)).clamped(
                to: Self.noises.lowerBound * Self.noises.lowerBound...Self.noises.upperBound * Self.noises.upperBound)
        }
    }

    /// Every model begins where those that may have turned into it have come to.
    private mutating func mix(_ elapsed: Seconds) {
        let stay = exp(-elapsed / Self.persistence), change = (1 - stay) / Double(opinions.count - 1)
        // One by one: the array as a whole would be copied.
        for index in opinions.indices { before[index] = opinions[index] }
        for index in opinions.indices {
            var weight = 0.0, x = 0.0, v = 0.0
            for (other, opinion) in before.enumerated() {
                let share = opinion.weight * (other == index ? stay : change)
                weight += share
                x += share * opinion.position
                v += share * opinion.velocity
            }
            (x, v) = (x / weight, v / weight)
            var p00 = 0.0, p01 = 0.0, p11 = 0.0
            for (other, opinion) in before.enumerated() {
                let share = opinion.weight * (other == index ? stay : change) / weight
                let dx = opinion.position - x, dv = opinion.velocity - v
                p00 += share * (opinion.p00 + dx * dx)
                p01 += share * (opinion.p01 + dx * dv)
                p11 += share * (opinion.p11 + dv * dv)
            }
            opinions[index] = Opinion(position: x, velocity: v, p00: p00, p01: p01, p11: p11, weight: weight)
        }
    }

    private mutating func predict(_ index: Int, _ t: Seconds) {
        if index == 0 {
            opinions[0].velocity = 0
            opinions[0].p01 = 0
            opinions[0].p11 = 0
            opinions[0].p00 += Self.drift * Self.drift * t
            return
        }
        let q = index == 1 ? Self.steady * Self.steady : Self.agile * Self.agile
        opinions[index].position += opinions[index].velocity * t
        opinions[index].p00 += t * (2 * opinions[index].p01 + t * opinions[index].p11) + q * t * t * t / 3
        opinions[index].p01 += t * opinions[index].p11 + q * t * t / 2
        opinions[index].p11 += q * t
    }

    private mutating func update(_ index: Int, residual: Double, s: Double) {
        let k0 = opinions[index].p00 / s, k1 = opinions[index].p01 / s
        opinions[index].position += k0 * residual
        opinions[index].velocity += k1 * residual
        opinions[index].p11 -= k1 * opinions[index].p01
        opinions[index].p01 *= 1 - k0
        opinions[index].p00 *= 1 - k0
    }

    private mutating func combine() {
        var total = 0.0
        (position, velocity) = (0, 0)
        for opinion in opinions {
            total += opinion.weight
            position += opinion.weight * opinion.position
            velocity += opinion.weight * opinion.velocity
        }
        position /= total
        velocity /= total
    }
}
