import Geometry
import Testing

@testable import DockControl

/// The values that several drivers share.
struct SharedValueTests {
    @Test func `each release of the torque is reported once`() {
        var torque = TorqueRequest()
        torque.begin(motionless: false)
        var confirmed = [torque.confirmRelease()]
        torque.request(false)
        #expect(torque.isReleased && torque.isMotionless)
        for _ in 0..<2 { confirmed.append(torque.confirmRelease()) }
        torque.request(false)
        confirmed.append(torque.confirmRelease())
        torque.awaitRelease()
        confirmed.append(torque.confirmRelease())
        // Not requested; once; requested again; greeted again.
        #expect(confirmed == [false, true, false, true, true])
    }

    @Test func `a greeting in a dry run keeps the head released, and one that may move it does not`() {
        var torque = TorqueRequest()
        torque.request(false)
        torque.begin(motionless: true)
        #expect(torque.isReleased && torque.isMotionless)
        torque.begin(motionless: false)
        #expect(!torque.isReleased && !torque.isMotionless)
        torque.begin(motionless: true)
        #expect(!torque.isReleased && torque.isMotionless, "a dry run releases nothing")
        torque.request(true)
        #expect(!torque.isReleased && !torque.isMotionless)
    }

    @Test func `reports take at most half of the line`() {
        var quick = FeedbackRate(reportLength: 60, baud: 1_000_000), slow = FeedbackRate(reportLength: 60, baud: 9600)
        #expect(quick.interval == 0.1 && slow.interval == 0.125)
        (quick.isActive, slow.isActive) = (true, true)
        #expect(quick.interval == 0.02 && slow.interval == 0.125)
        #expect(FeedbackRate(reportLength: 60, baud: 0).interval.isFinite)
        #expect(FeedbackRate().interval == 0.1)
    }

    @Test func `a forgotten pose leaves its age, and its course ends`() {
        var measured = MeasuredPose()
        for tick in 0...4 {
            measured.record(
                .degrees(pan: Double(tick), tilt: 0), measuredAt: Double(tick) * 0.02, now: 10 + Double(tick))
        }
        #expect(abs(measured.rate.pan.inDegrees - 50) < 1e-9 && measured.age(now: 14.5) == 0.5)
        measured.forget()
        #expect(measured.pose == nil && measured.age(now: 15) == 1)
        measured.record(.degrees(pan: 90, tilt: 0), measuredAt: 0.1, now: 15)
        #expect(measured.rate == .zero, "one pose has no rate")
    }

    @Test func `only a change of the fault is a report`() {
        var fault = ReportedFault()
        let present: [DockFault?] = [nil, .stall, .stall, .device, nil, nil]
        let expected: [DockReport?] = [nil, .fault(.stall), nil, .fault(.device), .faultCleared, nil]
        let reports = present.map { fault.update($0) }
        #expect(reports == expected)
    }

    @Test func `a refusal is logged at most every ten seconds`() {
        var notes = NoteLimit()
        let admitted = [0, 1, 9.9, 10, 19, 20].map { notes.admit(now: $0) }
        #expect(admitted == [true, false, false, true, false, true])
    }
}
