import Testing

@testable import AllSpark

/// Whole conversations in virtual time, with troubles from a seed.
@Suite struct StoryTests {
    @Test func `every requested chunk is uploaded or given up, and no rule is broken`() async {
        for seed in 0..<(isThorough ? 100_000 : 600) {
            // Tests that wait for others need the threads, too.
            await Task.yield()
            let accusations = StoryWorld.accusations(seed: UInt64(seed))
            #expect(accusations.isEmpty, "seed \(seed): \(accusations.prefix(3))")
            if !accusations.isEmpty { return }
        }
    }

    @Test(arguments: StoryWorld.Bug.allCases)
    func `a deliberate bug is noticed`(bug: StoryWorld.Bug) {
        #expect((0..<60).contains { !StoryWorld.accusations(seed: UInt64($0), bug: bug).isEmpty }, "\(bug)")
    }
}
