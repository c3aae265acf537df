internal import Geometry
internal import Glibc

/// The position and motion along one axis, estimated by three models at once: the subject is stationary, it moves
/// steadily, or it manoeuvres (Singer 1970). Every measurement updates the models' probabilities
/// (interacting multiple models, Blom and Bar-Shalom 1988). A stationary person is followed calmly, and a person who
/// starts to move is followed at once, without a switch that could chatter.
struct MotionModels: Sendable, Equatable {
    /// The estimate of one model: position, velocity, acceleration, their covariances, and the probability of the
    /// model, 0...1.
    struct ModelState: Sendable, Equatable {
        var x: Double, v = 0.0, a = 0.0
        var xx: Double, xv = 0.0, xa = 0.0, vv = 0.0, va = 0.0, aa = 0.0
        var weight: Double
    }

    /// The models in order: stationary, steady, agile.
    private var states: [ModelState]
    private var before: [ModelState]
    /// The weighted mean of the models, in rad, rad/s and rad/s².
    private(set) var position: Double
    private(set) var velocity = 0.0
    private(set) var acceleration = 0.0
    /// The degree to which the motion is steady, as opposed to turning and stopping, 0...1.
    private(set) var steadiness = 1.0
    /// The variance of a measurement, estimated while the subject is stationary, in rad².
    private(set) var noise: Double

    /// The change of a steady velocity in a second (standard deviation), in rad/s.
    static let steady = Double.degrees(3)
    /// The probability relative to the agile model above which a motion counts as fully steady.
    static let believed = 0.6
    /// The acceleration of people (standard deviation, rad/s²), and how long it lasts (time constant, seconds).
    static let agile = Double.degrees(150), swing: Seconds = 0.8
    /// The drift of a stationary person in a second (standard deviation), in radians.
    static let drift = Double.degrees(0.4)
    /// The speed of an unknown subject (standard deviation), in rad/s.
    static let unknown = Double.degrees(40)
    /// How long each model remains valid (time constants), in seconds.
    static let persistence: (Seconds, Seconds, Seconds) = (4, 8, 4)
    /// The range of the estimated noise (standard deviation), in radians.
    static let noises = Double.degrees(0.1)...Double.degrees(1.5)

    /// Begins at a measured position whose standard deviation is about `deviation`, in radians.
    init(at position: Double, deviation: Double) {
        let noise = deviation.clamped(to: Self.noises)
        self.position = position
        self.noise = noise * noise
        states = [0.4, 0.3, 0.3].map {
            ModelState(x: position, xx: noise * noise, vv: Self.unknown * Self.unknown, weight: $0)
        }
        states[0].vv = 0
        states[2].aa = Self.agile * Self.agile
        before = []
        before += states
    }

    /// Begins again at another position. The estimated noise remains.
    mutating func seed(at place: Double) {
        let known = noise
        self = MotionModels(at: place, deviation: known.squareRoot())
        noise = known
    }

    /// Begins again at a position that is known with a variance (rad²), as in `init`, without an allocation.
    mutating func restart(at place: Double, noise known: Double) {
        (position, velocity, acceleration, steadiness, noise) = (place, 0, 0, 1, known)
        for index in states.indices {
            let unknown = index == 0 ? 0 : Self.unknown * Self.unknown
            states[index] = ModelState(x: place, xx: known, vv: unknown, weight: index == 0 ? 0.4 : 0.3)
        }
        states[2].aa = Self.agile * Self.agile
    }

    /// Processes a measurement, `elapsed` after the last one. Returns the logarithm of its likelihood, up to a
    /// constant.
    ///
    /// `known` is its variance (rad²) if the caller has a better value. If nil, the estimated variance is used.
    @discardableResult
    mutating func measure(_ measured: Double, after elapsed: Seconds, noise known: Double? = nil) -> Double {
        if let known { noise = known }
        mix(elapsed)
        var total = 0.0, standing = 0.0
        for index in states.indices {
            states[index].predict(elapsed, as: index)
            let s = states[index].xx + noise, residual = measured - states[index].x
            if index == 0 { standing = residual * residual / s * noise }
            // A single wild measurement must not suppress a model permanently.
            states[index].weight *= exp(-min(residual * residual / (2 * s), 30)) / s.squareRoot()
            states[index].update(residual, s: s)
            total += states[index].weight
        }
        (position, velocity, acceleration) = (0, 0, 0)
        // A weight is never zero, because a model that was wrong may be right again.
        for index in states.indices { states[index].weight = max(states[index].weight / total, 1e-4) }
        for opinion in states {
            position += opinion.weight * opinion.x
            velocity += opinion.weight * opinion.v
            acceleration += opinion.weight * opinion.a
        }
        steadiness = min(1, states[1].weight / (states[1].weight + states[2].weight) / Self.believed)
        if known == nil, states[0].weight > 0.7 {
            let (least, most) = (Self.noises.lowerBound, Self.noises.upperBound)
            noise = (noise + 0.04 * (standing - noise)).clamped(to: least * least...most * most)
        }
        return log(total)
    }

    private static func stay(_ index: Int, _ elapsed: Seconds) -> Double {
        exp(-elapsed / (index == 0 ? persistence.0 : index == 1 ? persistence.1 : persistence.2))
    }

    /// Mixes the models: each begins with the mixed state of the models from which it may have emerged.
    private mutating func mix(_ elapsed: Seconds) {
        // The elements are updated one by one, because assigning the whole array would copy it.
        for index in states.indices {
            before[index] = states[index]
            states[index] = ModelState(x: 0, xx: 0, weight: 0)
        }
        for (other, opinion) in before.enumerated() {
            let stay = Self.stay(other, elapsed)
            for index in states.indices {
                let share = opinion.weight * (other == index ? stay : (1 - stay) / 2)
                states[index].weight += share
                states[index].x += share * opinion.x
                states[index].v += share * opinion.v
                states[index].a += share * opinion.a
            }
        }
        for index in states.indices {
            let weight = states[index].weight
            states[index].x /= weight
            states[index].v /= weight
            states[index].a /= weight
        }
        for (other, opinion) in before.enumerated() {
            let stay = Self.stay(other, elapsed)
            for index in states.indices {
                let share = opinion.weight * (other == index ? stay : (1 - stay) / 2) / states[index].weight
                states[index].add(opinion, share: share)
            }
        }
    }
}

extension MotionModels.ModelState {
    /// Adds another model's covariance, and the spread between its state and this one.
    fileprivate mutating func add(_ other: Self, share: Double) {
        let dx = other.x - x, dv = other.v - v, da = other.a - a
        xx += share * (other.xx + dx * dx)
        xv += share * (other.xv + dx * dv)
        xa += share * (other.xa + dx * da)
        vv += share * (other.vv + dv * dv)
        va += share * (other.va + dv * da)
        aa += share * (other.aa + da * da)
    }

    /// Advances by `t` as the model with this index.
    mutating func predict(_ t: Seconds, as index: Int) {
        switch index {
        case 0:
            (v, a, xv, xa, vv, va, aa) = (0, 0, 0, 0, 0, 0, 0)
            xx += MotionModels.drift * MotionModels.drift * t
        case 1:
            (a, xa, va, aa) = (0, 0, 0, 0)
            let q = MotionModels.steady * MotionModels.steady
            x += v * t
            xx += t * (2 * xv + t * vv) + q * t * t * t / 3
            xv += t * vv + q * t * t / 2
            vv += q * t
        default:
            let keep = exp(-t / MotionModels.swing), h = t * t / 2
            let q = 2 * MotionModels.agile * MotionModels.agile / MotionModels.swing
            x += v * t + a * h
            v += a * t
            a *= keep
            // F P F', F = [1 t h; 0 1 t; 0 0 keep].
            let (rx, rv, ra) = (xx + t * xv + h * xa, xv + t * vv + h * va, xa + t * va + h * aa)
            let (sv, sa) = (vv + t * va, va + t * aa)
            xx = rx + t * rv + h * ra + q * t * t * t * t * t / 20
            xv = rv + t * ra + q * t * t * t * t / 8
            xa = keep * ra + q * t * t * t / 6
            vv = sv + t * sa + q * t * t * t / 3
            va = keep * sa + q * t * t / 2
            aa = keep * keep * aa + q * t
        }
    }

    /// Corrects the state by the residual of a measurement; `s` is the variance of the residual.
    mutating func update(_ residual: Double, s: Double) {
        let (kx, kv, ka) = (xx / s, xv / s, xa / s)
        x += kx * residual
        v += kv * residual
        a += ka * residual
        aa -= ka * xa
        va -= kv * xa
        vv -= kv * xv
        xa *= 1 - kx
        xv *= 1 - kx
        xx *= 1 - kx
    }
}
