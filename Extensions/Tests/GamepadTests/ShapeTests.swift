import Geometry
import Testing

@testable import Gamepad

/// Sticks and their words.
@Suite struct ShapeTests {
    @Test func `nothing moves in the dead zone, and everything at the end`() {
        let shape = StickShape(deadZone: 0.1)
        #expect(shape.speed(SIMD2(0.1, 0)) == .zero && shape.isCentred(SIMD2(0.07, -0.07)))
        #expect(abs(shape.speed(SIMD2(1, 0)).x - 1) < 1e-12 && abs(shape.speed(SIMD2(0, -1)).y + 1) < 1e-12)
        #expect(shape.speed(SIMD2(0.11, 0)).x > 0 && shape.speed(SIMD2(0.11, 0)).x < 0.01)
    }

    @Test func `a corner is not faster than a side, and the direction is kept`() {
        let shape = StickShape(deadZone: 0.08)
        let corner = shape.speed(SIMD2(1, 1))
        #expect(abs((corner.x * corner.x + corner.y * corner.y).squareRoot() - 1) < 1e-12 && corner.x == corner.y)
        let slanted = shape.speed(SIMD2(0.6, -0.3))
        #expect(abs(slanted.x / slanted.y + 2) < 1e-12)
    }

    @Test func `the curve rises from the dead zone to the end`() {
        for expo in [0.0, 0.3, 0.6, 1] {
            let shape = StickShape(deadZone: 0.08, expo: expo)
            let speeds = (0...100).map { shape.speed(SIMD2(Double($0) / 100, 0)).x }
            #expect(
                zip(speeds, speeds.dropFirst()).allSatisfy { $0 <= $1 } && speeds.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test func `a device cannot make the dead zone too small or too large`() {
        #expect(StickShape(deadZone: 0).deadZone == 0.08 && StickShape(deadZone: 1).deadZone == 0.5)
        #expect(StickShape(deadZone: .nan).deadZone == 0.08 && StickShape(deadZone: 0.1, expo: .nan).expo == 0)
    }

    @Test(arguments: [
        SIMD2(Double.nan, 0), SIMD2(0, .infinity), SIMD2(-.infinity, .nan), SIMD2(1e300, 1e300),
    ])
    func `what is not a number moves nothing`(_ position: SIMD2<Double>) {
        #expect(StickShape(deadZone: 0.08).speed(position) == .zero)
    }

    @Test func `a velocity is a word in degrees without an exponent`() {
        #expect(PadWords.velocity(.degrees(pan: -12.345, tilt: 0.004)) == "velocity -12.35 0.00 for 0.25")
        #expect(PadWords.velocity(.degrees(pan: 100.05, tilt: -0.1)) == "velocity 100.05 -0.10 for 0.25")
        #expect(PadWords.velocity(PanTilt(pan: .nan, tilt: 1e9)) == "velocity 0.00 0.00 for 0.25")
        #expect(PadWords.degrees(Double.degrees(1e-7)) == "0.00")
    }

    @Test func `buttons take words that suit a thumb, and no others`() throws {
        #expect(try PadAction("  Animate  yes ") == .motion("animate yes", needsManual: false))
        #expect(try PadAction("preset go door") == .motion("preset go door", needsManual: true))
        #expect(try PadAction("face next") == .word("face next") && PadAction("next animation") == .nextAnimation)
        #expect(try PadAction("mode system") == .handBack("mode system") && PadAction("stop") == .stop)
        for wrong in [
            "", "quit", "clear", "velocity 10 0", "velocity 10 0 for 60", "orient 0 0 in 60", "torque off", "stop now",
            "face a b c d", "preset save 1", "face \u{1b}[2J", "face\nquit", "speed 100",
            String(repeating: "x", count: 200),
        ] {
            #expect(throws: PadAction.Refusal.self) { try PadAction(wrong) }
        }
    }

    @Test func `the usual actions can be written as settings`() throws {
        for (button, action) in PadSettings.usualActions where button != .guide {
            #expect(try PadAction(action.words) == action)
        }
    }
}
