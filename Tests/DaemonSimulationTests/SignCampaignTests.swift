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
        // On a line that loses reports, the pose seemed to stand still and to jump, and a correct camera was accused.
        if camera == .right {
            for seed: UInt64 in [18, 22, 25, 28, 148, 609, 719] {
                let trial = SignTrial(camera, seed: seed), outcome = SignCampaign.run(trial)
                #expect(trial.lost > 0 && outcome.verdict == nil, "seed \(seed): \(trial)")
            }
        }
        // Good frames give a verdict; bad ones need not, and then the head stays near.
        func isClear(_ trial: SignTrial) -> Bool { trial.noise < 0.015 && trial.rate < 40 && trial.lost == 0 }
        let clear = (1...160).map { SignTrial(camera, seed: $0) }.filter(isClear).prefix(8)
        let decided = clear.count { trial in
            let outcome = SignCampaign.run(trial)
            return camera == .right ? outcome.isProven : outcome.verdict != nil
        }
        #expect(clear.count == 8 && decided >= 6, "\(decided) of \(clear.count)")
    }
}
