import DockSimulator
import Geometry
import Testing

@testable import Companion
@testable import DockControl

/// The duration of each stage, measured in virtual time against rigs with known latencies.
@Suite struct LatencyTests {
    private func figures(_ rig: RerunRig, _ stage: LatencyStage) throws -> StageFigures {
        try #require(rig.snapshot.timing.latency.first { $0.stage == stage })
    }

    /// Turns back and forth with pauses, in front of a person who sits still.
    private func swing(_ model: RigModel, profile: RigProfile = .dlpDock, times: Int = 8) -> RerunRig {
        let rig = RerunRig(profile: profile, model: model, mode: .manual)
        rig.people = { _ in [PanTilt(pan: 0.02, tilt: 0.03)] }
        rig.run(3)
        for time in 0..<times {
            let way = time % 2 == 0 ? 0.4 : -0.4
            rig.ask(.motion(.velocity(PanTilt(pan: way, tilt: time % 3 == 0 ? way / 2 : 0), duration: 0.35)))
            rig.run(1.1)
        }
        return rig
    }

    @Test(arguments: [0.015, 0.04, 0.08]) func `first motion is the rig's command latency`(latency: Seconds) throws {
        var model = RigModel.good
        model.commandLatency = latency
        // The same latency on the way back. Otherwise half of the difference is missing from the dock's clock.
        model.reportAge = latency
        let moved = try figures(swing(model), .moved)
        // Adds half of a jitter of 4 ms on average; the histogram has bins of 6 %.
        #expect(moved.all.count >= 6 && moved.why == nil, "\(moved)")
        #expect(abs((moved.all.p50 ?? 0) - latency - 0.002) < 0.004 + 0.06 * latency, "\(moved)")
        #expect((moved.all.p99 ?? 1) < latency + 0.012, "\(moved)")
    }

    @Test func `a wrong lag in the profile changes the result by that error and no more`() throws {
        var profile = RigProfile.dlpDock
        profile.pan.lag = 0.05
        profile.tilt.lag = 0.05
        let moved = try figures(swing(.good, profile: profile), .moved)
        #expect(abs((moved.all.p50 ?? 0) - 0.015) < 0.011, "\(moved)")
    }

    @Test func `the image moves soon after the head, and the sum of both is reported`() throws {
        let rig = swing(.good)
        let pictured = try figures(rig, .pictured), seen = try figures(rig, .seen), moved = try figures(rig, .moved)
        // 0.75 degrees at 23 deg/s, a lag of 40 ms, and up to one frame of 33 ms.
        #expect(pictured.all.count >= 3 && (0.03...0.16).contains(pictured.all.p50 ?? 0), "\(pictured)")
        #expect(seen.all.count == pictured.all.count && (seen.all.p50 ?? 0) > (moved.all.p50 ?? 1), "\(seen)")
    }

    @Test func `a person who walks gives no value for when the image moves`() throws {
        let rig = RerunRig()
        rig.people = { [PanTilt(pan: 0.4 * abs(($0 * 0.3).truncatingRemainder(dividingBy: 2) - 1), tilt: 0)] }
        rig.run(12)
        #expect(try figures(rig, .pictured).all.count <= 1)
        #expect(try figures(rig, .answered).all.count > 100)
    }

    @Test func `the time from a frame to its set-point, in front of a face that walks`() throws {
        let rig = RerunRig()
        rig.people = { [PanTilt(pan: 0.3 * ($0 * 0.2 - 100).truncatingRemainder(dividingBy: 1), tilt: 0)] }
        rig.run(6)
        let delivered = try figures(rig, .delivered), answered = try figures(rig, .answered)
        #expect(delivered.all.count > 100 && abs((delivered.all.p50 ?? 0) - 0.045) < 0.004, "\(delivered)")
        // In virtual time a turn takes no time.
        for stage in [LatencyStage.tracked, .decided, .written] {
            let figures = try figures(rig, stage)
            #expect(figures.all.count > 30 && (figures.all.p50 ?? 1) < 0.02, "\(figures)")
        }
        #expect(answered.all.count > 30 && (0.04...0.07).contains(answered.all.p50 ?? 0), "\(answered)")
        #expect(try figures(rig, .drained).why?.contains("not serial hardware") == true)
    }

    @Test func `a stage without values says why`() {
        var meter = LatencyMeter(profile: .dlpDock, isMeasured: false)
        func why(_ stage: LatencyStage) -> String { meter.figures[stage.index].why ?? "" }
        #expect(LatencyStage.allCases.enumerated().allSatisfy { $0.offset == $0.element.index })
        #expect(why(.delivered) == "no frames have arrived" && why(.moved) == "the rig does not measure its pose")
        meter.arrived(at: 1, exposure: nil, tracked: 1.001)
        #expect(why(.delivered) == "the detector does not report when its frames were taken" && why(.tracked).isEmpty)
        var profile = RigProfile.dlpDock
        profile.camera.mount = .fixed
        meter = LatencyMeter(profile: profile, isMeasured: true)
        #expect(why(.pictured) == "the camera does not turn with the dock")
    }

    @Test func `the newest values are reported separately from all`() {
        var tally = LatencyTally()
        for _ in 0..<1000 { tally.add(0.1) }
        for _ in 0..<LatencyTally.window { tally.add(0.001) }
        let figures = tally.figures(of: .tracked, why: "")
        #expect(figures.all.count == 1256 && figures.recent.count == 256)
        #expect(abs((figures.all.p50 ?? 0) - 0.1) < 0.007 && abs((figures.recent.p99 ?? 0) - 0.001) < 0.000_07)
    }

    @Test func `unclear starts do not count: already moving, slow, or begun by hand`() {
        var onset = MotionOnset(lag: 0.04, acceleration: 10)
        onset.reset(now: 0)
        func report(_ range: ClosedRange<Double>, _ place: (Double) -> Double) -> [MotionOnset.Start] {
            stride(from: range.lowerBound, through: range.upperBound, by: 0.02).compactMap {
                onset.measured(position: place($0), rate: (place($0) - place($0 - 0.01)) / 0.01, at: $0)
            }
        }
        // A hand turns it, and a command arrives at that moment.
        #expect(report(0...1) { $0 * 0.1 }.isEmpty)
        onset.commanded(0.5, at: 1)
        #expect(onset.beganAt == nil)
        onset.commanded(0, at: 1.5)
        #expect(report(1.6...3) { _ in 0.1 }.isEmpty)
        // Slower than 3 deg/s.
        onset.commanded(0.02, at: 3)
        #expect(onset.beganAt == 3 && report(3.02...3.6) { 0.1 + 0.02 * max(0, $0 - 3.05) }.isEmpty)
        #expect(onset.beganAt == nil)
    }
}
