import DaemonSimulation
import Testing

/// The whole daemon in virtual time: a few stories here, thousands in `scripts/simulate`.
@Suite struct StoryTests {
    @Test("a story is the same every time")
    func sameSeedSameRun() {
        for seed in UInt64(1)...5 {
            let (one, two) = (Runner.run(Scenario(seed: seed)), Runner.run(Scenario(seed: seed)))
            #expect(one.fingerprint == two.fingerprint)
            #expect(one.violation == two.violation)
        }
        #expect(Runner.run(Scenario(seed: 1)).fingerprint != Runner.run(Scenario(seed: 2)).fingerprint)
    }

    /// Each was once a bug of the daemon, the firmware or a rule.
    @Test(
        "a story that once broke a rule breaks none",
        arguments: [
            29621, 115_940, 164_901, 165_379, 180_365, 274_882, 704_156, 706_165, 737_462, 738_918, 920_264, 3_022_413,
            3_033_431, 5_100_201, 5_158_229, 5_160_063, 5_178_336, 5_185_832, 5_192_475,
            6_041_853, 6_070_570, 6_130_294, 6_148_516, 6_178_698, 6_222_313, 6_253_234, 6_285_686, 6_390_508,
            6_411_327, 6_696_277, 6_735_958,
            6_792_825, 7_041_047, 7_050_495, 7_709_979, 7_960_154, 7_992_576, 8_045_908,
            8_119_766, 8_147_267, 8_155_920, 8_243_727, 8_257_110, 8_262_287, 8_268_990, 8_437_019,
            8_786_080, 8_898_873, 9_040_779, 9_047_367, 9_056_451, 9_093_503, 9_200_522,
        ] as [UInt64])
    func wasBrokenOnce(seed: UInt64) {
        let result = Runner.run(Scenario(seed: seed))
        #expect(result.violation == nil)
    }
}
