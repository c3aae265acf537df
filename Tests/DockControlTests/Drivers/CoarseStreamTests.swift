import Geometry
import Testing

@testable import DockControl

/// Velocities for a board that accepts whole degrees: goals ahead of the motion, at its speed; and which of its
/// reported positions are accepted.
@Suite struct CoarseStreamTests {
    private static func stream() -> CoarseStream {
        CoarseStream(pan: .degrees(-150)...(.degrees(150)), tilt: .degrees(-30)...(.degrees(80)), stepsPerUnit: 1)
    }

    @Test func `the goal is ahead of the motion, and the speed is the motion's`() {
        var stream = Self.stream()
        let goal = stream.advance(.degrees(pan: 30, tilt: -10), from: .degrees(pan: 10.2, tilt: 0.4))
        // 10.2 + 6, outward; 0.4 - 2, outward; 4096 positions in a turn.
        #expect(goal == CoarseStream.Goal(pan: 17, tilt: -2, panSpeed: 341, tiltSpeed: 114))
        let slow = stream.advance(.degrees(pan: 0.5, tilt: 0), from: .degrees(pan: 10.2, tilt: 0.4))
        #expect(slow.pan == 11 && slow.panSpeed == 6 && slow.tiltSpeed == 1)
    }

    @Test func `a speed below one position a second is no motion`() {
        var stream = Self.stream()
        let goal = stream.advance(.degrees(pan: 0.04, tilt: -0.04), from: .degrees(pan: 10.2, tilt: 0.4))
        #expect(goal == CoarseStream.Goal(pan: 10, tilt: 0))
    }

    @Test func `no goal leaves the range, and an axis outside the range is not thrown back into it`() {
        var stream = Self.stream()
        let end = stream.advance(.degrees(pan: 60, tilt: 60), from: .degrees(pan: 149.5, tilt: 79))
        #expect(end.pan == 150 && end.tilt == 80)
        let outside = stream.advance(.degrees(pan: 60, tilt: 0), from: .degrees(pan: 155.3, tilt: 0))
        #expect(outside.pan == 155)
        let back = stream.advance(.degrees(pan: -10, tilt: 0), from: .degrees(pan: 155.3, tilt: 0))
        #expect(back.pan == 153)
    }

    @Test func `a stopped axis keeps its position; a stopping axis updates it until it stands still`() {
        var stream = Self.stream()
        _ = stream.advance(.degrees(pan: 60, tilt: 0), from: .zero)
        let first = stream.stop(at: .degrees(pan: 20.3, tilt: 0), rate: .degrees(pan: 60, tilt: 0), braking: 0.05)
        #expect(first == CoarseStream.Goal(pan: 23, tilt: 0))
        let isSettledYet = stream.isSettled
        #expect(!isSettledYet)
        let second = stream.stop(at: .degrees(pan: 22.4, tilt: 0), rate: .zero, braking: 0.05)
        #expect(second == CoarseStream.Goal(pan: 22, tilt: 0))
        let third = stream.stop(at: .degrees(pan: 27, tilt: 5), rate: .zero, braking: 0.05)
        #expect(third == second, "a push by hand does not change the goal")
    }

    @Test func `one wrong reading is rejected, a second one like it is accepted`() {
        var likely = LikelyPose(fastest: .degrees(120))
        let truth = PanTilt.degrees(pan: 45, tilt: 0), wrong = PanTilt.degrees(pan: 95, tilt: 0)
        let believed = [(truth, 0), (truth, 0.02), (wrong, 0.04), (truth, 0.06), (wrong, 0.08), (wrong, 0.1)].map {
            likely.isLikely($0.0, at: $0.1)
        }
        #expect(believed == [false, true, false, true, false, true])
    }

    @Test func `the rate is the slope of the newest positions`() {
        var slope = PoseRate()
        var rate = PanTilt.zero
        for tick in 0..<20 {
            // Rounded as its encoder does.
            let place = (Double(tick) * 0.02 * 30 * 4096 / 360).rounded() * 360 / 4096
            rate = slope.record(.degrees(pan: place, tilt: -place / 3), at: Double(tick) * 0.02)
            if tick > 3 { #expect(abs(rate.pan.inDegrees - 30) < 2 && abs(rate.tilt.inDegrees + 10) < 1) }
        }
        #expect(slope.record(.zero, at: 5) == .zero, "after a pause it starts again")
    }
}
