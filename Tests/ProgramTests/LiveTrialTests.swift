import ServoTrials
import TestSupport
import Testing

extension ProgramTests {
    /// `servo-trials --live`: the servo's table through a real process and a real pseudo-terminal. The figures are
    /// checked in the table's tests; here it only has to work.
    @Suite(.timeLimit(.minutes(10))) struct LiveTrialTests {
        @Test func `a trial in real time ends with the head at the face, and with a stop`() throws {
            var setup = TrialSetup(.step)
            (setup.start, setup.isPerfect) = (.cold, true)
            var trials = LiveTrials(dockface: try Place.program("dockface"))
            let outcome = try #require(try trials.run([setup]).first)
            #expect(outcome.failure == nil && outcome.stopWasLast, "\(outcome.failure ?? "") \(outcome.complaints)")
            let score = TrialScore(outcome.record)
            #expect(score.isKept && outcome.record.samples.count > 2900, "\(score) \(trials.times)")
            #expect(outcome.record.commands > 10, "\(outcome.record.notes)")
        }

        @Test func `the error for a daemon that ends early contains its output`() throws {
            var trials = LiveTrials(dockface: "/bin/ls")
            let outcome = try #require(try trials.run([TrialSetup(.step)]).first)
            let failure = try #require(outcome.failure)
            #expect(failure.contains("ended by itself (exit 2)") && failure.contains("option"), "\(failure)")
        }
    }
}
