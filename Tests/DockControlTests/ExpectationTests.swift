import DockTypes
import Geometry
import Testing

@testable import DockControl

/// Looking where a person is expected.
@Suite struct ExpectationTests {
    private let period = 1.0 / 15
    private let door = PanTilt.degrees(pan: 40, tilt: 5)

    private func seen() -> (Pursuit, Seconds) {
        var pursuit = Pursuit(profile: .dlpDock)
        for frame in 0..<30 {
            let now = 10 + Double(frame) * period
            let rect = Rect(center: Point(x: 0.5, y: 0.45), width: 0.1, height: 0.18)
            pursuit.sighted(
                Sighting(subject: 1, rect: rect, yaw: nil, exposure: now - 0.045), pose: .zero, arrival: now)
            _ = pursuit.step(now: now, pose: .zero)
        }
        return (pursuit, 12)
    }

    /// Frames without the subject until `end`, with an expectation that is repeated. Returns each result.
    private func empty(
        _ pursuit: inout Pursuit, from now: Seconds, until end: Seconds, expecting direction: PanTilt? = nil,
        at pose: PanTilt = .zero
    ) -> [(at: Seconds, what: Pursue)] {
        var all: [(at: Seconds, what: Pursue)] = [], time = now
        while time + period <= end {
            time += period
            if let direction { pursuit.expect(Expectation(direction: direction, until: time + 0.5)) }
            pursuit.absent(arrival: time)
            all.append((time, pursuit.step(now: time, pose: pose)))
        }
        return all
    }

    private func isGlide(_ one: Pursue, toward direction: PanTilt) -> Bool {
        guard case .glide(let goal, let speed) = one else { return false }
        // The framing places a face a little above the middle.
        return abs(goal.pan - direction.pan) < .degrees(1) && abs(goal.tilt - direction.tilt) < .degrees(10)
            && speed <= .degrees(20)
    }

    @Test func `a head that never saw anyone looks where a person is expected, and goes home afterwards`() {
        var pursuit = Pursuit(profile: .dlpDock)
        let steps = empty(&pursuit, from: 10, until: 12, expecting: door)
        #expect(steps.dropFirst().allSatisfy { isGlide($0.what, toward: door) })
        #expect(pursuit.phase == .expecting)
        // It waits there for as long as the expectation counts.
        let after = empty(&pursuit, from: 12, until: 13, at: door)
        let ended = after.first { $0.at > 12.5 }
        #expect(ended.map { $0.what == .glide(to: .zero, speed: .degrees(30)) } == true, "\(after)")
        #expect(pursuit.phase == .homing)
        _ = empty(&pursuit, from: 13, until: 14)
        #expect(pursuit.phase == .idle)
    }

    @Test func `a person in the frames has precedence, and so have the 0.6 s after they were lost`() {
        var (pursuit, now) = seen()
        pursuit.expect(Expectation(direction: door, until: now + 2))
        let step = pursuit.step(now: now, pose: .zero)
        guard case .follow = step else {
            Issue.record("it left a person: \(step)")
            return
        }
        let steps = empty(&pursuit, from: now, until: now + 2, expecting: door)
        for step in steps where step.at < now + 0.6 { #expect(!isGlide(step.what, toward: door), "\(step)") }
        #expect(steps.last.map { isGlide($0.what, toward: door) } == true)
        now += 2
        let rect = Rect(center: Point(x: 0.4, y: 0.45), width: 0.1, height: 0.18)
        pursuit.sighted(Sighting(subject: 2, rect: rect, yaw: nil, exposure: now), pose: door, arrival: now)
        pursuit.expect(Expectation(direction: .zero, until: now + 2))
        guard case .follow = pursuit.step(now: now, pose: door) else {
            Issue.record("it does not follow the person who comes")
            return
        }
    }

    @Test func `without frames nothing turns`() {
        var pursuit = Pursuit(profile: .dlpDock)
        pursuit.expect(Expectation(direction: door, until: 20))
        #expect(pursuit.step(now: 10, pose: .zero) == .still, "no frame has ever come")
        _ = empty(&pursuit, from: 10, until: 11, expecting: door)
        pursuit.expect(Expectation(direction: door, until: 20))
        #expect(pursuit.step(now: 11.5, pose: .zero) == .still)
        #expect(pursuit.phase == .detectorStale && pursuit.deadline == nil)
    }

    @Test func `a reset ends it`() {
        var pursuit = Pursuit(profile: .dlpDock)
        _ = empty(&pursuit, from: 10, until: 11, expecting: door)
        pursuit.reset()
        pursuit.absent(arrival: 11)
        #expect(pursuit.step(now: 11, pose: .zero) == .still && pursuit.phase == .idle)
    }

    @Test func `it ends with the lease of its program, and not with another's`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        func step(_ now: Seconds) -> PanTilt {
            director.pursuit.absent(arrival: now)
            return director.step(
                now: now, motion: MotionSample(time: now, pose: .zero, rate: .zero), speedShare: 1
            ).velocity
        }
        _ = step(10)
        _ = director.apply(.expect(door, duration: 2), program: ProgramID(7), now: 10, pose: .zero)
        _ = step(10.1)
        _ = director.end(LostLease(ProgramID(8), endsTracking: false))
        #expect(step(10.2).pan > 0)
        _ = director.end(LostLease(ProgramID(7), endsTracking: false))
        _ = step(10.3)
        #expect(director.pursuit.phase != .expecting)
    }

    @Test func `frames that return after a silence do not bring it back`() {
        var pursuit = Pursuit(profile: .dlpDock)
        _ = empty(&pursuit, from: 10, until: 10.5)
        pursuit.expect(Expectation(direction: door, until: 20))
        pursuit.absent(arrival: 10.6)
        let before = pursuit.step(now: 10.6, pose: .zero), silent = pursuit.step(now: 11.5, pose: .zero)
        #expect(isGlide(before, toward: door) && silent == .still)
        for step in empty(&pursuit, from: 12, until: 16) { #expect(!isGlide(step.what, toward: door)) }
    }

    @Test func `a rig that does not go home stays where it was, at rest`() {
        var pursuit = Pursuit(profile: .dlpDock)
        pursuit.policy.goesHome = false
        _ = empty(&pursuit, from: 10, until: 11, expecting: door)
        #expect(empty(&pursuit, from: 11, until: 13, at: door).last?.what == .still)
    }

    @Test(arguments: [(TrackingMode.manual, 1.0, "mode manual"), (.custom, 1, "mode custom"), (.system, 2.5, "2 s")])
    func `it is refused in other modes and for longer`(mode: TrackingMode, duration: Seconds, reason: String) {
        var director = MotionDirector(profile: .dlpDock, mode: mode)
        let answer = director.apply(.expect(door, duration: duration), now: 10, pose: .zero)
        guard case .failure(let error) = answer else {
            Issue.record("admitted: \(answer)")
            return
        }
        #expect(error.message.contains(reason))
    }

    @Test func `a stop ends it, and the head stays within its range at 20 degrees per second`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        var pose = PanTilt.zero, rate = PanTilt.zero, fastest = 0.0
        let beyond = PanTilt.degrees(pan: 179, tilt: 0), high = RigProfile.dlpDock.pan.softRange.upperBound
        let dt = 0.02
        for tick in 0..<1500 {
            let now = 10 + Double(tick) * dt
            if tick % 10 == 0 {
                _ = director.apply(.expect(beyond, duration: 0.6), now: now, pose: pose)
                director.pursuit.absent(arrival: now)
            } else if tick % 3 == 0 {
                director.pursuit.absent(arrival: now)
            }
            rate =
                director.step(now: now, motion: MotionSample(time: now, pose: pose, rate: rate), speedShare: 1).velocity
            director.commanded(rate, at: now)
            pose = pose + rate * dt
            fastest = max(fastest, abs(rate.pan))
        }
        #expect(fastest <= .degrees(20.1) && fastest > .degrees(15))
        #expect(pose.pan <= high + 1e-6 && pose.pan > high - .degrees(2), "\(pose.pan.inDegrees)")
        director.halt(toManual: true)
        let still = director.step(now: 41, motion: MotionSample(time: 41, pose: pose, rate: .zero), speedShare: 1)
        #expect(still.velocity == .zero && director.pursuit.phase == .idle)
    }
}
