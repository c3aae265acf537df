internal import Geometry

/// The eyes, the face and the colours, which move toward an expression as if on springs.
struct SpringBody: Sendable {
    /// The duration of a change, in seconds.
    var settling: Seconds = 0.35
    private var left: Eye, right: Eye
    private var face: FacePose, faceVelocity = SIMD16<Float>.zero
    private var light: SIMD8<Float>, lightVelocity = SIMD8<Float>.zero

    private struct Eye: Sendable {
        var pose: EyePose
        var velocity = SIMD32<Float>.zero

        mutating func move(to target: EyePose, _ step: SpringStep, isHidden: Bool) {
            var values = target.values
            if pose.glyph != target.glyph {
                // The old glyph changes back into the box before the new one grows.
                if pose.glyph == .none || pose[.morph] < 0.03 || isHidden {
                    pose.glyph = target.glyph
                    pose[.morph] = isHidden ? target[.morph] : 0
                    velocity[EyeParameter.morph.rawValue] = 0
                } else {
                    values[EyeParameter.morph.rawValue] = 0
                }
            }
            step.move(&pose.values, &velocity, to: values)
        }
    }

    /// Creates a body that already shows an expression.
    init(_ expression: Expression) {
        left = Eye(pose: expression.left)
        right = Eye(pose: expression.right)
        face = expression.face
        light = Self.light(expression)
    }

    /// Moves for `elapsed` seconds. `isHidden`: the eyes are closed, so a glyph may change at once.
    mutating func move(to expression: Expression, elapsed: Seconds, isHidden: Bool) {
        let step = SpringStep(settling: settling, elapsed: elapsed)
        left.move(to: expression.left, step, isHidden: isHidden)
        right.move(to: expression.right, step, isHidden: isHidden)
        step.move(&face.values, &faceVelocity, to: expression.face.values)
        step.move(&light, &lightVelocity, to: Self.light(expression))
    }

    func apply(to state: inout FaceState) {
        state.left = left.pose
        state.right = right.pose
        state.face = face
        state.colour = LinearColour(SIMD3(light[0], light[1], light[2]))
        state.accent = LinearColour(SIMD3(light[4], light[5], light[6]))
    }

    private static func light(_ expression: Expression) -> SIMD8<Float> {
        let colour = LinearColour(rgb: expression.colour).light, accent = LinearColour(rgb: expression.accent).light
        return SIMD8(colour.x, colour.y, colour.z, 0, accent.x, accent.y, accent.z, 0)
    }
}
