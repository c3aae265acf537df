import DockControl
import DockSimulator
import Testing

@testable import ServoTrials

/// What the tracking loop reaches on a simulated rig, in virtual time: the table of `servo-trials`, with a small
/// allowance.
@Suite struct ServoTrialTests {
    private func scores(_ scene: TrialScene, _ model: RigModel = .good, rate: Double = 30) -> [TrialScore] {
        (1...4).map { (seed: UInt64) in
            var setup = TrialSetup(scene, model: model, seed: seed)
            setup.framesPerSecond = rate
            return TrialScore(Trial.run(setup))
        }
    }

    private func mean(_ scores: [TrialScore], _ value: (TrialScore) -> Double) -> Double {
        scores.map(value).reduce(0, +) / Double(scores.count)
    }

    @Test func `a face that jumps by 20 degrees is reached in half a second, without overshoot`() {
        let good = scores(.step), cheap = scores(.step, .cheap)
        #expect(mean(good, \.settle) < 0.53 && mean(good, \.overshoot) < 0.05, "\(good)")
        #expect(mean(cheap, \.settle) < 0.85, "\(cheap)")
    }

    @Test(arguments: [-40.0, 40]) func `frames whose times are wrong by 40 ms do not make the head swing`(
        late: Double
    ) {
        let scores = (1...4).map { (seed: UInt64) in
            var setup = TrialSetup(.step, seed: seed)
            setup.stampError = late / 1000
            return TrialScore(Trial.run(setup))
        }
        #expect(mean(scores, \.settle) < 0.8, "\(scores)")
        // The evidence so far is not always enough to know the lag.
        #expect(scores.filter { $0.overshoot < 0.08 }.count >= 3, "\(scores)")
    }

    @Test(arguments: [-40.0, 40]) func `the nod shows how wrong the times of the frames are`(late: Double) {
        let records = (1...8).map { (seed: UInt64) in
            var setup = TrialSetup(.step, seed: seed)
            (setup.start, setup.stampError) = (.cold, late / 1000)
            return Trial.run(setup)
        }
        let scores = records.map { TrialScore($0) }, lags = records.map { $0.pictureLag ?? 0 }
        #expect(mean(scores, \.settle) < 0.8 && mean(scores, \.overshoot) < 0.15, "\(scores)")
        #expect(lags.count { abs($0 + late / 1000) < 0.016 } >= 7, "\(lags)")
    }

    @Test func `a rig that was just switched on follows as well as a proven one once it has nodded`() {
        func cold(_ scene: TrialScene, _ start: TrialStart = .cold) -> [TrialScore] {
            (1...4).map { (seed: UInt64) in
                var setup = TrialSetup(scene, seed: seed)
                setup.start = start
                return TrialScore(Trial.run(setup))
            }
        }
        let step = cold(.step), atOnce = cold(.step, .atOnce)
        #expect(mean(step, \.settle) < 0.55, "\(step)")
        #expect(mean(cold(.ramp), \.rms) < 0.75)
        // The look at the person, the nod and its last pictures take 1.2 s.
        #expect(mean(atOnce, \.settle) < 1.8, "\(atOnce)")
    }

    @Test(arguments: [RigModel.good, .cheap]) func `in front of a person who stands still the head stands still`(
        model: RigModel
    ) {
        let still = scores(.still, model)
        #expect(mean(still, \.rms) < 0.4 && mean(still, \.reversals) < 0.21, "\(still)")
    }

    @Test func `a person who keeps walking while hidden for two seconds is found again at once`() {
        // Now and then a false face appears exactly where the person has gone, and takes the head along.
        let found = scores(.reacquire).map(\.settle).sorted()
        #expect(found[found.count / 2] < 0.4 && found.count { $0 == .infinity } <= 1, "\(found)")
    }

    @Test func `a walking person is kept in the middle third, and set-points stay below 60 a second`() {
        let walks = scores(.walks)
        #expect(mean(walks, \.central) > 0.98 && mean(walks, \.rms) < 1.8, "\(walks)")
        #expect(walks.allSatisfy { $0.commands <= 60 })
        #expect(mean(scores(.ramp), \.rms) < 0.7)
        #expect(mean(scores(.stopGo), \.rms) < 2.1)
        #expect(mean(scores(.sine), \.rms) < 3.4)
    }

    /// An image that does not move can mean perfect tracking as well as a camera that is not on the head.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `a perfectly followed person is never taken for a fixed camera`(
        seed: UInt64
    ) {
        var setup = TrialSetup(.sine, seed: seed)
        setup.isPerfect = true
        let score = TrialScore(Trial.run(setup))
        #expect(score.rms < 3, "\(score)")
    }

    @Test func `a rig that only estimates its pose gives no evidence about the times of frames`() {
        var setup = TrialSetup(.sine)
        (setup.rig, setup.stampError) = (.unheard, 0.04)
        #expect(Trial.run(setup).pictureLag == nil)
        setup.rig = .places
        #expect(Trial.run(setup).pictureLag != nil)
    }

    @Test func `the frame times of another stream are learned again`() {
        let profile = RigProfile.dlpDock, camera = CameraModel(camera: profile.camera)
        let stage = TrialStage(
            device: SimulatedDock(configuration: .init(model: .good, seed: 3), time: 100),
            driver: DlpDriver(profile: profile), profile: profile, controller: .ours, seed: 3, now: 100)
        func eyes(from start: Double) -> TrialEyes {
            TrialEyes(
                TrialCamera(
                    people: TrialPeople(.sine, seed: 3), camera: camera, framesPerSecond: 30, start: start, seed: 3,
                    stampError: 0.04), zero: 111)
        }
        stage.run(until: 120, seeing: eyes(from: 102)) { _, _ in }
        #expect((stage.host.pictureLag?.lag).map { abs($0 + 0.04) < 0.015 } == true)
        #expect((stage.host.pictureLag?.deviation ?? 1) < 0.01)
        stage.run(until: 120.5, seeing: eyes(from: 120)) { _, _ in }
        #expect((stage.host.pictureLag?.deviation ?? 1) > 0.02)
    }

    @Test func `a person who swings from the start is followed, and no rig is accused`() {
        let records = (1...6).map { (seed: UInt64) in
            var setup = TrialSetup(.sine, seed: seed)
            setup.start = .atOnce
            return Trial.run(setup)
        }
        let scores = records.map { TrialScore($0).rms }
        // Now and then a rig proves its signs only after several bursts.
        #expect(scores.count { $0 < 6 } >= 5, "\(scores)")
        #expect(records.allSatisfy { $0.notes.allSatisfy { !$0.contains("stopped") } })
    }

    @Test(arguments: [TrialRig.places, .unheard], [0, 40.0])
    func `position-controlled motors do not swing, not even if they act 40 ms later than the profile says`(
        rig: TrialRig, late: Double
    ) {
        func scores(_ scene: TrialScene, seeds: UInt64 = 4) -> [TrialScore] {
            (1...seeds).map { (seed: UInt64) in
                var setup = TrialSetup(scene, seed: seed)
                (setup.rig, setup.latencyError) = (rig, late / 1000)
                return TrialScore(Trial.run(setup))
            }
        }
        let still = scores(.still, seeds: 8), step = scores(.step)
        #expect(mean(still, \.rms) < 0.4 && mean(still, \.reversals) < 0.2, "\(still)")
        #expect(mean(step, \.overshoot) < 0.15 && step.allSatisfy(\.isKept), "\(step)")
        if rig == .places { #expect(mean(step, \.settle) < 1, "\(step)") }
        #expect(mean(scores(.walks), \.rms) < (rig == .places ? 2.3 : 3.7))
    }

    @Test(arguments: [10.0, 30]) func `a person who is crossed by a nearer one is kept`(rate: Double) {
        #expect(scores(.crossing, rate: rate).filter(\.isKept).count >= 3)
    }
}
