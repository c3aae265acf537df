@testable import Companion
import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

@testable import ServoTrials

/// A recording that is run again with a change.
@Suite struct WhatIfTests {
    /// The whole daemon in front of people who walk about, from the eleventh second on.
    static let recording: Trace = {
        let profile = RigProfile.dlpDock, camera = CameraModel(camera: profile.camera)
        let stage = TrialStage(
            device: SimulatedDock(configuration: .init(model: .good, seed: 7), time: 100),
            driver: DlpDriver(profile: profile), profile: profile, controller: .ours, seed: 7, now: 100)
        let eyes = TrialCamera(
            people: TrialPeople(.walks, seed: 7), camera: camera, framesPerSecond: 30, start: 101.5, seed: 7)
        stage.run(until: 141, seeing: TrialEyes(eyes, zero: 110.5)) { _, _ in }
        return Trace(of: profile, cause: "asked", start: 111, records: stage.host.end().filter { $0.time >= 111 })
    }()

    private func run(_ text: String?, _ trace: Trace = recording) throws -> WhatIfRun {
        try WhatIfRun(trace, profile: .dlpDock, text.map { try WhatIf($0) } ?? WhatIf(), span: 0...(.infinity))
    }

    @Test func `with nothing changed, the simulation does what the recording did`() throws {
        let run = try run(nil)
        // 29 of 30 seconds, 30 frames in each, and 5 % of them without the face.
        #expect(run.recorded.pictures > 800 && !run.isCold && run.commands == 0)
        #expect(abs(run.asItIs.error - run.recorded.error) < 0.15 * run.recorded.error, "\(run.asItIs) \(run.recorded)")
        #expect(abs(run.asItIs.central - run.recorded.central) < 0.02)
        #expect(abs((run.asItIs.commands ?? 0) - (run.recorded.commands ?? 0)) < 5)
        #expect(run.asItIs == run.changed)
    }

    @Test func `the same trace and the same change give the same bytes`() throws {
        let text = "latency=+20ms,fps=15", one = try run(text), other = try run(text)
        #expect(one.trace.text == other.trace.text && one.changed == other.changed)
        // ... and they are a trace.
        let read = try Trace(Array(one.trace.text.utf8), name: "t")
        #expect(
            read.records.count == one.trace.records.count && read.cause == "whatIf" && read.rig == "dockface DLP/1 dock"
        )
        #expect(abs((read.records.first?.time ?? 0) - 111) < 1e-9)
    }

    @Test func `each change shows`() throws {
        let same = try run(nil).asItIs
        let p = try run("controller=p").changed, late = try run("latency=+40ms").changed
        let slow = try run("fps=8").changed, cheap = try run("rig=cheap").changed,
            delayed = try run("delay=+80ms").changed
        #expect(p.error > 1.3 * same.error && p.commands ?? 0 > 8, "\(p) \(same)")
        for worse in [late, slow, cheap, delayed] { #expect(worse.error > 1.05 * same.error, "\(worse) \(same)") }
    }

    @Test func `a recording that begins with the daemon is run from a cold start`() throws {
        var trace = Self.recording
        trace.records.insert(
            TraceRecord(time: 111, body: .state("greeting", cause: nil, mode: "system")), at: 0)
        #expect(try run(nil, trace).isCold)
    }

    @Test func `faces appear where the simulated head looks, and leave its image`() throws {
        let camera = CameraModel(camera: RigProfile.dlpDock.camera)
        let pose = PanTilt.degrees(pan: 10, tilt: 0), rect = Rect(x: 0.6, y: 0.3, width: 0.1, height: 0.2)
        let face = TraceMotion.Face(
            id: 1, rect: rect, world: camera.world(of: rect.center, from: pose), isFollowed: true)
        let look = TraceMotion.Look(exposure: 5, recorded: 5.06, pose: pose, faces: [face])
        func lines(_ view: PanTilt, by now: Seconds = 6, _ change: WhatIf = WhatIf()) -> String {
            var recorded = RecordedView(
                [look], change, seenBy: camera, camera: camera, latency: 0.045, warmUp: [])
            _ = recorded.lines(by: 0) { _ in view }
            return String(decoding: recorded.lines(by: now) { _ in view }, as: UTF8.self)
        }
        #expect(
            lines(pose).contains(#""t":5,"faces":[{"rect":[0.6,0.3,0.1,0.2]"#), "\(lines(pose))")
        #expect(lines(.degrees(pan: 60, tilt: 0)).contains(#""faces":[]"#))
        #expect(lines(pose, by: 5.044).isEmpty && !lines(pose, by: 5.046).isEmpty)
        #expect(lines(pose, by: 5.084, try WhatIf("delay=+40ms")).isEmpty)
        #expect(lines(pose, by: 5.086, try WhatIf("delay=+40ms")).contains(#""t":5,"#))
        #expect(lines(pose, by: 5.086, try WhatIf("latency=+40ms")).contains(#""t":5.04,"#))
        #expect(lines(pose, by: 5.03, try WhatIf("latency=-20ms")).contains(#""t":4.98,"#))
    }

    @Test(arguments: [
        "", "speed=3", "latency=40", "latency=+4s", "latency=+900ms", "delay=-10ms", "controller=q", "rig=best",
        "fps=0",
        "fps=10,fps=20", "controller=p,", "latency", "latency=nanms",
    ]) func `the error for an invalid change names the valid ones`(text: String) {
        do throws(DockError) {
            _ = try WhatIf(text)
            Issue.record("it was accepted")
        } catch {
            for key in ["latency=", "delay=", "controller=", "ours, p, pid", "rig=", "fps="] {
                #expect(error.hint.contains(key))
            }
        }
    }

    @Test func `several changes can be combined`() throws {
        let change = try WhatIf("latency=-20ms,delay=40ms,controller=pid,rig=good,fps=12.5")
        #expect(change.latency == -0.02 && change.delay == 0.04 && change.controller == .pid)
        #expect(change.rig == .good && change.framesPerSecond == 12.5)
    }

    @Test func `a trace without a followed person is refused`() throws {
        var trace = Self.recording
        trace.records.removeAll { if case .rectangles = $0.body { true } else { false } }
        #expect(throws: DockError.self) { try run(nil, trace) }
        #expect(throws: DockError.self) {
            try WhatIfRun(Self.recording, profile: .dlpDock, WhatIf(), span: 99...100)
        }
    }

    @Test func `a trace with impossible times is refused, and an impossible lens is ignored`()
        throws
    {
        for time in [1e17, 1e300, 200_000] {
            var trace = Self.recording
            trace.records.append(TraceRecord(time: time, body: .note("late")))
            #expect(throws: DockError.self) { try run(nil, trace) }
        }
        var trace = Self.recording
        let blind = TraceLens(focal: Point(x: 0, y: 0), principal: Point(x: 0.5, y: 0.5))
        trace.records.insert(TraceRecord(time: 111, body: .input(.lens(blind, aspect: 1))), at: 0)
        #expect(try run(nil, trace).recorded == (try run(nil)).recorded)
    }

    @Test func `turns are counted from 0.3 degrees on`() {
        func turns(_ degrees: [Double]) -> Double { WhatIfScore.turns(degrees.map { .degrees($0) }) }
        #expect(turns([0, 1, 2, 1, 0, 3]) == 2 && turns([0, 0.2, 0, 0.2]) == 0 && turns([0, 5, 4.8, 9]) == 0)
        #expect(turns([0, -1, -2, -1.5, -3]) == 2 && turns([]) == 0)
    }
}
