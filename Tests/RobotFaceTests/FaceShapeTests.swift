import TestSupport
import Testing

@testable import RobotFace

@Suite struct FaceShapeTests {
    @Test func `distances agree with the reference at every probed point`() throws {
        let reference = try Reference()
        #expect(reference.distances.count == 4)
        for (name, expected) in reference.distances {
            let expression = try #require(Expression(named: name))
            var shape = FaceShape()
            shape.set(FaceState(expression))
            for (point, distance) in zip(reference.points, expected) {
                #expect(abs(shape.distance(point.x, point.y) - distance) <= 0.01, "\(expression.name) at \(point)")
            }
        }
    }

    @Test func `faces cover the reference masks at 40x12`() throws {
        let reference = try Reference()
        #expect(reference.masks.count == 4)
        var painter = HalfBlockPainter(columns: 40, rows: 12)
        for (name, expected) in reference.masks {
            let expression = try #require(Expression(named: name))
            let share = overlap(painter.mask(FaceState(expression)), expected)
            #expect(share >= 0.95, "\(expression.name) \(share)")
        }
    }

    @Test(
        arguments: isThorough ? [(40, 12), (80, 24), (120, 40), (200, 60)] : [(40, 12), (80, 24)], EyeStyle.allCases)
    func `no two faces look alike without colour`(size: (columns: Int, rows: Int), style: EyeStyle) {
        var painter = HalfBlockPainter(columns: size.columns, rows: size.rows)
        let masks = Expression.all.map { painter.mask(FaceState($0, style: style)) }
        for a in masks.indices {
            for b in masks.indices where b > a {
                let distance = 1 - overlap(masks[a], masks[b])
                #expect(distance >= 0.20, "\(Expression.all[a].name) and \(Expression.all[b].name): \(distance)")
            }
        }
    }

    @Test(arguments: EyeStyle.allCases)
    func `the distance never changes faster than the point moves`(style: EyeStyle) {
        var random = RandomSource(seed: 7)
        for expression in Expression.all {
            var state = FaceState(expression, style: style)
            state.face[.gazeX] = Float(random.even(-1...1))
            state.left[.lid] = Float(random.even(0...0.8))
            var shape = FaceShape()
            shape.set(state)
            for _ in 0..<400 {
                let x = Float(random.even(-2...2)), y = Float(random.even(-1.2...1.2))
                let dx = Float(random.even(-0.3...0.3)), dy = Float(random.even(-0.3...0.3))
                let moved = (dx * dx + dy * dy).squareRoot()
                let changed = abs(shape.distance(x + dx, y + dy) - shape.distance(x, y))
                #expect(changed <= 1.001 * moved + 1e-5, "\(expression.name) at \(x), \(y)")
            }
        }
    }

    @Test func `a face without a left or right word is its own mirror image`() {
        let columns = 40
        var painter = HalfBlockPainter(columns: columns, rows: 12)
        for expression in Expression.all where expression.left == expression.right {
            var state = FaceState(expression)
            state.mark = .none
            state.face[.roll] = 0
            state.face[.blush] = 0
            for parameter: EyeParameter in [.pupilX, .catchLight] {
                state.left[parameter] = 0
                state.right[parameter] = 0
            }
            let mask = painter.mask(state)
            for (index, lit) in mask.enumerated() {
                let mirrored = index / columns * columns + columns - 1 - index % columns
                #expect(lit == mask[mirrored], "\(expression.name) pixel \(index)")
            }
        }
    }

    @Test(arguments: EyeStyle.allCases)
    func `a blink closes every eye to a line`(style: EyeStyle) {
        for expression in Expression.all {
            var state = FaceState(expression, style: style)
            state.left[.lid] = 1
            state.right[.lid] = 1
            var shape = FaceShape()
            shape.set(state)
            for eye in [shape.left, shape.right] {
                // Along the vertical through the centre of the eye.
                let lit = stride(from: Float(-1), through: 1, by: 0.002).filter {
                    eye.measure(eye.centerX, eye.centerY + $0).distance < 0
                }
                let height = (lit.last ?? 0) - (lit.first ?? 0)
                let expected = 0.10 * style.size.height
                #expect(abs(height - expected) < 0.03, "\(expression.name): \(height)")
            }
        }
    }

    @Test func `only a blink may cover an eye completely, a lid may not`() {
        for cover: Float in [0.86, 0.95, 1] {
            var state = FaceState(.normal)
            state.left[.upperLid] = cover
            var shape = FaceShape()
            shape.set(state)
            // 14 % of the lid's travel stays open, at the lower end of an eye of height 4/3.
            let edge = 4.0 / 6 - 0.14 * (4.0 / 3 + 0.08)
            #expect(shape.left.measure(shape.left.centerX, Float(edge) + 0.06).distance < 0, "\(cover)")
            #expect(shape.left.measure(shape.left.centerX, Float(edge) - 0.02).distance > 0, "\(cover)")
        }
    }

    @Test func `no eye and no brow crosses the left or right edge, wherever the eyes look`() {
        for expression in Expression.all {
            for step in -4...4 {
                var state = FaceState(expression)
                state.face[.gazeX] = Float(step) / 4
                state.face[.roll] = 0
                var shape = FaceShape()
                shape.set(state)
                for y in stride(from: Float(-1.2), through: 1.2, by: 0.05) {
                    for x: Float in [-2, 2] {
                        #expect(shape.left.measure(x, y).distance > 0, "\(expression.name) gaze \(step)")
                        #expect(shape.right.measure(x, y).distance > 0, "\(expression.name) gaze \(step)")
                        for layer in shape.layers where layer.role == .brow {
                            #expect(shape.distance(layer, x, y) > 0, "\(expression.name) brow, gaze \(step)")
                        }
                    }
                }
            }
        }
    }

    @Test func `the bounds of eyes and strokes contain all of them`() {
        for expression in Expression.all {
            var shape = FaceShape()
            shape.set(FaceState(expression))
            for y in stride(from: Float(-1.3), through: 1.3, by: 0.04) {
                for x in stride(from: Float(-2.2), through: 2.2, by: 0.04) {
                    for eye in [shape.left, shape.right] where eye.measure(x, y).distance < 0 {
                        #expect(eye.bounds.distance(x, y) <= 0.001, "\(expression.name) at \(x), \(y)")
                    }
                    for layer in shape.layers where shape.distance(layer, x, y) < 0 {
                        #expect(layer.bounds.distance(x, y) <= 0.001, "\(expression.name) at \(x), \(y)")
                    }
                }
            }
        }
    }
}
