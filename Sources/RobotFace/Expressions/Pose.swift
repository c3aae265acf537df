/// The parameters of one eye. Sizes are factors of the nominal eye, angles are degrees, the rest are fractions. Neutral
/// is `EyePose.neutral`.
package enum EyeParameter: Int, CaseIterable, Sendable {
    /// The size of the eye box, as factors of the nominal width and height.
    case width, height
    /// The offset of the box in nominal widths (positive is screen right) and heights (positive is down).
    case x, y
    /// The corner radius above and below, as a fraction of half the short side.
    case upperCorner, lowerCorner
    /// The upper lid: cover in the middle of the eye, slope (+ lowers the inner end), bend (+ droops into the eye).
    case upperLid, upperSlope, upperBend
    /// The lower lid: cover, slope (+ raises the inner end), bend (+ = smile arc).
    case lowerLid, lowerSlope, lowerBend
    /// The pupil: size as a fraction of half the short side (0 = none), width over height, position in half widths and
    /// heights.
    case pupil, pupilAspect, pupilX, pupilY
    /// The catch light, as a fraction of the pupil.
    case catchLight
    /// The brow: length in nominal widths (0 = none), height above the unlidded eye in units, slope, arch.
    case brow, browHeight, browSlope, browBend
    /// The degree to which the box has changed into the glyph.
    case morph
    /// The brightness and the halo.
    case brightness, glow
    /// The closure of a blink. This is an overlay, and never part of a row.
    case lid
}

/// The parameters of the whole face. Lengths are in units (nominal eye widths), x to screen right, y down.
package enum FaceParameter: Int, CaseIterable, Sendable {
    /// The addition to the distance of the eyes.
    case gap
    /// The roll in degrees, positive clockwise on the screen.
    case roll
    /// Shift of the whole face.
    case x, y
    /// The direction of the eyes, -1...1: positive is screen right, and down.
    case gazeX, gazeY
    /// The mark: scale, offset, opacity, fraction of its parts that is drawn.
    case markScale, markX, markY, markOpacity, markReveal
    /// Opacity of the blush.
    case blush
    /// How far the eyes follow their target.
    case gazeGain
}

/// The shape of one eye: every parameter in one vector, so that a transition is arithmetic on vectors.
package struct EyePose: Sendable, Equatable {
    package var values: SIMD32<Float>
    package var glyph: EyeGlyph

    static let neutral: EyePose = {
        var pose = EyePose(values: .zero, glyph: .none)
        for parameter: EyeParameter in [.width, .height, .pupilAspect, .brightness] { pose[parameter] = 1 }
        for parameter: EyeParameter in [.upperCorner, .lowerCorner] { pose[parameter] = 0.6 }
        pose[.browHeight] = 0.16
        pose[.glow] = 0.3
        return pose
    }()

    package subscript(parameter: EyeParameter) -> Float {
        get { values[parameter.rawValue] }
        set { values[parameter.rawValue] = newValue }
    }

    /// The valid range of each parameter. Motion and gaze are added first; then the sum is clamped.
    package static let limits: (low: SIMD32<Float>, high: SIMD32<Float>) = {
        var low = SIMD32<Float>.zero, high = SIMD32<Float>(repeating: 1)
        func set(_ parameters: [EyeParameter], _ range: ClosedRange<Float>) {
            for parameter in parameters {
                low[parameter.rawValue] = range.lowerBound
                high[parameter.rawValue] = range.upperBound
            }
        }
        set([.width], 0.2...1.8)
        set([.height], 0...1.8)
        set([.x, .y], -0.5...0.5)
        set([.upperSlope, .lowerSlope, .browSlope], -45...45)
        set([.upperBend, .lowerBend, .browBend, .pupilX, .pupilY], -1...1)
        set([.pupil], 0...0.9)
        set([.pupilAspect], 0.2...1)
        set([.catchLight], 0...0.6)
        set([.brow], 0...1.2)
        set([.browHeight], -0.4...0.4)
        set([.brightness], 0...1.5)
        return (low, high)
    }()

    mutating func clamp() {
        values.clamp(lowerBound: Self.limits.low, upperBound: Self.limits.high)
    }
}

/// The parameters of the whole face in one vector.
package struct FacePose: Sendable, Equatable {
    package var values: SIMD16<Float>

    static let neutral: FacePose = {
        var pose = FacePose(values: .zero)
        for parameter: FaceParameter in [.markScale, .markOpacity, .markReveal, .gazeGain] { pose[parameter] = 1 }
        return pose
    }()

    package subscript(parameter: FaceParameter) -> Float {
        get { values[parameter.rawValue] }
        set { values[parameter.rawValue] = newValue }
    }

    package static let limits: (low: SIMD16<Float>, high: SIMD16<Float>) = {
        var low = SIMD16<Float>.zero, high = SIMD16<Float>(repeating: 1)
        func set(_ parameters: [FaceParameter], _ range: ClosedRange<Float>) {
            for parameter in parameters {
                low[parameter.rawValue] = range.lowerBound
                high[parameter.rawValue] = range.upperBound
            }
        }
        set([.gap], -0.3...0.3)
        set([.roll], -20...20)
        set([.x, .y, .markX, .markY], -1...1)
        set([.gazeX, .gazeY], -1...1)
        set([.markScale], 0...1.2)
        set([.gazeGain], 0...2)
        return (low, high)
    }()

    mutating func clamp() {
        values.clamp(lowerBound: Self.limits.low, upperBound: Self.limits.high)
    }
}

/// The glyphs into which an eye can change.
package enum EyeGlyph: Int, Sendable, CaseIterable {
    case none, heart, star, squeeze
}

/// The single mark that a face can show beside its eyes.
package enum Mark: Int, Sendable, CaseIterable {
    case none, question, exclaim, zzz, dots, tear, sweat, heart, vein, check, spark, stink, crown
}
