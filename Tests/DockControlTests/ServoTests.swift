import DockControl
import DockTypes
import Geometry
import Glibc
import Testing

@Suite struct ServoTests {
    @Test func `in the dead zone it stands, and noise does not wake it`() {
        var servo = ServoController(profile: .dlpDock)
        func move(_ error: Double) -> PanTilt {
            servo.velocity(
                goal: .degrees(pan: error, tilt: 0), goalRate: .zero, pose: .zero, rate: .zero, width: .degrees(5))
        }
        #expect(move(5).pan > 0)
        #expect(move(0.15) == .zero)
        #expect(move(0.9) == .zero)  // inside the outer zone: still
        #expect(move(1.2).pan > 0)
        #expect(move(-0.9).pan < 0)  // awake now, and outside the inner zone
    }

    @Test func `a moving goal is led by its own speed`() {
        var servo = ServoController(profile: .dlpDock)
        let velocity = servo.velocity(
            goal: .zero, goalRate: .degrees(pan: 30, tilt: 0), pose: .zero, rate: .degrees(pan: 30, tilt: 0), width: 0)
        #expect(abs(velocity.pan.inDegrees - 30) < 1e-6)
    }

    @Test func `a slow rig gets a softer loop`() {
        let quick = ServoController.Gains(axis: RigProfile.dlpDock.pan, delay: 0.055)
        let slow = ServoController.Gains(axis: RigProfile.dlpDock.pan, delay: 0.110)
        #expect(slow.stiffness < quick.stiffness)
        #expect(quick.approach(.degrees(1)) > 0 && quick.approach(.degrees(-1)) < 0)
        #expect(quick.approach(.degrees(90)) < 4 * quick.approach(.degrees(9)))  // square root, not linear
    }

    @Test func `framing puts thirds into the region`() {
        var framing = Framing()
        framing.mode = .left
        #expect(abs(framing.setPoint(yaw: nil).x - 1.0 / 3) < 1e-12)
        framing.region = Rect(x: 0.5, y: 0, width: 0.5, height: 1)
        #expect(abs(framing.setPoint(yaw: nil).x - (0.5 + 0.5 / 3)) < 1e-12)
        framing.mode = .center
        #expect(abs(framing.setPoint(yaw: 1).x - 0.75) < 1e-12)
    }

    @Test func `automatic framing leaves room where the face looks`() {
        let framing = Framing()
        #expect(framing.setPoint(yaw: nil).x == 0.5)
        #expect(framing.setPoint(yaw: 0.5).x < 0.5)  // looks to the right: placed left, room on the right
        #expect(framing.setPoint(yaw: -0.5).x > 0.5)
    }
}

@Suite struct AxisLimiterTests {
    private func limiter() -> AxisLimiter {
        AxisLimiter(axis: RigProfile.dlpDock.pan, commandLatency: 0.015, tick: 0.02)
    }

    @Test func `speed and acceleration stay inside the profile`() {
        var axis = limiter()
        var last = 0.0
        for _ in 0..<50 {
            let next = axis.step(toward: .degrees(500), position: 0, speedShare: 1, elapsed: 0.02)
            #expect(next - last <= .degrees(600) * 0.02 + 1e-9)
            #expect(next <= .degrees(120) + 1e-9)
            last = next
        }
        #expect(abs(last.inDegrees - 120) < 1e-6)
    }

    @Test(arguments: [0.01, 0.02, 0.033]) func `tracking gets all that the motor can do, and no more`(
        elapsed: Double
    ) {
        var axis = limiter(), motor = 0.0, before = 0.0
        let lag = RigProfile.dlpDock.pan.lag
        for turn in 0..<100 {
            let demand = Double.degrees(turn < 40 ? 500 : turn < 70 ? -500 : 3)
            let rate = axis.step(toward: demand, position: 0, speedShare: 1, elapsed: elapsed, tracks: true)
            for _ in 0..<20 {
                before = motor
                motor += (rate - motor) * (1 - exp(-elapsed / 20 / lag))
                // The limiter's own model of the motor is coarser.
                #expect(abs(motor - before) <= 1.25 * .degrees(600) * elapsed / 20)
            }
            #expect(abs(rate) <= .degrees(120) + 1e-9)
        }
        #expect(abs(motor.inDegrees - 3) < 0.5)
    }

    @Test func `nothing moves where the position is unknown`() {
        var axis = limiter()
        let unknown = axis.step(toward: 1, position: nil, speedShare: 1, elapsed: 0.02)
        let nonsense = axis.step(toward: .nan, position: 0, speedShare: 1, elapsed: 0.02)
        #expect(unknown == 0 && nonsense == 0)
    }

    @Test func `outside its range an axis may only turn back, slowly`() {
        var axis = limiter()
        let outside = Double.degrees(169.5)
        let outward = axis.step(toward: 1, position: outside, speedShare: 1, elapsed: 0.02)
        #expect(outward == 0)
        #expect(axis.blocked == 1)
        var speed = 0.0
        for _ in 0..<50 { speed = axis.step(toward: -2, position: outside, speedShare: 1, elapsed: 0.02) }
        #expect(abs(speed.inDegrees + 10) < 1e-6)
    }

    @Test func `an axis that a lost line carried outside comes back slowly, however fast a reversal was commanded`() {
        var axis = limiter()
        for _ in 0..<20 { _ = axis.step(toward: 2, position: .degrees(-150), speedShare: 1, elapsed: 0.02) }
        #expect(axis.velocity.inDegrees > 100)
        let outside = axis.step(toward: 2, position: .degrees(-169.5), speedShare: 1, elapsed: 0.02)
        #expect(abs(outside.inDegrees - 10) < 1e-6)
    }

    @Test func `careful arming caps the speed`() {
        var axis = limiter()
        for _ in 0..<50 { _ = axis.step(toward: 9, position: 0, speedShare: 0.25, elapsed: 0.02) }
        #expect(abs(axis.velocity.inDegrees - 30) < 1e-6)
        let unarmed = axis.step(toward: 9, position: 0, speedShare: 0, elapsed: 1)
        #expect(unarmed < axis.maxSpeed / 4)
    }
}
