import DockSimulator
import Geometry
import Testing
import TestSupport

@testable import DockControl

/// The zoom of a VISCA camera.
@Suite struct ViscaLensTests {
    @Test func `the lens goes to its target, the newest target wins, and a stop waits for at most one packet of it`() {
        let rig = DriverRows.visca.rig { $0.options["zoom_max"] = 10 }
        rig.run(2)
        #expect(rig.abilities.magnification == 1...10)
        for (magnification, lens) in [(10.0, 0x4000), (1, 0), (3.162_277_66, 0x2000), (99, 0x4000)] {
            rig.zoom(to: 2)
            rig.zoom(to: magnification)
            rig.run(3)
            #expect(rig.line.dock.electronics.lens == lens, "\(magnification)")
        }
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 10))
        rig.run(1)
        rig.zoom(to: 5)
        rig.give(.stop)
        rig.run(0.5)
        #expect(abs(rig.speed) < 0.5 && rig.line.dock.electronics.lens > 0x2000)
        #expect(ViscaAddress(number: 1).zoom(0x2000) == [0x81, 0x01, 0x04, 0x47, 2, 0, 0, 0, 0xFF])
        let without = DriverRows.visca.rig()
        without.run(2)
        without.zoom(to: 5)
        without.run(0.5)
        #expect(without.abilities.magnification == nil && without.line.dock.electronics.lens == 0)
    }

    /// The positions of an EVI-D100 at equal factors, of an EVI-D70 with its own curve, and of the digital zoom.
    @Test(arguments: [
        (10.0, 0.0, 0x2000, 3.162), (10, 0, 0x4000, 10), (10, 0, 0, 1), (18, 0.4, 0x3B4B, 11.9), (18, 0.4, 0x4000, 18),
        (18, 0.4, 0, 1), (10, 0, 0x6000, 20), (10, 0, 0x7000, 40),
    ])
    func `a position of the lens is a magnification`(most: Double, curve: Double, place: Int, expected: Double) throws {
        let law = try #require(LensLaw(options: ["zoom_max": most, "zoom_curve": curve]))
        let magnification = law.magnification(at: place)
        #expect(abs(magnification - expected) < 0.05 * expected, "\(magnification)")
        if place <= 0x4000 { #expect(abs(law.place(of: magnification) - place) <= 1) }
    }

    @Test func `a camera without a known zoom has no law`() {
        #expect(LensLaw(options: [:]) == nil && LensLaw(options: ["zoom_max": 1]) == nil)
    }

    private func zoom(_ change: (inout RigProfile) -> Void = { $0.options["zoom_max"] = 10 }) -> ViscaZoom {
        var profile = RigProfile.dlpDock
        change(&profile)
        return ViscaZoom(profile: profile)
    }

    @Test func `the lens is followed while it moves, and again after a remote control has moved it`() {
        var lens = zoom()
        lens.greeted(now: 1)
        #expect(lens.isInquiryDue(now: 1))
        lens.asked(now: 1)
        lens.measured(0, now: 1.05)
        let nothing = lens.takeReport(now: 1.05)
        #expect(nothing == nil, "it is where it was assumed to be")
        lens.want(10)
        let place = lens.next(now: 2), begun = lens.takeReport(now: 2.02)
        #expect(place == 0x4000 && begun == LensReport(magnification: 1, isMoving: true, time: 2))
        var reports: [LensReport] = []
        for (now, place) in [(2.2, 0), (2.4, 0x2000), (2.6, 0x4000), (2.8, 0x4000), (3, 0x4000)] {
            #expect(lens.isInquiryDue(now: now))
            lens.asked(now: now)
            lens.measured(place, now: now)
            if let report = lens.takeReport(now: now) { reports.append(report) }
        }
        #expect(reports.map(\.isMoving) == [true, true, false] && reports.last?.magnification == 10)
        #expect(!lens.isInquiryDue(now: 4.9) && lens.isInquiryDue(now: 5.1))
        lens.measured(0x3000, now: 5.1)
        let moved = lens.takeReport(now: 5.1)
        lens.measured(0x3000, now: 5.3)
        let rests = lens.takeReport(now: 5.3)
        #expect(moved?.isMoving == true && rests?.isMoving == false && rests?.magnification == moved?.magnification)
    }

    @Test func `a camera that refuses to zoom does not keep the head waiting`() {
        var lens = zoom()
        lens.greeted(now: 0)
        lens.want(5)
        var sent = 0
        for step in 1...10 {
            let now = Double(step)
            guard lens.next(now: now) != nil else { continue }
            sent += 1
            lens.refused(now: now + 0.1)
        }
        let rests = lens.takeReport(now: 20)
        #expect(sent == ViscaZoom.attempts && rests?.isMoving != true)
        lens.want(4)
        let again = lens.next(now: 21)
        #expect(again != nil, "the next request is tried")
    }

    @Test func `a camera that falls silent about its lens does not keep the head waiting`() {
        var lens = zoom()
        lens.greeted(now: 0)
        lens.measured(0, now: 0.1)
        lens.measured(0x1000, now: 2.1)
        let moved = lens.takeReport(now: 2.1)
        for _ in 0..<ViscaZoom.attempts { lens.unanswered() }
        let rests = lens.takeReport(now: 3)
        #expect(moved?.isMoving == true && rests?.isMoving == false && rests?.magnification == moved?.magnification)
        // The answers of a lens at rest differ a little.
        var still = zoom()
        still.greeted(now: 0)
        still.measured(0x1000, now: 0.1)
        _ = still.takeReport(now: 0.1)
        still.measured(0x1010, now: 2.1)
        let trembles = still.takeReport(now: 2.1)
        #expect(trembles?.isMoving != true)
    }

    @Test func `the lens of a camera that does not report it is assumed to arrive after four seconds`() {
        var lens = zoom()
        lens.greeted(now: 0)
        for _ in 0..<ViscaZoom.attempts { lens.unanswered() }
        #expect(!lens.isInquiryDue(now: 9))
        lens.want(4)
        _ = lens.next(now: 10)
        let begun = lens.takeReport(now: 10), early = lens.takeReport(now: 13.9), arrived = lens.takeReport(now: 14)
        #expect(begun?.isMoving == true && early == nil)
        #expect(arrived == LensReport(magnification: 4, isMoving: false, time: 14))
    }
}
