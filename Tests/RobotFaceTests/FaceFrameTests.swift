import Testing

@testable import RobotFace

/// The frame of a face: no part of it is cut off, however it moves.
@Suite struct FaceFrameTests {
    @Test func `at rest nothing touches the edge`() {
        for expression in Expression.all {
            var shape = FaceShape()
            shape.set(FaceState(expression))
            for layer in shape.layers {
                #expect(layer.bounds.minX > -1.95 && layer.bounds.maxX < 1.95, "\(expression.name) \(layer.role)")
                #expect(layer.bounds.minY > -1.16 && layer.bounds.maxY < 1.16, "\(expression.name) \(layer.role)")
            }
        }
    }

    @Test func `in motion no mark and no brow is cut off`() {
        for expression in Expression.all {
            var animator = FaceAnimator(seed: 5, style: .block, expression: expression, now: 0)
            for frame in 0..<300 {
                let state = animator.face(at: Double(frame) / 30)
                guard frame % 3 == 0 else { continue }
                var shape = FaceShape()
                shape.set(state)
                for layer in shape.layers where layer.opacity > 0.1 && !layer.inFaceFrame {
                    let box = layer.bounds
                    #expect(
                        box.minX > -2 && box.maxX < 2 && box.minY > -1.2 && box.maxY < 1.2,
                        "\(expression.name) frame \(frame): \(box)")
                }
                // The edge of the screen shows no light of parts that move with the face.
                for x in stride(from: Float(-2), through: 2, by: 0.25) {
                    for y: Float in [-1.2, 1.2] {
                        #expect(shape.distance(x, y) > -0.02, "\(expression.name) frame \(frame) at \(x), \(y)")
                    }
                }
            }
        }
    }
}
