import DaemonSimulation
import Testing

/// The whole daemon in virtual time: a few stories here, thousands in `scripts/simulate`.
@Suite struct StoryTests {
    @Test("a story is the same story every time")
    func sameSeedSameRun() {
        for seed in UInt64(1)...5 {
            let (one, two) = (Runner.run(Story(seed: seed)), Runner.run(Story(seed: seed)))
            #expect(one.fingerprint == two.fingerprint)
            #expect(one.violation == two.violation)
        }
        #expect(Runner.run(Story(seed: 1)).fingerprint != Runner.run(Story(seed: 2)).fingerprint)
    }
}
