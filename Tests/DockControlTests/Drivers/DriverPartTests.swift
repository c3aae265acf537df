import Geometry
import Testing

@testable import DockControl

/// The values that decide in one driver each, without a device.
struct DriverPartTests {
    // MARK: MAVLink

    @Test func `control that was lost is reported as lost once, and checked again only after a while`() {
        var control = MavlinkControl()
        control.requested(now: 0)
        control.granted(now: 0.5)
        let settled = [0.5, 2.4, 2.6].map { control.isSettled(now: $0) }
        #expect(settled == [false, false, true])
        let had = [control.lost(to: (255, 190)), control.lost(to: (255, 190))]
        #expect(had == [true, false] && !control.isOurs && control.owner?.system == 255)
        let due = [3, 4.9, 5].map { control.isCheckDue(now: $0) }
        #expect(due == [true, false, true])
        control.vacated()
        #expect(control.owner == nil)
        control.demand(now: 6)
        let restarts = [control.takeRestart(), control.takeRestart()]
        #expect(restarts == [true, false])
    }

    @Test func `a gimbal that sends other messages for four seconds is used without an identity`() {
        let names = MavlinkNames()
        var silent = MavlinkIdentification(), refusing = MavlinkIdentification()
        silent.restart(now: 0)
        silent.giveUp(now: 100)
        #expect(silent.substitute(names) == nil, "it has sent nothing")
        silent.heard(now: 100)
        silent.heard(now: 103)
        silent.giveUp(now: 104)
        #expect(silent.substitute(names) == nil)
        silent.giveUp(now: 104.1)
        #expect(silent.substitute(names)?.uid == "mavlink-1-154")
        refusing.refused()
        #expect(refusing.substitute(names) != nil)
    }

    @Test func `attitude reports are requested at a rate, and one by one if the gimbal accepts none`() {
        var feed = MavlinkAttitudeFeed(baud: 1_000_000)
        feed.restart(now: 10)
        let first = [10, 10.2, 10.5].map { feed.request(now: $0) }
        #expect(first == [.rate, nil, .rate])
        feed.needsRequests = true
        feed.rate.isActive = true
        let next = [11, 11.01, 11.03].map { feed.request(now: $0) }
        #expect(next == [.report, nil, .report] && feed.patience == 0.02)
    }

    @Test func `a refusal is reported once`() {
        var notices = MavlinkNotices()
        let reports = ["a", "b", "a"].map { notices.report(refusal: $0) }
        #expect(reports == [.refused("a"), .refused("b"), nil])
    }

    // MARK: bus servos

    @Test func `the second servo is read at once, and the two are checked for torque in turn`() {
        var polling = ServoPolling()
        polling.rate.isActive = true
        polling.hasten(now: 1)
        let first = [1, 1.01].map { polling.isFeedbackDue(now: $0) }
        #expect(first == [true, false])
        polling.halfRead()
        let second = polling.isFeedbackDue(now: 1.01)
        #expect(second && polling.nextFeedback == 1.02)
        polling.endReading()
        #expect(!polling.isHalfRead)
        let checks = [1, 1.1, 1.2, 1.4].map { polling.torqueCheck(now: $0) }
        #expect(checks == [1, nil, 0, 1])
    }

    @Test func `the times of measurement rise, and a watchdog is about to bite after most of its time`() {
        var times = ServoTimes()
        times.restart(now: 5)
        times.read(now: 5.1, measured: 5.05)
        times.read(now: 5.2, measured: 5.01)
        #expect(abs(times.measuredAt - 5.051) < 1e-9 && times.readAt == 5.2)
        times.heard(now: 6)
        #expect(!times.isNearTimeout(watchdog: nil, now: 100))
        #expect(!times.isNearTimeout(watchdog: 1, now: 6.6) && times.isNearTimeout(watchdog: 1, now: 6.8))
    }

    @Test func `settings are planned once between two greetings`() {
        var setup = ServoSetup()
        let first = [setup.plan(), setup.plan()]
        setup.restart(now: 1)
        let second = setup.plan()
        #expect(first == [true, false] && second)
    }

    @Test func `a finding is reported once, and again after both servos have answered if it is about an answer`() {
        var setup = ServoSetup()
        let limits = [setup.report("limits"), setup.report("limits")]
        let silence = [setup.advice("silent"), setup.advice("silent")]
        #expect(limits == [true, false] && silence == [.advice("silent"), nil] && setup.findings == ["silent"])
        setup.heardBoth()
        #expect(setup.advice("silent") == .advice("silent") && !setup.report("limits"))
        setup.forgetFindings()
        #expect(setup.findings.isEmpty && setup.advice("silent") == nil && setup.findings == ["silent"])
    }

    @Test func `a silent servo is greeted twice, and then the other one once`() {
        var setup = ServoSetup()
        setup.restart(now: 0)
        let greeted = (0..<7).map { turn in
            defer { setup.greet(at: Double(turn)) }
            return setup.greeted(silent: 1, misses: turn)
        }
        #expect(greeted == [1, 1, 0, 1, 1, 0, 1])
        #expect([1, 2, 3].map { setup.isSilent(misses: $0) } == [false, true, true])
        #expect([10, 11, 12].map { setup.areDamaged(misses: 2, invalidBytes: $0) } == [false, true, true])
    }

    // MARK: Waveshare

    @Test func `only the echo of the newest torque line confirms it`() {
        var echo = TorqueEcho()
        echo.want(false, now: 1)
        let old = Array(echo.line(false).utf8)
        echo.want(false, now: 2)
        #expect(echo.due == 2)
        echo.sent(now: 2)
        #expect(echo.due == 2.1)
        let late = echo.confirm(old), right = echo.confirm(Array(echo.line(false).utf8) + [0x0D])
        #expect(late == nil && right == false && echo.due == nil)
        let again = echo.confirm(Array(echo.line(false).utf8))
        #expect(again == nil, "nothing waits for it")
    }

    @Test func `a goal is repeated soon until the servos stand, and then seldom`() {
        var hold = HoldSchedule()
        hold.begin(at: 1)
        hold.sent(isSettled: false, now: 1)
        #expect(hold.due == 1.1)
        hold.sent(isSettled: true, now: 2)
        #expect(hold.due == 2.5)
        hold.end()
        #expect(hold.due == nil)
    }

    @Test func `a board whose reports are missing is reminded ten times a second`() {
        var reports = BoardReports(baud: 115_200)
        reports.restart(now: 1)
        #expect(reports.interval == 100)
        let due = [(0.2, 1.0), (0.4, 1.1), (0.5, 1.15), (0.5, 1.25)].map {
            reports.isReminderDue(age: $0.0, now: $0.1)
        }
        #expect(due == [false, true, false, true])
        reports.rate.isActive = true
        #expect(reports.interval == 21, "half of the line")
    }

    // MARK: VISCA

    @Test func `the greeting skips what a camera need not know, and starts again if there may be no camera`() {
        let camera = ViscaAddress(number: 1)
        var greeting = ViscaGreeting(camera)
        let skipped = (0..<3).map { greeting.failed(now: Double($0), isRefused: false) }
        #expect(skipped == [false, false, false] && greeting.step == .clear)
        greeting.advance(now: 3)
        let silent = (0..<3).map { greeting.failed(now: Double($0), isRefused: false) }
        #expect(greeting.step == .version && silent == [false, false, true])
        var refusing = ViscaGreeting(camera)
        refusing.advance(now: 0)
        refusing.advance(now: 0)
        let refused = (0..<3).map { refusing.failed(now: Double($0), isRefused: true) }
        #expect(refused == [false, false, false] && refusing.step == .power)
    }

    @Test func `a stop is repeated ten times, in turn with inquiries`() {
        var stop = ViscaStop()
        stop.requested()
        stop.failed()
        let turns = (0..<3).map { _ in stop.isRepeatDue(inquiryDue: true) }
        #expect(turns == [true, false, false])
        let free = (0..<9).map { _ in stop.isRepeatDue(inquiryDue: false) }
        #expect(free.allSatisfy { $0 })
        stop.failed()
        #expect(!stop.isPending, "now the loop watches whether the camera stands still")
        stop.answered()
        stop.failed()
        #expect(stop.isPending)
        stop.settled()
        #expect(!stop.isPending)
    }

    @Test func `the newest velocity waits, at most for a while, and a refused one waits again`() {
        var velocity = ViscaVelocity()
        let (slow, fast) = (PanTilt(pan: 0.1, tilt: 0), PanTilt(pan: 0.2, tilt: 0))
        velocity.hold(slow, now: 0)
        velocity.hold(fast, now: 0.1)
        let next = velocity.next(now: 0.2)
        #expect(next == fast)
        let late = velocity.next(now: 0.4)
        #expect(late == nil && !velocity.isWaiting)
        velocity.wrote(slow, now: 1)
        velocity.refused()
        let again = velocity.next(now: 1.1)
        #expect(again == slow && velocity.isDriving && velocity.wasWritten(after: 0.9))
        velocity.hold(fast, now: 1.1)
        velocity.refused()
        let newest = velocity.next(now: 1.2)
        #expect(newest == fast)
        velocity.forget()
        #expect(!velocity.isDriving && !velocity.isWaiting)
    }

    @Test func `a position is dated between its inquiry and its answer, or at its arrival without one`() {
        var positions = ViscaPositions(baud: 9600)
        positions.sent(length: 0, now: 1)
        let answered = positions.measured(now: 1.1 + 110.0 / 9600)
        #expect(abs(answered - 1.05) < 1e-9)
        let unasked = positions.measured(now: 2 + 110.0 / 9600)
        #expect(abs(unasked - 2) < 1e-9)
    }

    // MARK: Maestro

    @Test func `an answer is as many bytes as its question has, and others keep the line quiet`() {
        var talk = MaestroTalk(baud: 9600)
        let none = talk.receive(7, now: 1)
        #expect(none == nil && talk.invalidBytes == 1 && talk.quietUntil == 1 + MaestroTalk.answerTime / 2)
        _ = talk.ask(.errors, now: 2)
        let half = talk.receive(0x34, now: 2.01), whole = talk.receive(0x12, now: 2.02)
        #expect(half == nil && whole == MaestroTalk.Answer(question: .errors, askedAt: 2, words: [0x1234]))
        _ = talk.ask(.pulses, now: 3)
        _ = talk.receive(1, now: 3.01)
        talk.giveUp(now: 3.1)
        #expect(talk.invalidBytes == 2 && talk.until == nil && talk.quietUntil == 3.1 + MaestroTalk.drain)
    }

    @Test func `greetings name the device every second time`() {
        var schedule = MaestroSchedule()
        schedule.restart(now: 0)
        let named = (0..<4).map { schedule.greet(now: Double($0)) }
        #expect(named == [false, true, false, true])
    }
}
