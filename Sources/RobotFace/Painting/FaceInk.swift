/// The ink of the parts of a face: three channels of light, or of other quantities that add up like light.
struct FaceInk: Sendable {
    enum Kind: Sendable {
        /// Red, green and blue, linear.
        case light
        /// For palettes, the brightness of eyes and brows, and that of marks and blush. There is no halo, because a
        /// palette's few steps would show as bands.
        case levels
        /// For palettes with many steps, the light of eyes, brows and halo, and the coverage of marks and blush.
        case ramps
        /// The coverage of all parts.
        case coverage
    }

    let colour: SIMD3<Float>, accent: SIMD3<Float>
    /// The brightness and halo of the left and the right eye.
    let brightness: (left: Float, right: Float), halo: (left: Float, right: Float)
    /// The brightness at the rim of an eye; it rises to 1 inside.
    let rim: Float
    /// The amount of white that is added in the middle of an eye.
    let whiteness: Float
    let brow: Float

    init(_ face: FaceState, _ kind: Kind) {
        let own = (left: face.left[.brightness], right: face.right[.brightness])
        let shines = (left: 0.13 * face.left[.glow] * own.left, right: 0.13 * face.right[.glow] * own.right)
        switch kind {
        case .light:
            (colour, accent, brightness, halo) = (face.colour.light, face.accent.light, own, shines)
            (rim, whiteness, brow) = (0.74, 0.03, 0.72)
        case .ramps:
            (colour, accent, brightness, halo) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), own, shines)
            (rim, whiteness, brow) = (0.74, 0, 0.72)
        case .levels:
            (colour, accent, brightness, halo) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), own, (0, 0))
            (rim, whiteness, brow) = (0.74, 0, 0.72)
        case .coverage:
            (colour, accent, brightness, halo) = (SIMD3(1, 0, 0), SIMD3(1, 0, 0), (1, 1), (0, 0))
            (rim, whiteness, brow) = (1, 0, 1)
        }
    }
}

/// The light at eight points.
struct FaceLight {
    /// The channels of the ink.
    var red = Lanes.zero, green = Lanes.zero, blue = Lanes.zero
    /// The distance to the nearest edge of any part, in units.
    var edge = Lanes(repeating: .infinity)
    /// The light that the halos of the left and the right eye add to the ink's colour.
    var leftHalo = Lanes.zero, rightHalo = Lanes.zero

    init() {}

    /// Creates the light of one point, copied to all eight.
    @inline(__always)
    init(_ other: FaceLight, lane: Int) {
        red = Lanes(repeating: other.red[lane])
        green = Lanes(repeating: other.green[lane])
        blue = Lanes(repeating: other.blue[lane])
    }

    /// Adds light.
    @inline(__always)
    mutating func add(_ colour: SIMD3<Float>, _ amount: Lanes) {
        red += colour.x * amount
        green += colour.y * amount
        blue += colour.z * amount
    }

    /// Draws a colour over the existing light.
    @inline(__always)
    mutating func lay(_ colour: SIMD3<Float>, _ shade: Lanes, white: Lanes, coverage: Lanes) {
        red += coverage * (colour.x * shade + (1 - colour.x) * white - red)
        green += coverage * (colour.y * shade + (1 - colour.y) * white - green)
        blue += coverage * (colour.z * shade + (1 - colour.z) * white - blue)
    }

    /// Returns the square roots of the channels, without the edges.
    @inline(__always)
    var roots: FaceLight {
        var result = FaceLight()
        (result.red, result.green, result.blue) = (
            RobotFace.roots(larger(red, .zero)), RobotFace.roots(larger(green, .zero)),
            RobotFace.roots(larger(blue, .zero))
        )
        return result
    }

    /// Returns the perceived brightness.
    @inline(__always)
    var luminance: Lanes { red * 0.35 + green * 0.5 + blue * 0.15 }

    /// Returns the sum of both levels.
    @inline(__always)
    var sum: Lanes { red + green }

    /// Returns the light at one of the points.
    @inline(__always)
    subscript(lane: Int) -> SIMD3<Float> { SIMD3(red[lane], green[lane], blue[lane]) }
}
