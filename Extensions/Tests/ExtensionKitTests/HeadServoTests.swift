import Geometry
import Testing

@testable import ExtensionKit

/// The velocities of a head that follows poses, on a head whose acceleration is limited.
@Suite struct HeadServoTests {
    /// Follows a target for some seconds. Returns the head's distance from it after each step, in degrees.
    private static func follow(_ seconds: Double, rate: Double = 30, target: (Double) -> Double) -> [Double] {
        var servo = HeadServo(), pan = 0.0, velocity = 0.0, reportAt = 0.0, far: [Double] = []
        servo.begin()
        for step in 0..<Int(seconds * 1000) {
            let now = Double(step) / 1000
            if now >= reportAt {
                servo.report(.degrees(pan: pan, tilt: 0), velocity: .degrees(pan: velocity, tilt: 0), at: now)
                reportAt += 0.05
            }
            if step % Int(1000 / rate) == 0 {
                let wish = servo.velocity(toward: .degrees(pan: target(now), tilt: 0), now: now)
                velocity += min(max((wish?.pan.inDegrees ?? 0) - velocity, -400 / rate), 400 / rate)
                far.append(target(now) - pan)
            }
            pan += velocity / 1000
        }
        return far
    }

    @Test func `a steady hand is followed within four degrees, and a hand that rests is reached`() {
        let far = Self.follow(4) { 60 * min($0, 1) }
        #expect(far[20..<28].allSatisfy { abs($0) < 4 }, "\(far)")
        #expect(far.suffix(30).allSatisfy { abs($0) < 0.3 }, "\(far.suffix(30))")
        // The hand stops at once, and the head needs time for that.
        #expect((far.min() ?? 0) > -6, "\(far)")
    }

    @Test(arguments: [10.0, 30, 60])
    func `it is stable at every rate of commands`(rate: Double) {
        let far = Self.follow(4, rate: rate) { $0 < 0.5 ? 0 : 10 }
        #expect(far.suffix(10).allSatisfy { abs($0) < 0.3 } && (far.min() ?? 0) > -4, "\(far)")
    }

    @Test func `a head that stands where it should gets no velocity from the noise of its encoder`() {
        var servo = HeadServo()
        servo.begin()
        for step in 0..<20 {
            let noise = step.isMultiple(of: 2) ? 0.1 : -0.1
            servo.report(.degrees(pan: noise, tilt: -noise), velocity: .zero, at: Double(step) / 30)
            #expect(servo.velocity(toward: .zero, now: Double(step) / 30) == .zero)
        }
    }

    @Test func `without a pose there is no velocity, and an old report is carried on for a moment only`() {
        var servo = HeadServo()
        #expect(servo.pose(now: 0) == nil && servo.velocity(toward: .zero, now: 0) == nil)
        servo.report(.zero, velocity: .degrees(pan: 100, tilt: 0), at: 1)
        #expect(servo.pose(now: 1.1).map { abs($0.pan.inDegrees - 10) < 1e-9 } == true)
        #expect(servo.pose(now: 60).map { abs($0.pan.inDegrees - 30) < 1e-9 } == true)
        servo.forget()
        #expect(servo.pose(now: 60) == nil)
    }
}
