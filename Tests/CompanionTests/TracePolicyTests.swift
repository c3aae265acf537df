import ControlProtocol
import DockControl
import Testing

@testable import Companion

/// The behaviour without commands, in the header of a trace.
@Suite struct TracePolicyTests {
    private static func reread(_ policy: Pursuit.Policy, without key: String? = nil) throws -> Pursuit.Policy {
        var options = LoopOptions(profile: .dlpDock, mode: .system)
        options.policy = policy
        var line = TraceLineBuilder("trace", time: 0)
        TraceRun.add(TraceAbout(options: options, isHardware: false, hasGuard: false, hasInput: true), to: &line)
        var text = String(decoding: line.ended.dropLast(), as: UTF8.self)
        if let key { text = text.replacing("\"\(key)\"", with: "\"unknown\"") }
        let header = try #require(JSONValue(json: Array(text.utf8)))
        return try #require(TraceRun.read(header)).options.policy
    }

    @Test(arguments: [true, false]) func `a rerun greets, searches and goes home as the run did`(isOn: Bool) throws {
        var policy = Pursuit.Policy()
        (policy.greets, policy.searches, policy.goesHome, policy.holdTime) = (isOn, !isOn, isOn, 0.75)
        let found = try Self.reread(policy)
        #expect(found.greets == isOn && found.searches == !isOn && found.goesHome == isOn && found.holdTime == 0.75)
    }

    @Test func `a trace from before the greeting is rerun without one`() throws {
        #expect(try !Self.reread(Pursuit.Policy(), without: "greets").greets)
    }
}
