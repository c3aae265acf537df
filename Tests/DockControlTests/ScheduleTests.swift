import Geometry
import Testing

@testable import DockControl

/// Silence and the schedule of a turn are values: time goes in, decisions come out.
@Suite struct SilenceWatchTests {
    @Test func `a dock that never reports is silent one second after it became ready`() {
        var watch = SilenceWatch()
        watch.becameReady(now: 10)
        #expect(!watch.isSilent(latest: nil, now: 11) && watch.isSilent(latest: nil, now: 11.01))
        #expect(watch.deadline(latest: nil) == 11 && watch.deadline(latest: 12) == 13)
        #expect(!watch.hasPaused(latest: nil, now: 20), "only a dock that has reported can pause")
        #expect(!watch.hasPaused(latest: 20, now: 20.5) && watch.hasPaused(latest: 20, now: 20.51))
    }

    @Test func `a dock that is moved and does not receive is deaf after half a second, once`() {
        var watch = SilenceWatch()
        let atRest = watch.reported(isUnheard: true, isMoving: false, now: 1)
        #expect(!atRest, "a dock at rest receives nothing, rightly")
        let moved = watch.reported(isUnheard: true, isMoving: true, now: 2)
        let paused = watch.reported(isUnheard: true, isMoving: false, now: 2.3)
        #expect(moved && paused, "the condition lasts through pauses")
        let early = watch.isDeaf(now: 2.5), late = watch.isDeaf(now: 2.51), again = watch.isDeaf(now: 3)
        #expect(!early && late && !again)
    }

    @Test func `a dock that receives again is not deaf`() {
        var watch = SilenceWatch()
        _ = watch.reported(isUnheard: true, isMoving: true, now: 2)
        _ = watch.reported(isUnheard: false, isMoving: true, now: 2.2)
        let isDeaf = watch.isDeaf(now: 4)
        #expect(!isDeaf)
    }
}

@Suite struct TurnScheduleTests {
    @Test func `a requested decision goes as soon as the pacer allows, any other at the refresh`() {
        var schedule = TurnSchedule(pacer: CommandPacer(rate: 20))
        schedule.request()
        #expect(schedule.mayStep(hasFrames: false, now: 1))
        schedule.decided(now: 1)
        schedule.sent(now: 1, isStop: false)
        #expect(!schedule.wantsStep && !schedule.mayStep(hasFrames: true, now: 1.01), "never right after another one")
        #expect(abs(schedule.nextStep(now: 1.01) - 1.05) < 1e-9)
        #expect(!schedule.mayStep(hasFrames: false, now: 1.03) && schedule.mayStep(hasFrames: true, now: 1.03))
        #expect(schedule.mayStep(hasFrames: false, now: 1.05))
        schedule.request()
        #expect(abs(schedule.nextStep(now: 1.01) - (1 + CommandPacer.closest)) < 1e-9)
        schedule.withdraw()
        #expect(!schedule.wantsStep)
    }

    @Test func `the driver is served at the earliest time that was asked for`() {
        var schedule = TurnSchedule(pacer: CommandPacer(rate: 20))
        schedule.service(at: 5)
        schedule.service(by: 3)
        schedule.service(by: 4)
        #expect(schedule.serviceAt == 3)
        schedule.service(at: 9)
        #expect(schedule.serviceAt == 9)
    }
}

@Suite struct DockObservationTests {
    @Test func `a pose is extrapolated for a quarter of a second and then unknown`() throws {
        var observed = DockObservation(profile: .dlpDock)
        #expect(observed.motion(at: 1) == nil)
        observed.keep(MotionSample(time: 1, pose: .zero, rate: PanTilt(pan: 1, tilt: 0)))
        let motion = try #require(observed.motion(at: 1.2))
        #expect(abs(motion.pose.pan - 0.2) < 1e-12 && motion.time == 1)
        #expect(observed.motion(at: 1.26) == nil)
        observed.keep(MotionSample(time: 1.3, pose: .zero, rate: .zero))
        observed.forget()
        #expect(observed.motion(at: 1.3) == nil && observed.poses.latest == nil)
    }
}
