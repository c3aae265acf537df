import Geometry
import Glibc
import Testing

@testable import RobotFace

@Suite struct GazeTests {
    private func settled(_ target: GazeTarget?, expression: Expression = .normal) -> FaceState {
        var animator = FaceAnimator(seed: 1, style: .block, expression: expression, now: 0)
        animator.look(at: target, now: 0)
        var face = animator.face(at: 0)
        for frame in 1...30 { face = animator.face(at: Double(frame) / 30) }
        return face
    }

    @Test func `the mirror rule: a target to the robot's right is on the viewer's left`() {
        let right = settled(GazeTarget(bearing: .degrees(15), elevation: 0))
        let left = settled(GazeTarget(bearing: .degrees(-15), elevation: 0))
        #expect(right.gaze.x < -0.4)
        #expect(left.gaze.x > 0.4)
    }

    @Test func `a target above the robot is above on the screen`() {
        #expect(settled(GazeTarget(bearing: 0, elevation: .degrees(10))).gaze.y < -0.3)
        #expect(settled(GazeTarget(bearing: 0, elevation: .degrees(-10))).gaze.y > 0.3)
    }

    @Test func `a near face turns both eyes inward, a far one hardly`() {
        func inward(_ width: Double?) -> Float {
            let face = settled(GazeTarget(bearing: 0, elevation: 0, faceWidth: width))
            return face.left[.x] - face.right[.x]
        }
        #expect(inward(0.3) > 0.1)
        #expect(inward(0.06) < inward(0.3))
        #expect(inward(nil) == 0)
    }

    @Test func `the eyes believe a distance more than the size of a face`() {
        func inward(_ distance: Double?, width: Double?) -> Float {
            let face = settled(GazeTarget(bearing: 0, elevation: 0, faceWidth: width, distance: distance))
            return face.left[.x] - face.right[.x]
        }
        #expect(abs(inward(0.5, width: nil) - inward(nil, width: 2 * atan(0.15))) < 1e-3)
        #expect(inward(0.4, width: 0.05) > 2 * inward(3, width: 0.05))
        for impossible in [0, -1, .nan] { #expect(inward(impossible, width: 0.3) == inward(nil, width: 0.3)) }
    }

    @Test func `with invalid angles the eyes look straight ahead`() {
        let face = settled(GazeTarget(bearing: .nan, elevation: .infinity, faceWidth: .nan))
        #expect(abs(face.gaze.x) < 0.3 && abs(face.gaze.y) < 0.3)
    }

    @Test(arguments: [5.0, 10, 20, 40])
    func `a dart follows the main sequence`(amplitude: Double) {
        let dart = Saccade(from: .zero, to: ScreenAngle(amplitude, 0), start: 2)
        #expect(abs(dart.duration - (0.025 + 0.0024 * amplitude)) < 1e-9)
        #expect(dart.position(at: 2) == .zero)
        #expect(dart.position(at: 2 + dart.duration) == ScreenAngle(amplitude, 0))
        // Fastest in the middle, where minimum jerk has 1.875 times the mean speed.
        let middle = 2 + dart.duration / 2, small = dart.duration / 1000
        let speed = (dart.position(at: middle + small).x - dart.position(at: middle - small).x) / (2 * small)
        #expect(abs(speed - 1.875 * amplitude / dart.duration) < 0.01 * speed)
        #expect(dart.squash(at: middle) < 0.86)
        #expect(dart.squash(at: 2 + dart.duration) == 1)
    }

    @Test func `a dart of less than three degrees is a jump`() {
        let dart = Saccade(from: .zero, to: ScreenAngle(2, 1), start: 2)
        #expect(dart.duration == 0)
        #expect(dart.position(at: 2) == ScreenAngle(2, 1))
    }

    @Test func `eyes react to a new face with a human delay`() {
        for seed in 0..<20 {
            var random = RandomSource(seed: UInt64(seed))
            var gaze = GazeControl(now: 0, random: &random)
            gaze.look(at: GazeTarget(bearing: .degrees(-20), elevation: 0), now: 0)
            var began: Double?
            for step in 0..<400 {
                let now = Double(step) * 0.001
                if gaze.angle(at: now, random: &random).x > 2, began == nil { began = now }
            }
            let latency = began ?? 9
            #expect(latency > 0.06 && latency < 0.27, "\(latency)")
        }
    }

    @Test func `a lost face is waited for, searched where it left, then given up`() {
        var random = RandomSource(seed: 3)
        var gaze = GazeControl(now: 0, random: &random)
        // Walks to the robot's left, that is to the screen's right.
        for step in 0..<60 {
            gaze.look(at: GazeTarget(bearing: .degrees(-Double(step) / 4), elevation: 0), now: Double(step) / 30)
            _ = gaze.angle(at: Double(step) / 30, random: &random)
        }
        let before = gaze.angle(at: 2, random: &random)
        gaze.look(at: nil, now: 2)
        var searched: [Double] = [], rest: [Double] = []
        for step in 0..<300 {
            let now = 2 + Double(step) / 30
            let angle = gaze.angle(at: now, random: &random)
            if now < 2.55 { #expect(abs(angle.x - before.x) < 4, "held at \(now)") }
            if now > 3, now < 4.5 { searched.append(angle.x) }
            if now > 5.2 { rest.append(abs(angle.x)) }
        }
        #expect(searched.allSatisfy { $0 > 5 })
        #expect(Set(searched.map { Int($0) }).count > 2)
        #expect(rest.reduce(0, +) / Double(rest.count) < 9)
    }

    @Test func `a walking face is followed smoothly`() {
        var random = RandomSource(seed: 3)
        var gaze = GazeControl(now: 0, random: &random)
        var last: Double?
        for step in 0..<240 {
            let now = Double(step) / 60
            gaze.look(at: GazeTarget(bearing: .degrees(-10 + 5 * now), elevation: 0), now: now)
            let x = gaze.angle(at: now, random: &random).x
            if now > 1, let last, gaze.saccade == nil { #expect(abs(x - last) < 3.5) }
            last = x
        }
        #expect(abs((last ?? 99) + 10) < 4)
    }

    @Test func `alone the eyes look about but come back`() {
        var animator = FaceAnimator(seed: 12, style: .block, expression: .normal, now: 0)
        var far = 0, near = 0
        for frame in 0..<1800 {
            let x = abs(animator.face(at: Double(frame) / 30).gaze.x)
            if x > 0.2 { far += 1 }
            if x < 0.1 { near += 1 }
        }
        #expect(far > 60)
        #expect(near > 600)
    }

    @Test func `a free mark makes way for the eyes and comes back`() throws {
        let love = try #require(Expression(named: "trust"))
        #expect(settled(GazeTarget(bearing: .degrees(-20), elevation: 0), expression: love).markSide == -1)
        #expect(settled(GazeTarget(bearing: .degrees(20), elevation: 0), expression: love).markSide == 1)
    }
}
