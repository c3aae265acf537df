import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

/// How motions end, and which ends restore the previous mode.
@Suite struct OutcomeTests {
    /// What can end an animation early.
    enum Cause: CaseIterable {
        case stop, emergencyStop, fault, unplug, takeOver

        /// Ends the motion and returns the expected outcome.
        func happen(to director: inout MotionDirector) -> MotionOutcome {
            switch self {
            case .stop:
                _ = director.apply(.stop, now: 1.2, pose: .zero)
                return .stopped
            case .emergencyStop:
                _ = director.apply(.emergencyStop, now: 1.2, pose: .zero)
                return .emergencyStopped
            case .fault:
                director.halt(.faulted, toManual: true)
                return .faulted
            case .unplug:
                director.halt(.unplugged, toManual: false)
                return .unplugged
            case .takeOver:
                _ = director.apply(.chevron(.degrees(pan: 11, tilt: 0), duration: 0.25), now: 1.2, pose: .zero)
                return .takenOver
            }
        }
    }

    static let scripts = MotionScript.Name.allCases.map(MotionScript.named)

    @Test(arguments: Cause.allCases, scripts)
    func `a stop, a fault, an unplug and manual motion cancel the restore`(cause: Cause, script: MotionScript) throws {
        for mode in [TrackingMode.system, .custom, .manual] {
            var director = MotionDirector(profile: .dlpDock, mode: mode)
            let id = try director.apply(.animate(script), now: 1, pose: .zero).get().motion
            let outcome = cause.happen(to: &director)
            #expect(director.script == nil && director.mode == .manual)
            let ended = director.drainEnded()
            #expect(ended.map(\.outcome) == [outcome] && ended.map(\.id) == [id] && ended.first?.name == script.name)
        }
    }

    @Test(arguments: scripts, [MotionOutcome.completed, .cancelled, .limited])
    func `its end, its own handle and a limit restore the mode`(
        script: MotionScript, outcome: MotionOutcome
    ) throws {
        for mode in [TrackingMode.system, .custom, .manual] {
            var rig = VirtualRig(mode: mode)
            rig.makeReady()
            let id = try #require(rig.director.apply(.animate(script), now: rig.now, pose: rig.pose).get().motion)
            switch outcome {
            case .cancelled:
                rig.run(until: rig.now + 0.2)
                _ = try rig.director.apply(.cancel(id, .cancelled), now: rig.now, pose: rig.pose).get()
            case .limited:
                // Between the limits no room is left: the motion is held at once.
                rig.run(until: rig.now + 0.05)
                let here = rig.pose ?? .zero
                let wall = Double.degrees(0.05)
                _ = try rig.director.apply(
                    .setLimits(
                        pan: .set(low: here.pan - wall, high: here.pan + wall, speed: nil),
                        tilt: .set(low: here.tilt - wall, high: here.tilt + wall, speed: nil)),
                    now: rig.now, pose: rig.pose
                ).get()
                rig.run(until: rig.now + 2)
            default: rig.run(until: rig.now + 4.5)
            }
            let ended = rig.director.drainEnded()
            #expect(ended.map(\.id) == [id] && ended.map(\.outcome) == [outcome], "\(script.name): \(ended)")
            #expect(rig.director.mode == mode && rig.director.script == nil)
        }
    }

    @Test func `a newer move replaces the older one, and both report how they ended`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        let first = try rig.director.apply(
            .orient(.degrees(pan: 40, tilt: 0), duration: 2, relative: false), now: rig.now, pose: rig.pose
        ).get()
        rig.run(until: rig.now + 0.5)
        let second = try rig.director.apply(.home, now: rig.now, pose: rig.pose).get()
        rig.run(until: rig.now + 2)
        let ended = rig.director.drainEnded(), again = rig.director.drainEnded()
        #expect(ended.map(\.outcome) == [.superseded, .completed])
        #expect(first.motion != second.motion && rig.director.motion == nil)
        #expect(again.isEmpty, "reported once")
        let late = rig.director.apply(
            .cancel(first.motion ?? MotionID(0), .cancelled), now: rig.now, pose: rig.pose)
        guard case .failure(let error) = late else {
            Issue.record("a motion that is over cannot be cancelled")
            return
        }
        #expect(error.code == .invalidParameter)
    }

    @Test func `a manual move outranks an animation that began in mode manual, not one from another mode`() throws {
        var director = MotionDirector(profile: .dlpDock, mode: .manual)
        _ = director.apply(.animate(.yes), now: 1, pose: .zero)
        _ = try director.apply(.home, now: 1.1, pose: .zero).get()
        let ended = director.drainEnded()
        #expect(ended.map(\.outcome) == [.superseded] && director.mode == .manual)
        director = MotionDirector(profile: .dlpDock, mode: .system)
        _ = director.apply(.animate(.yes), now: 1, pose: .zero)
        guard case .failure(let error) = director.apply(.home, now: 1.1, pose: .zero) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .busy && error.hint == "type `mode manual` first" && director.script != nil)
    }

    @Test func `a move that falls short is reported, and one that is slowed down continues until it arrives`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        _ = rig.director.apply(
            .orient(.degrees(pan: 60, tilt: 0), duration: 0, relative: false), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 0.1)
        _ = rig.director.apply(
            .setLimits(pan: .set(low: .degrees(-90), high: .degrees(90), speed: .degrees(10)), tilt: .keep),
            now: rig.now,
            pose: rig.pose)
        rig.run(until: rig.now + 4)
        #expect(rig.director.motion != nil, "it is still in progress")
        rig.run(until: rig.now + 4)
        let slow = rig.director.drainEnded()
        #expect(slow.map(\.outcome) == [.completed] && abs(rig.dock.pose.pan.inDegrees - 60) < 0.7)
        var stuck = MotionDirector(profile: .dlpDock, mode: .manual)
        let duration = try stuck.apply(
            .orient(.degrees(pan: 20, tilt: 0), duration: 0, relative: false), now: 0, pose: .zero
        ).get().duration
        for tick in 0...Int(((duration ?? 0) + 1) * 50) {
            let now = Double(tick) / 50
            _ = stuck.step(now: now, motion: MotionSample(time: now, pose: .zero, rate: .zero), speedShare: 1)
        }
        let short = stuck.drainEnded()
        #expect(short.map(\.outcome) == [.limited], "an axis that does not turn never arrives")
    }

    @Test
    func
        `reported limits may be set again, and a resting axis outside them does not block the other axis`()
        throws
    {
        var director = MotionDirector(profile: .dlpDock, mode: .manual)
        let low = director.rig.tilt.softRange.lowerBound
        let target = PanTilt(pan: 0, tilt: (low * 1e7).rounded() / 1e7 - 1e-7)
        _ = try director.apply(.orient(target, duration: 1, relative: false), now: 1, pose: .zero).get()
        let outside = PanTilt(pan: 0, tilt: low - .degrees(0.3))
        _ = try director.apply(
            .orient(.degrees(pan: 10, tilt: 0), duration: 1, relative: true), now: 2, pose: outside
        ).get()
        _ = try director.apply(
            .orient(.degrees(pan: 0, tilt: 0.1), duration: 1, relative: true), now: 3, pose: outside
        ).get()
        guard
            case .failure(let error) = director.apply(
                .orient(.degrees(pan: 0, tilt: -0.1), duration: 1, relative: true), now: 4, pose: outside)
        else {
            Issue.record("a target further out is refused")
            return
        }
        #expect(error.code == .limitReached)
    }

    @Test func `progress runs from 0 to 1`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        let receipt = try rig.director.apply(
            .orient(.degrees(pan: 20, tilt: 5), duration: 2, relative: false), now: rig.now, pose: rig.pose
        ).get()
        #expect(receipt.duration == 2)
        let motion = try #require(rig.director.motion)
        #expect(motion.id == receipt.motion && motion.name == "orient")
        #expect(motion.fraction(at: rig.now) == 0 && abs(motion.fraction(at: rig.now + 1) - 0.5) < 1e-9)
        #expect(motion.fraction(at: rig.now + 9) == 1)
    }
}
