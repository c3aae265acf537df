import DaemonSimulation
import DockControl
import Geometry
import Glibc
import Testing

/// The sign guard with every camera, right and wrong, and frames of any quality: a few trials here, more with
/// `DOCKFACE_SIGN_TRIALS`, and a campaign with its table in `scripts/simulate --signs 1000`.
@Suite struct SignCampaignTests {
    private static let seeds = getenv("DOCKFACE_SIGN_TRIALS").flatMap { UInt64(String(cString: $0)) } ?? 6

    @Test(arguments: SignCamera.allCases)
    func `no wrong camera turns the head fast or far, and no correct one is accused`(camera: SignCamera) {
        for seed in 1...Self.seeds {
            let trial = SignTrial(camera, seed: seed), outcome = SignCampaign.run(trial)
            let failure = SignCampaign.failure(trial, outcome)
            #expect(failure == nil, "seed \(seed): \(failure ?? "") \(trial)")
        }
        // Good frames give a verdict; bad ones need not, and then the head stays near.
        let clear = (1...80).map { SignTrial(camera, seed: $0) }.filter { $0.noise < 0.015 && $0.rate < 40 }.prefix(8)
        let decided = clear.count { trial in
            let outcome = SignCampaign.run(trial)
            return camera == .right ? outcome.isProven : outcome.verdict != nil
        }
        #expect(clear.count == 8 && decided >= 6, "\(decided) of \(clear.count)")
    }
}
