import DaemonSimulation
import DockControl
import Geometry
import Glibc
import Testing

/// The sign guard before every camera, right and wrong, with pictures as bad as they come: a few trials here, a campaign with
/// `DOCKFACE_SIGN_SEEDS`, and its table with `scripts/simulate --signs`.
@Suite struct SignCampaignTests {
    private static let seeds = getenv("DOCKFACE_SIGN_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 24

    @Test(arguments: SignCamera.allCases)
    func `no wrong camera turns the head fast or far, and no right one is accused`(camera: SignCamera) {
        var rows: [SignCampaign.Row] = []
        for seed in 1...Self.seeds {
            let trial = SignTrial(camera, seed: seed), outcome = SignCampaign.run(trial)
            let failure = SignCampaign.failure(trial, outcome)
            #expect(failure == nil, "seed \(seed): \(failure ?? "") \(trial)")
            rows.append((trial, outcome))
        }
        // Good pictures decide; bad ones need not, and then the head stays where it is.
        let clear = rows.filter { $0.trial.noise < 0.015 }
        let decided = clear.count { camera == .right ? $0.outcome.isProven : $0.outcome.verdict != nil }
        #expect(Double(decided) > (camera == .right ? 0.5 : 0.75) * Double(clear.count), "\(decided) of \(clear.count)")
    }
}
