import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

/// Limits of a session, gestures, batteries.
@Suite struct SessionLimitTests {
    @Test func `session limits bind moves, scripts and velocities, and can be withdrawn`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        let answer = try rig.director.apply(
            .setLimits(pan: .set(low: .degrees(-20), high: .degrees(20), speed: .degrees(30)), tilt: .keep),
            now: rig.now, pose: rig.pose
        ).get()
        #expect(
            answer.limits?.pan?.range == .degrees(-20) ... .degrees(20)
                && answer.limits?.tilt?.range.upperBound == .degrees(78))
        guard
            case .failure(let error) = rig.director.apply(
                .orient(.degrees(pan: 30, tilt: 0), duration: 0, relative: false), now: rig.now, pose: rig.pose)
        else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .limitReached && error.hint.contains("-20...20"))
        var fastest = 0.0, farthest = 0.0
        _ = rig.director.apply(.velocity(.degrees(pan: 90, tilt: 0), duration: 4), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 4) {
            fastest = max(fastest, $0.dock.rate.magnitude)
            farthest = max(farthest, $0.dock.pose.pan)
        }
        #expect(fastest.inDegrees < 31.5 && farthest.inDegrees < 20.3 && farthest.inDegrees > 18)
        _ = rig.director.apply(.setLimits(pan: .own, tilt: .own), now: rig.now, pose: rig.pose)
        _ = try rig.director.apply(
            .orient(.degrees(pan: 30, tilt: 0), duration: 0, relative: false), now: rig.now, pose: rig.pose
        ).get()
        rig.run(until: rig.now + 2)
        #expect(abs(rig.dock.pose.pan.inDegrees - 30) < 0.7)
    }

    @Test func `limits that exclude the current pose move nothing, block outward motion, and allow a slow return`() {
        var rig = VirtualRig(pose: .degrees(pan: 60, tilt: 0))
        rig.makeReady()
        _ = rig.director.apply(
            .setLimits(pan: .set(low: .degrees(-20), high: .degrees(20), speed: nil), tilt: .keep), now: rig.now,
            pose: rig.pose)
        let before = rig.dock.pose
        rig.run(until: rig.now + 1)
        #expect((rig.dock.pose - before).magnitude < .degrees(0.1), "nothing moves by itself")
        _ = rig.director.apply(.velocity(.degrees(pan: 40, tilt: 0), duration: 1), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 1)
        #expect((rig.dock.pose - before).magnitude < .degrees(0.1), "outward is blocked")
        var fastest = 0.0
        _ = rig.director.apply(.velocity(.degrees(pan: -90, tilt: 0), duration: 2), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 2) { fastest = max(fastest, $0.dock.rate.magnitude) }
        #expect(rig.dock.pose.pan < before.pan - .degrees(10) && fastest.inDegrees < 10.6)
    }

    @Test(arguments: [
        (LimitChange.set(low: 0.2, high: 0.1, speed: nil), DockError.Code.invalidParameter),
        (.set(low: 0.1, high: 0.1, speed: nil), .invalidParameter),
        (.set(low: .nan, high: 1, speed: nil), .invalidParameter),
        (.set(low: 0, high: 1, speed: 0), .invalidParameter), (.set(low: 0, high: 1, speed: -1), .invalidParameter),
        (.set(low: 10, high: 11, speed: nil), .limitReached),
    ])
    func `invalid limits are refused, and the old ones remain`(change: LimitChange, code: DockError.Code) {
        var director = MotionDirector(profile: .dlpDock, mode: .manual)
        for (pan, tilt) in [(change, LimitChange.keep), (.keep, change), (.own, change)] {
            guard case .failure(let error) = director.apply(.setLimits(pan: pan, tilt: tilt), now: 1, pose: .zero)
            else {
                Issue.record("not refused: \(change)")
                continue
            }
            #expect(error.code == code)
            #expect(director.limits == SessionLimits())
        }
    }

    @Test func `each axis reports why it moves or does not`() {
        var rig = VirtualRig()
        rig.makeReady()
        _ = rig.director.apply(.velocity(.degrees(pan: 20, tilt: 0), duration: 1), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 0.2)
        #expect(rig.director.last.reasons == AxisReasons(pan: .moving, tilt: .nothingToDo))
        _ = rig.director.apply(
            .setLimits(pan: .keep, tilt: .set(low: .degrees(-0.5), high: .degrees(0.1), speed: nil)), now: rig.now,
            pose: rig.pose)
        _ = rig.director.apply(.velocity(.degrees(pan: 20, tilt: 20), duration: 1), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 0.4)
        #expect(rig.director.last.reasons == AxisReasons(pan: .moving, tilt: .limit))
    }

    @Test func `a gesture plays when nothing else moves, and gives way at once`() throws {
        let nod = MotionScript(
            name: "gesture",
            keys: [
                .init(time: 0, pan: 0, tilt: 0), .init(time: 0.5, pan: 0, tilt: -8), .init(time: 1, pan: 0, tilt: 0),
            ])
        var rig = VirtualRig()
        rig.makeReady()
        let before = rig.dock.pose
        _ = try rig.director.apply(.gesture(nod), now: rig.now, pose: rig.pose).get()
        var moved = 0.0
        rig.run(until: rig.now + 1.6) { moved = max(moved, ($0.dock.pose - before).magnitude) }
        #expect(
            moved > .degrees(6) && (rig.dock.pose - before).magnitude < .degrees(0.5) && rig.director.mode == .manual)
        let ended = rig.director.drainEnded()
        #expect(ended.isEmpty && !rig.director.isActive, "it was not requested")
        _ = try rig.director.apply(.gesture(nod), now: rig.now, pose: rig.pose).get()
        _ = rig.director.apply(.velocity(.degrees(pan: 10, tilt: 0), duration: 0.5), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 0.3)
        #expect(rig.director.last.owner == .manual)
        guard case .failure = rig.director.apply(.gesture(nod), now: rig.now, pose: rig.pose) else {
            Issue.record("a gesture came between")
            return
        }
    }

    @Test func `stopped or taken over, the head does not move by itself until a mode is set`() throws {
        let nod = MotionScript(
            name: "gesture", keys: [.init(time: 0, pan: 0, tilt: 0), .init(time: 0.5, pan: 0, tilt: 0)])
        for end in [MotionCommand.stop, .chevron(.zero, duration: 0), .torque(false)] {
            var director = MotionDirector(profile: .dlpDock, mode: .system)
            _ = director.apply(end, now: 1, pose: .zero)
            _ = director.apply(.torque(true), now: 1, pose: .zero)
            _ = director.step(now: 2, motion: MotionSample(time: 2, pose: .zero, rate: .zero), speedShare: 1)
            guard case .failure = director.apply(.gesture(nod), now: 3, pose: .zero) else {
                Issue.record("a gesture after \(end)")
                continue
            }
            _ = director.apply(.setMode(.manual), now: 4, pose: .zero)
            _ = try director.apply(.gesture(nod), now: 5, pose: .zero).get()
        }
    }

    @Test func `the return home for an empty battery continues after an unplug, but not after a stop or a fault`() {
        for (outcome, owes) in [(MotionOutcome.unplugged, true), (.stopped, false), (.faulted, false)] {
            var director = MotionDirector(profile: .dlpDock, mode: .system)
            director.save()
            director.goHomeToSave(now: 1, pose: .degrees(pan: 30, tilt: 0), speedShare: 1)
            #expect(director.isActive && !director.mustGoHome)
            director.halt(outcome, toManual: outcome != .unplugged)
            #expect(director.mustGoHome == owes && !director.isActive)
            director.endSaving()
            #expect(!director.mustGoHome)
        }
        var stopped = MotionDirector(profile: .dlpDock, mode: .system)
        stopped.halt(.stopped, toManual: true)
        stopped.save()
        #expect(!stopped.mustGoHome, "a head that a person stopped stays where it was")
    }

    @Test func `a low battery halves the speed of every path, a critical one sends the head home for good`() throws {
        var policy = BatteryPolicy()
        let news1 = policy.update(BatteryState(level: 0.5, charge: .notCharging, isLow: false))
        #expect(news1)
        let news2 = policy.update(BatteryState(level: 0.495, charge: .notCharging, isLow: false))
        #expect(!news2, "half a percent is no news")
        #expect(policy.share == 1 && !policy.isCritical)
        let news3 = policy.update(BatteryState(name: "motors", level: 0.1, charge: .notCharging, isLow: true))
        #expect(news3)
        #expect(policy.share == 0.5 && policy.batteries.count == 2)
        let news4 = policy.update(BatteryState(name: "motors", level: 0.1, charge: .charging, isLow: true))
        #expect(news4)
        #expect(policy.share == 1, "on the charger it is not low")
        let news5 = policy.update(BatteryState(level: 0.02, charge: .notCharging, isLow: true, isCritical: true))
        #expect(news5)
        #expect(policy.isCritical)

        var rig = VirtualRig(mode: .system, pose: .degrees(pan: 50, tilt: 20))
        rig.makeReady()
        rig.director.supplyShare = policy.share
        rig.director.save()
        #expect(rig.director.mustGoHome)
        rig.director.goHomeToSave(now: rig.now, pose: rig.pose ?? .zero, speedShare: 1)
        #expect(!rig.director.mustGoHome)
        var fastest = 0.0
        rig.run(until: rig.now + 6) { fastest = max(fastest, $0.dock.rate.magnitude) }
        #expect(rig.dock.pose.magnitude < .degrees(0.7), "home: \(rig.dock.pose)")
        #expect(fastest < 0.55 * RigProfile.dlpDock.pan.maxSpeed)
        for command in [
            MotionCommand.home, .chevron(.degrees(pan: 10, tilt: 0), duration: 1), .animate(.yes), .setMode(.system),
        ] {
            guard case .failure(let error) = rig.director.apply(command, now: rig.now, pose: rig.pose) else {
                Issue.record("not refused: \(command)")
                continue
            }
            #expect(error.message.contains("critical"))
        }
        rig.director.endSaving()
        _ = try rig.director.apply(.setMode(.system), now: rig.now, pose: rig.pose).get()
    }
}

/// Motions taught by hand.
@Suite struct FlowingScriptTests {
    static let wave = MotionScript(
        name: "wave",
        keys: (0...20).map { (step: Int) in
            MotionScript.Key(time: Double(step) * 0.1, pan: [0, 15, 30, 15][step % 4], tilt: 0)
        }, path: .flowing)

    @Test func `a script passes its keys without halts, inside speed and acceleration limits`() {
        for profile in [RigProfile.dlpDock, LimitTests.cheap] {
            let run = ScriptRun(Self.wave, from: .zero, profile: profile, start: 0)
            var last = PanTilt.zero
            for step in 0...Int(run.duration * 1000) {
                let now = run.target(at: Double(step) / 1000)
                #expect(now.rate.magnitude <= profile.pan.maxSpeed)
                #expect((now.rate - last).magnitude * 1000 <= profile.pan.maxAcceleration * 1.05)
                last = now.rate
            }
            #expect(run.duration >= 2)
        }
    }

    @Test func `pose and rate of the path agree`() {
        let run = ScriptRun(Self.wave, from: .degrees(pan: 5, tilt: 0), profile: .dlpDock, start: 3)
        for step in 1..<200 {
            let now = 3 + Double(step) * run.duration / 200, h = 1e-5
            let slope = (run.target(at: now + h).pose - run.target(at: now - h).pose) * (1 / (2 * h))
            #expect((slope - run.target(at: now).rate).magnitude < 1e-3)
        }
    }
}

@Suite struct NarrowedLimitTests {
    /// Limits that close in on a dock at full speed: it brakes as hard as it may, ends inside the margin if there was
    /// room enough, and is never pushed outward.
    @Test(arguments: [(true, Axis.pan), (true, .tilt), (false, .pan), (false, .tilt)], [-1.0, 1])
    func `limits that are narrowed at full speed stop it, and never push it outward`(
        rig kind: (isGood: Bool, axis: Axis), direction: Double
    ) throws {
        let axis = kind.axis, cheap = LimitTests.cheap
        for ahead in [-20.0, 0, 10, 40] {
            var rig = VirtualRig(profile: kind.isGood ? .dlpDock : cheap, model: kind.isGood ? .good : .cheap)
            rig.makeReady()
            let speed = axis == .pan ? (kind.isGood ? 110.0 : 85) : 50
            var demand = PanTilt.zero
            demand[axis] = .degrees(speed) * direction
            _ = rig.director.apply(.velocity(demand, duration: 9), now: rig.now, pose: rig.pose)
            rig.run(until: rig.now + (axis == .pan ? 0.7 : 0.45))
            let here = rig.dock.pose[axis] * direction, end = here + .degrees(ahead)
            let far = Double.degrees(-25)
            let low = direction > 0 ? min(far, end - .degrees(5)) : -end
            let high = direction > 0 ? end : max(-far, -end + .degrees(5))
            let change = LimitChange.set(low: low, high: high, speed: nil)
            let answer = rig.director.apply(
                .setLimits(pan: axis == .pan ? change : .keep, tilt: axis == .tilt ? change : .keep), now: rig.now,
                pose: rig.pose)
            guard (try? answer.get()) != nil else { continue }  // no part of it is inside the rig's own
            let acceleration = rig.profile[axis].maxAcceleration, rate = abs(rig.dock.rate[axis])
            // The assumed braking, from when the command acts.
            let delay = rig.profile.commandLatency + 2 * rig.profile[axis].lag + 0.05
            let reach = here + rate * delay + rate * rate / (2 * 0.6 * acceleration)
            var farthest = here
            rig.run(until: rig.now + 0.8) { farthest = max(farthest, $0.dock.pose[axis] * direction) }
            let stands = rig.dock.pose[axis] * direction
            var pushed = 0.0
            rig.run(until: rig.now + 2) { pushed = max(pushed, $0.dock.pose[axis] * direction - stands) }
            farthest = max(farthest, stands + pushed)
            // A dock that stands outside stays there until it is commanded back in.
            if stands > end { #expect(pushed < .degrees(0.5), "pushed outward by \(pushed.inDegrees)") }
            #expect(
                farthest <= max(end + rig.profile[axis].softMargin, reach),
                "\(ahead): \(farthest.inDegrees), end \(end.inDegrees), reach \(reach.inDegrees)")
        }
    }

    @Test func `a clock that stands still or goes back moves nothing faster`() {
        var limiter = AxisLimiter(axis: RigProfile.dlpDock.pan, commandLatency: 0.015, tick: 0.02)
        let most = RigProfile.dlpDock.pan.maxAcceleration * 0.1
        var velocity = 0.0
        for elapsed in [0.02, 0, -5, .infinity, -.infinity, 1e9, 0.02] {
            let next = limiter.step(toward: 99, position: 0, speedShare: 1, elapsed: elapsed)
            #expect(next.isFinite && abs(next - velocity) <= most && next <= RigProfile.dlpDock.pan.maxSpeed)
            velocity = next
        }
        var director = MotionDirector(profile: .dlpDock, mode: .manual)
        let still = MotionSample(time: 10, pose: .zero, rate: .zero)
        _ = director.apply(.velocity(.degrees(pan: 90, tilt: 0), duration: 1), now: 10, pose: .zero)
        _ = director.step(now: 10, motion: still, speedShare: 1)
        let before = director.step(now: 10.02, motion: still, speedShare: 1).velocity.pan
        let back = director.step(now: 3, motion: still, speedShare: 1).velocity.pan
        #expect(back <= before + 1e-9)
    }
}
