internal import Geometry
internal import Glibc

/// How much the bearings of a face tremble along one axis: measured, not assumed.
///
/// Three looks in a row lie on a line, but for noise and for what a person does in so short a time. Each story about the rig draws
/// another line, and the true one trembles least.
struct Tremble: Sendable, Equatable {
    private var last: SignLook?
    private var before: SignLook?
    /// Of each story: squared noise, summed with weights that fade; and the sum of the weights.
    private var squares = SIMD8<Double>(
        repeating: Tremble.prior.weight * Tremble.prior.deviation * Tremble.prior.deviation)
    private var weight = Tremble.prior.weight

    /// Before anything was seen, radians, and how many looks that counts for: pictures are taken to be bad until they are seen to be good.
    static let prior = (deviation: Double.degrees(1), weight: 2.0)
    /// So many looks are enough to know.
    static let known = 12.0
    /// What was seen fades in this time (time constant), seconds.
    static let memory: Seconds = 2
    /// No look counts for more than this, radians: somebody else's face is no noise.
    static let most = Double.degrees(8)

    /// Standard deviation of a bearing, radians; and its square.
    var deviation: Double { variance.squareRoot() }
    var variance: Double { SafetyMutant.noiseProves.isOn ? 0 : squares.min() / weight }

    /// Enough looks were seen to know.
    var isKnown: Bool { weight > Self.known }

    /// Another face, or a gap: what comes next lies on no line with what was.
    mutating func breakOff() { (last, before) = (nil, nil) }

    /// The face was seen.
    mutating func look(_ look: SignLook) {
        defer { (before, last) = (last, look) }
        guard let before, let last else { return }
        let ratio = (look.time - last.time) / max(last.time - before.time, 1e-3)
        let gain = 1 + (1 + ratio) * (1 + ratio) + ratio * ratio
        let bends = look.places - last.places - (last.places - before.places) * ratio
        let fade = exp(-(look.time - last.time) / Self.memory)
        let most = SIMD8(repeating: Self.most * Self.most)
        squares = squares * fade + pointwiseMin(bends * bends / gain, most)
        weight = weight * fade + 1
    }
}
