import DockControl
import Geometry
import Glibc
import Testing

@Suite struct SwingWatchTests {
    /// The verdict on an error (degrees, one function per axis) over five seconds, sampled every 20 ms.
    private static func watch(_ pan: (Seconds) -> Double, tilt: (Seconds) -> Double = { _ in 0 }) -> (
        begun: Int, calm: PanTilt, watch: SwingWatch
    ) {
        var watch = SwingWatch(), begun = 0
        for step in 0..<250 {
            let now = Double(step) * 0.02
            if watch.look(.degrees(pan: pan(now), tilt: tilt(now)), now: 100 + now) { begun += 1 }
        }
        return (begun, watch.softness(now: 105), watch)
    }

    @Test
    func `a head that swings twice a second is followed softly after four swings`() {
        let (begun, calm, _) = Self.watch { 6 * sin(2 * .pi * 1.8 * $0) }
        #expect(begun == 1 && calm == PanTilt(pan: 1, tilt: 0))
        #expect(Self.watch({ _ in 0 }, tilt: { -7 * cos(11 * $0) }).calm == PanTilt(pan: 0, tilt: 1))
    }

    @Test func `a person who swings, trembles, or jumps from place to place does not count`() {
        #expect(Self.watch { 8 * sin(2 * .pi * 0.5 * $0) }.begun == 0)
        #expect(Self.watch { 3 * sin(2 * .pi * 3 * $0) }.begun == 0)
        #expect(Self.watch { 20 * exp(-4 * $0.truncatingRemainder(dividingBy: 1)) }.begun == 0)
    }

    @Test func `it ends four seconds after the last swing, and with a stop`() {
        var watch = Self.watch { $0 < 3 ? 6 * sin(12 * $0) : 0 }.watch
        #expect(watch.isCalm(.pan, now: 106) && !watch.isCalm(.pan, now: 107.1))
        watch.reset()
        #expect(!watch.isCalm(.pan, now: 106))
    }

    @Test func `softness halves the approach and straightens its curve`() {
        func velocity(_ soft: Double, error: Double = 1, rate: Double = 0, bend: Double = 0) -> Double {
            var servo = ServoController(profile: .dlpDock)
            return servo.velocity(
                goal: .degrees(pan: error, tilt: 0), goalRate: .degrees(pan: rate, tilt: 0),
                goalAcceleration: .degrees(pan: bend, tilt: 0), pose: .zero, rate: .degrees(pan: rate, tilt: 0),
                width: 0,
                softness: PanTilt(pan: soft, tilt: 0)
            ).pan.inDegrees
        }
        #expect(abs(velocity(1) - 0.5 * velocity(0)) < 1e-9 && velocity(0) > 10)
        #expect(velocity(0, error: 0, rate: 30, bend: 100) > 33 && velocity(1, error: 0, rate: 30, bend: 100) < 22)
    }

    @Test func `unpredictable turns get less feed-forward, and even less with a longer command latency`() {
        func forward(_ steadiness: Double, lag: Seconds) -> Double {
            var profile = RigProfile.dlpDock
            (profile.pan.lag, profile.tilt.lag) = (lag, lag)
            var servo = ServoController(profile: profile)
            let rate = PanTilt.degrees(pan: 30, tilt: 0)
            // Turning at exactly the commanded speed: only the feed-forward is left.
            let steady = servo.velocity(goal: .zero, goalRate: rate, pose: .zero, rate: rate, width: 0).pan.inDegrees
            #expect(abs(steady - 30) < 1e-6)
            return servo.velocity(
                goal: .zero, goalRate: rate, pose: .zero, rate: rate, width: 0,
                steadiness: PanTilt(pan: steadiness, tilt: steadiness)
            ).pan.inDegrees
        }
        #expect(forward(0.5, lag: 0.04) < 30 && forward(0, lag: 0.04) < forward(0.5, lag: 0.04))
        #expect(forward(0, lag: 0.12) < forward(0, lag: 0.04))
    }

    @Test func `position-controlled motors are approached more softly`() {
        let speeds = ServoController.Gains(axis: RigProfile.dlpDock.pan, delay: 0.055)
        let places = ServoController.Gains(axis: RigProfile.dlpDock.pan, delay: 0.055, setpoint: .position)
        #expect(places.stiffness < 0.7 * speeds.stiffness && places.stiffness > 0.5 * speeds.stiffness)
    }
}
