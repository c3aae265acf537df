import Companion
import DockControl
import Testing

@testable import DaemonSimulation

/// Stories with all their faults, recorded, written as traces, read, and replayed.
@Suite struct RerunStoryTests {
    /// Checks that replayed traces of a story give the daemons' decisions. Returns the number of set-points.
    private func decideAgain(_ seed: UInt64) throws -> Int {
        let world = World(scenario: Scenario(seed: seed), records: true)
        world.run()
        var setpoints = 0
        for spool in world.traces ?? [] {
            let about = try #require(spool.about), records = TraceRecord.all(in: spool.take())
            let trace = try Trace(TraceWriter.session(about, records, program: "test"), name: "story \(seed)")
            #expect(trace.records.count == records.count && trace.run?.options.profile == about.options.profile)
            var setup = Rerun.Setup()
            if !world.scenario.hasDeadman { setup.makeDriver = { DriverWithoutDeadman(profile: $0) } }
            var decided: [TraceRecord] = []
            setup.onDecision = { decided.append($0) }
            var run = try Rerun(trace, setup)
            let report = run.run()
            #expect(report.isFromBeginning && report.tornAt == nil)
            #expect(report.difference == nil, "story \(seed): \(String(describing: report.difference))")
            #expect(report.setpoints.same == report.setpoints.all && report.bytes.same == report.bytes.all)
            #expect(decided == records.filter(\.isDecision), "story \(seed)")
            setpoints += report.setpoints.all
        }
        return setpoints
    }

    @Test func `a story's decisions follow from its trace, whatever happens in it`() throws {
        var setpoints = 0
        for seed in UInt64(1)...40 { setpoints += try decideAgain(seed) }
        #expect(setpoints > 3_000)
    }
}
