internal import ArgumentParser
internal import DaemonSimulation
internal import Dispatch
internal import Synchronization

/// The campaign of the sign guard, on all cores.
enum SignTable {
    static func print(first: UInt64, count: Int) throws {
        var failures: [String] = []
        for camera in SignCamera.allCases {
            let found = Mutex<[SignCampaign.Row]>([])
            DispatchQueue.concurrentPerform(iterations: count) { index in
                let trial = SignTrial(camera, seed: first &+ UInt64(index)), outcome = SignCampaign.run(trial)
                found.withLock { $0.append((trial, outcome)) }
            }
            let rows = found.withLock { $0 }.sorted { $0.trial.seed < $1.trial.seed }
            Swift.print(SignCampaign.table(camera, rows) + "\n")
            for (trial, outcome) in rows {
                guard let failure = SignCampaign.failure(trial, outcome) else { continue }
                failures.append("\(camera.rawValue), seed \(trial.seed): \(failure)")
            }
        }
        for failure in failures.prefix(20) { Swift.print(failure) }
        Swift.print("\(count) trials of each camera from seed \(first), \(failures.count) failed")
        if !failures.isEmpty { throw ExitCode(1) }
    }
}
