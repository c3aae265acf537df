internal import Geometry
internal import Glibc

/// The noise of a face's bearings along one axis, as measured and not as assumed.
///
/// Three consecutive looks lie on a line, except for noise and what a person does in such a short time. Each hypothesis
/// about the rig draws another line, and the true one has the least noise.
struct Tremble: Sendable, Equatable {
    private var last: SignLook?
    private var before: SignLook?
    /// The sum of squared noise for each hypothesis, with weights that fade, and the sum of the weights.
    private var squares = SIMD8<Double>(
        repeating: Tremble.prior.weight * Tremble.prior.deviation * Tremble.prior.deviation)
    private var weight = Tremble.prior.weight

    /// The noise that is assumed before anything was seen, in radians, and the number of looks for which it counts.
    /// Frames count as poor until they are seen to be good.
    static let prior = (deviation: Double.degrees(1), weight: 2.0)
    /// The number of looks after which the noise is known.
    static let known = 12.0
    /// The time constant with which it fades, in seconds.
    static let fadeTime: Seconds = 2
    /// The upper bound of one look's deviation, in radians, because another person's face is not noise.
    static let most = Double.degrees(8)

    /// The standard deviation of a bearing, in radians, and its square.
    var deviation: Double { variance.squareRoot() }
    var variance: Double { SafetyMutant.noiseProves.isOn ? 0 : squares.min() / weight }

    /// Whether enough looks were seen.
    var isKnown: Bool { weight > Self.known }

    /// Starts with another face or after a gap: the next look does not continue the line.
    mutating func breakOff() { (last, before) = (nil, nil) }

    /// Records a look at the face.
    mutating func look(_ look: SignLook) {
        defer { (before, last) = (last, look) }
        guard let before, let last else { return }
        let ratio = (look.time - last.time) / max(last.time - before.time, 1e-3)
        let gain = 1 + (1 + ratio) * (1 + ratio) + ratio * ratio
        let bends = look.places - last.places - (last.places - before.places) * ratio
        let fade = exp(-(look.time - last.time) / Self.fadeTime)
        let most = SIMD8(repeating: Self.most * Self.most)
        squares = squares * fade + pointwiseMin(bends * bends / gain, most)
        weight = weight * fade + 1
    }
}
