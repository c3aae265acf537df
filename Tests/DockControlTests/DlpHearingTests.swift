import DockControl
import DockSimulator
import DockWire
import Geometry
import Testing

/// Whether the dock hears, derived from the set-point number in its reports.
@Suite struct DlpHearingTests {
    /// A dock whose reports are changed, some of them preceded by one more message.
    private static func rewriting(_ change: @escaping (inout MotionReport) -> DockMessage?) -> ([UInt8]) -> [UInt8] {
        { bytes in
            var decoder = FrameDecoder(), encoder = FrameEncoder(), changed: [UInt8] = []
            for byte in bytes {
                guard let frame = try? decoder.push(byte), var message = try? DockMessage(frame) else { continue }
                if case .motion(var report) = message {
                    if let more = change(&report) { changed += encoder.encode(more).array }
                    message = .motion(report)
                }
                changed += encoder.encode(message).array
            }
            return changed
        }
    }

    @Test func `a dock that goes deaf while it stands still is not mistaken for a blocked one`() {
        var rig = VirtualRig()
        rig.makeReady()
        rig.run(until: rig.now + 1)
        var unheard: [Seconds] = []
        func noteUnheard(_ rig: VirtualRig) {
            for report in rig.lastReports {
                if case .motion(_, deadmanTripped: true) = report { unheard.append(rig.now) }
            }
        }
        _ = rig.director.apply(.velocity(.degrees(pan: 30, tilt: 10), duration: 1), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 2, watch: noteUnheard)
        #expect(unheard.isEmpty, "a dock that hears: \(unheard)")
        rig.isCut = true
        let deaf = rig.now
        _ = rig.director.apply(.velocity(.degrees(pan: 30, tilt: 10), duration: 1), now: rig.now, pose: rig.pose)
        rig.run(until: deaf + 0.4, watch: noteUnheard)
        #expect(!rig.dock.flags.contains(.deadman), "it stood still, so it has nothing to stop")
        #expect(unheard.first.map { $0 - deaf < 0.3 } ?? false, "\(unheard)")
        rig.isCut = false
        unheard = []
        rig.run(until: rig.now + 0.05)
        rig.run(until: rig.now + 1, watch: noteUnheard)
        #expect(unheard.isEmpty, "it hears again: \(unheard)")
    }

    @Test func `a dock that refuses set-points counts as hearing`() {
        var rig = VirtualRig()
        rig.makeReady()
        rig.rewrite = Self.rewriting { report in
            report.lastSetpointSequence = 1
            // It accepts none of them, and reports that twice a second.
            guard report.microseconds / 20_000 % 25 == 0 else { return nil }
            return .acknowledge(Acknowledgement(ofType: FrameType.setpoint, ofSequence: 0, code: .lowPower))
        }
        _ = rig.director.apply(.velocity(.degrees(pan: 5, tilt: 0), duration: 20), now: rig.now, pose: rig.pose)
        var unheard = 0, reports = 0
        rig.run(until: rig.now + 5) { rig in
            for report in rig.lastReports {
                guard case .motion(_, let isUnheard) = report else { continue }
                (reports, unheard) = (reports + 1, unheard + (isUnheard ? 1 : 0))
            }
        }
        #expect(reports > 100 && unheard < 5, "\(unheard) of \(reports)")
    }

    @Test func `a firmware that never reports which set-point it accepted is not called deaf`() {
        var rig = VirtualRig()
        rig.rewrite = Self.rewriting { report in
            report.lastSetpointSequence = 0
            return nil
        }
        rig.makeReady()
        _ = rig.director.apply(.velocity(.degrees(pan: 5, tilt: 0), duration: 20), now: rig.now, pose: rig.pose)
        var unheard = 0
        rig.run(until: rig.now + 20) { rig in
            for report in rig.lastReports { if case .motion(_, deadmanTripped: true) = report { unheard += 1 } }
        }
        #expect(unheard == 0)
    }
}
