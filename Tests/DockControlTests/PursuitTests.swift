import DockTypes
import Geometry
import Testing

@testable import DockControl

@Suite struct PursuitTests {
    private let period = 1.0 / 15

    /// A person at x (walking at `speed`, image widths per second) for some frames from t = 10.
    private func seen(at x: Double = 0.5, walking speed: Double = 0, frames: Int = 30) -> (Pursuit, Seconds) {
        var pursuit = Pursuit(profile: .dlpDock)
        var now = 10.0
        for frame in 0..<frames {
            now = 10 + Double(frame) * period
            let rect = Rect(
                center: Point(x: x + speed * (now - 10), y: 0.45), width: 0.1, height: 0.18)
            pursuit.sighted(
                Sighting(subject: 1, rect: rect, yaw: nil, exposure: now - 0.045), pose: .zero, arrival: now)
            _ = pursuit.step(now: now, pose: .zero)
        }
        return (pursuit, now)
    }

    /// Frames without the subject, one step after each. Returns the last result.
    private func absent(_ pursuit: inout Pursuit, from now: Seconds, until end: Seconds, pose: PanTilt) -> Pursue {
        var answer = Pursue.still, time = now
        while time + period <= end {
            time += period
            pursuit.absent(arrival: time)
            answer = pursuit.step(now: time, pose: pose)
        }
        return answer
    }

    @Test func `a lost subject is extrapolated, waited for, searched for where it left, and then the head goes home`() {
        var (pursuit, now) = seen(at: 0.6, walking: 0.15)
        let pose = PanTilt.degrees(pan: 30, tilt: 5)
        guard case .follow = absent(&pursuit, from: now, until: now + 0.4, pose: pose) else {
            Issue.record("did not extrapolate")
            return
        }
        #expect(pursuit.phase == .coasting)
        guard case .turn(let velocity) = absent(&pursuit, from: now + 0.4, until: now + 1.6, pose: pose) else {
            Issue.record("did not search")
            return
        }
        #expect(pursuit.phase == .searching)
        #expect(velocity.pan > 0 && velocity.pan <= .degrees(20) + 1e-9)  // it left to the right
        guard case .glide(let goal, let speed) = absent(&pursuit, from: now + 1.6, until: now + 4, pose: pose) else {
            Issue.record("did not go home")
            return
        }
        #expect(goal == .zero && speed <= .degrees(30) + 1e-9)
        #expect(absent(&pursuit, from: now + 4, until: now + 4.2, pose: .zero) == .still)
        #expect(pursuit.phase == .idle)
        now += 1
    }

    @Test func `a person who vanished from the middle is waited for there, before the head goes home`() {
        var (pursuit, now) = seen()
        let pose = PanTilt.degrees(pan: 10, tilt: 0)
        #expect(absent(&pursuit, from: now, until: now + 2.4, pose: pose) == .turn(.zero))
        _ = absent(&pursuit, from: now + 2.4, until: now + 3, pose: pose)
        #expect(pursuit.phase == .homing)
    }

    @Test func `search and home can be switched off`() {
        var (pursuit, now) = seen(at: 0.9)
        pursuit.policy.searches = false
        pursuit.policy.goesHome = false
        #expect(absent(&pursuit, from: now, until: now + 5, pose: .degrees(pan: 20, tilt: 0)) == .still)
    }

    @Test func `without frames it stands still and never searches or goes home`() {
        var (pursuit, now) = seen(at: 0.9, walking: 0.1)
        for step in 1...100 {
            let later = now + pursuit.staleAfter + Double(step) * 0.05
            let answer = pursuit.step(now: later, pose: .degrees(pan: 30, tilt: 0))
            #expect(answer == .still)
            #expect(pursuit.phase == .detectorStale)
        }
        #expect(pursuit.deadline == nil)
    }

    @Test func `stale is 2.5 periods and at least 0.12 s`() {
        let (slow, _) = seen(frames: 120)
        #expect(abs(slow.staleAfter - 2.5 / 15) < 0.01)
        var (quick, now) = seen(frames: 2)
        for frame in 1...200 {
            let time = now + Double(frame) / 60
            quick.absent(arrival: time)
        }
        #expect(quick.staleAfter == 0.12)
    }

    @Test func `frames that return without the subject allow it time again before anything moves`() {
        var (pursuit, now) = seen(at: 0.9)
        _ = pursuit.step(now: now + 5, pose: .zero)
        #expect(pursuit.phase == .detectorStale)
        pursuit.absent(arrival: now + 5.1)
        for later in [5.1, 5.25, 5.4, 5.55, 5.65] {
            let still = pursuit.step(now: now + later, pose: .zero)
            #expect(still == .still, "moved at once after a stale detector")
            pursuit.absent(arrival: now + later)
        }
        guard case .turn = pursuit.step(now: now + 5.75, pose: .zero) else {
            Issue.record("then it is searched for, as when it is lost")
            return
        }
    }

    @Test func `the lead room follows the direction of the face slowly: a glance aside hardly turns the head`() {
        var (pursuit, now) = seen()
        func goal() -> Double {
            guard case .follow(let goal, _, _, _, _) = pursuit.step(now: now, pose: .zero) else { return .nan }
            return goal.pan.inDegrees
        }
        func look(_ yaw: Double?, frames: Int) {
            for _ in 0..<frames {
                now += period
                let rect = Rect(center: Point(x: 0.5, y: 0.45), width: 0.1, height: 0.18)
                pursuit.sighted(
                    Sighting(subject: 1, rect: rect, yaw: yaw, exposure: now - 0.045), pose: .zero, arrival: now)
            }
        }
        look(0, frames: 15)
        let before = goal()
        look(0.8, frames: 1)
        let glance = goal() - before
        look(0.8, frames: 30)
        let turned = goal() - before
        #expect(turned > 3 && glance < 0.2 * turned && glance > 0, "\(glance), \(turned)")
        look(nil, frames: 1)
        #expect(abs(goal() - before) < 0.1, "a detector that no longer reports the direction")
    }

    @Test func `a single frame below the pole, which may be noise, does not release the frozen pan`() {
        var pursuit = Pursuit(profile: .dlpDock)
        let camera = CameraModel(camera: RigProfile.Camera()), pose = PanTilt.degrees(pan: 40, tilt: 70)
        func look(_ elevation: Double, frame: Int) -> Pursue {
            let now = 10 + Double(frame) * period
            // Outside the head's own plane: accepting it would turn pan.
            let place = camera.project(.degrees(pan: 75, tilt: elevation), from: pose) ?? Point(x: 0.5, y: 0.5)
            pursuit.sighted(
                Sighting(
                    subject: 1, rect: Rect(center: place, width: 0.1, height: 0.18), yaw: nil, exposure: now - 0.045),
                pose: pose, arrival: now)
            return pursuit.step(now: now, pose: pose)
        }
        var turns = 0
        for frame in 0..<60 {
            guard case .follow(_, let rate, _, _, let holdsPan) = look(frame % 15 == 5 ? 80 : 83, frame: frame) else {
                Issue.record("does not follow")
                continue
            }
            if frame > 3, !holdsPan || rate.pan != 0 { turns += 1 }
        }
        #expect(turns == 0)
        for frame in 60..<70 { _ = look(74, frame: frame) }
        guard case .follow(let goal, _, _, _, let holdsPan) = look(74, frame: 70) else {
            Issue.record("does not follow")
            return
        }
        #expect(!holdsPan && goal.pan > pose.pan, "a person who has come down is followed")
    }

    @Test func `a sighting in a gap of the reports proves nothing, and is followed`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system), poses = PoseHistory()
        for step in 0..<50 { poses.append(MotionSample(time: 9 + Double(step) * 0.02, pose: .zero, rate: .zero)) }
        func see(_ x: Double, at exposure: Seconds) {
            let rect = Rect(center: Point(x: x, y: 0.45), width: 0.1, height: 0.18)
            let sighting = Sighting(subject: 1, rect: rect, yaw: nil, exposure: exposure)
            let frame = SteeringFrame(
                source: .detector, subject: .seen(sighting, from: .zero), time: exposure,
                camera: CameraModel(camera: RigProfile.dlpDock.camera))
            director.steer(by: .frame(frame), poses: poses, now: exposure + 0.045)
        }
        see(0.5, at: 9.9)
        let known = director.pursuit.signs
        // The last report is of 9.98 s.
        see(0.6, at: 10.1)
        #expect(director.pursuit.signs == known && director.pursuit.sighting?.exposure == 10.1)
        poses.append(MotionSample(time: 10.12, pose: .zero, rate: .zero))
        see(0.6, at: 10.115)
        #expect(director.pursuit.signs != known)
    }

    @Test func `a frozen pan stands still, whatever speed a late report claims`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        let pose = PanTilt.degrees(pan: 20, tilt: 78)
        for frame in 0..<20 {
            let now = 10 + Double(frame) * period
            director.pursuit.sighted(
                Sighting(
                    subject: 1, rect: Rect(center: Point(x: 0.52, y: 0.3), width: 0.1, height: 0.1), yaw: nil,
                    exposure: now - 0.03), pose: pose, arrival: now)
            let motion = MotionSample(time: now - 0.15, pose: pose, rate: .degrees(pan: 40, tilt: 0))
            let step = director.step(now: now, motion: motion, speedShare: 1)
            if frame > 3 { #expect(step.velocity.pan == 0, "\(frame)") }
        }
        #expect(abs(director.pursuit.estimator.position.tilt.inDegrees) > 82)
    }

    @Test func `near its own axis the pan angle is frozen`() {
        var pursuit = Pursuit(profile: .dlpDock)
        let pose = PanTilt.degrees(pan: 20, tilt: 78)
        for frame in 0..<5 {
            pursuit.sighted(
                Sighting(
                    subject: 1, rect: Rect(center: Point(x: 0.52, y: 0.3), width: 0.1, height: 0.1), yaw: nil,
                    exposure: 10 + Double(frame) * 0.03), pose: pose, arrival: 10 + Double(frame) * 0.03)
        }
        if abs(pursuit.estimator.position.tilt.inDegrees) > 82 {
            guard case .follow(let goal, let rate, _, _, let holdsPan) = pursuit.step(now: 10.15, pose: pose) else {
                Issue.record("does not follow")
                return
            }
            #expect(holdsPan && goal.pan == pose.pan && rate.pan == 0)
        } else {
            Issue.record("the scene does not reach the pole")
        }
    }
}
