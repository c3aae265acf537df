import DockControl
import Geometry
import Testing

@Suite struct EstimatorTests {
    private func ramp(_ speed: Double, frames: Int, period: Double = 1.0 / 15) -> TargetEstimator {
        var estimator = TargetEstimator()
        for frame in 0..<frames {
            let time = 10 + Double(frame) * period
            estimator.measure(.degrees(pan: speed * (time - 10), tilt: 5), at: time, subject: 1)
        }
        return estimator
    }

    @Test func `a steady walk is followed in position and speed`() throws {
        let estimator = ramp(20, frames: 45)
        let now = 10 + 44.0 / 15 + 0.1
        let target = try #require(estimator.predict(at: now))
        #expect(abs(target.position.pan.inDegrees - 20 * (now - 10)) < 0.3)
        #expect(abs(target.velocity.pan.inDegrees - 20) < 1)
        #expect(abs(target.velocity.tilt.inDegrees) < 0.5)
    }

    @Test func `one wild measurement is ignored, a confirmed one is accepted`() {
        var estimator = ramp(0, frames: 30)
        let time = 10 + 30.0 / 15
        estimator.measure(.degrees(pan: 40, tilt: 5), at: time, subject: 1)
        #expect(abs(estimator.position.pan.inDegrees) < 0.1)
        estimator.measure(.degrees(pan: 40.3, tilt: 5), at: time + 1.0 / 15, subject: 1)
        #expect(abs(estimator.position.pan.inDegrees - 40.3) < 1e-9)
        #expect(estimator.velocity == .zero)
    }

    @Test func `another person resets the estimate at once`() {
        var estimator = ramp(20, frames: 30)
        estimator.measure(.degrees(pan: -30, tilt: 0), at: 12.1, subject: 2)
        #expect(estimator.position == .degrees(pan: -30, tilt: 0))
        #expect(estimator.velocity == .zero)
    }

    @Test func `the speed of a person who is no longer seen fades to zero`() throws {
        let estimator = ramp(20, frames: 45), last = 10 + 44.0 / 15
        let early = try #require(estimator.predict(at: last + 0.1)).velocity.pan
        let middle = try #require(estimator.predict(at: last + 0.42)).velocity.pan
        let late = try #require(estimator.predict(at: last + 2)).velocity.pan
        #expect(early > middle && middle > 0)
        #expect(late == 0)
        #expect(TargetEstimator().predict(at: 1) == nil)
    }

    @Test func `an invalid direction changes nothing, and later ones count`() {
        var estimator = ramp(0, frames: 10)
        let before = estimator
        for pan in [Double.nan, .infinity] {
            estimator.measure(PanTilt(pan: pan, tilt: 0), at: 10.7, subject: 1)
            estimator.measure(PanTilt(pan: 0, tilt: pan), at: 10.7, subject: 2)
        }
        #expect(estimator == before)
        estimator.measure(.degrees(pan: 1, tilt: 5), at: 10.7, subject: 1)
        #expect(estimator.position.pan.isFinite && estimator.position.pan > 0)
    }

    @Test func `a repeated or older exposure changes nothing`() {
        var estimator = ramp(20, frames: 10)
        let before = estimator
        estimator.measure(.degrees(pan: 0, tilt: 0), at: 10.1, subject: 1)
        #expect(estimator == before)
    }
}

@Suite struct PoseHistoryTests {
    private func sample(_ time: Seconds, _ pan: Double, _ rate: Double = 10) -> MotionSample {
        MotionSample(time: time, pose: .degrees(pan: pan, tilt: 0), rate: .degrees(pan: rate, tilt: 0))
    }

    @Test func `between two reports the pose is interpolated`() throws {
        var history = PoseHistory()
        history.append(sample(1, 10))
        history.append(sample(1.1, 20))
        #expect(abs(try #require(history.pose(at: 1.05)).pan.inDegrees - 15) < 1e-9)
    }

    @Test func `after the newest report the pose is extrapolated for 50 ms only`() throws {
        var history = PoseHistory()
        history.append(sample(1, 10))
        #expect(abs(try #require(history.pose(at: 1.02)).pan.inDegrees - 10.2) < 1e-9)
        #expect(abs(try #require(history.pose(at: 9)).pan.inDegrees - 10.5) < 1e-9)
    }

    @Test func `before the oldest report it is the oldest, and without reports it is unknown`() {
        var history = PoseHistory(capacity: 4)
        #expect(history.pose(at: 1) == nil)
        for step in 0..<10 { history.append(sample(Double(step), Double(step))) }
        #expect(history.pose(at: 0) == .degrees(pan: 6, tilt: 0))
        history.removeAll()
        #expect(history.pose(at: 9) == nil)
    }

    @Test func `a pose is uncertain by what the axis can do in a gap between the reports`() {
        var history = PoseHistory()
        #expect(history.uncertainty(at: 1, acceleration: 10) == .infinity)
        history.append(sample(1, 10))
        history.append(sample(1.2, 20))
        #expect(history.uncertainty(at: 1, acceleration: 10) == 0)
        #expect(history.uncertainty(at: 1.2, acceleration: 10) == 0)
        // Away and back with 10 rad/s²: 0.1 s each way.
        #expect(abs(history.uncertainty(at: 1.1, acceleration: 10) - 0.05) < 1e-9)
        #expect(abs(history.uncertainty(at: 1.22, acceleration: 10) - 0.002) < 1e-9)
        // What is held beyond the horizon is wrong by the rate, too: 10 deg/s for 0.1 s.
        #expect(abs(history.uncertainty(at: 1.35, acceleration: 10) - 0.1125 - .degrees(1)) < 1e-9)
        #expect(history.uncertainty(at: 0.9, acceleration: 10) == .infinity)
    }

    @Test func `a report from the past is dropped`() {
        var history = PoseHistory()
        history.append(sample(2, 10))
        history.append(sample(1, 50))
        #expect(history.latest == sample(2, 10))
    }
}
