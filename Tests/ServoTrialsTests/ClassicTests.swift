import DockControl
import DockSimulator
import Geometry
import Plotting
import Testing

@testable import ServoTrials

/// The classic controllers that ours is compared with: what they compute, and that they reach the published results.
@Suite struct ClassicTests {
    static let camera = CameraModel(camera: RigProfile.dlpDock.camera)

    private func face(_ x: Double, _ y: Double = 0.45, size: Double = 0.1) -> Rect {
        Rect(center: Point(x: x, y: y), width: size, height: size)
    }

    private func scores(_ scene: TrialScene, _ controller: TrialController = .p) -> [TrialScore] {
        (1...4).map { (seed: UInt64) in
            var setup = TrialSetup(scene, seed: seed)
            setup.controller = controller
            return TrialScore(Trial.run(setup))
        }
    }

    private func mean(_ scores: [TrialScore], _ value: (TrialScore) -> Double) -> Double {
        scores.map(value).reduce(0, +) / Double(scores.count)
    }

    @Test func `P turns at five times the error angle per second, toward the largest face`() {
        var law = ClassicP()
        let edge = law.velocity(for: [face(1)], at: 0, through: Self.camera)
        #expect(abs(edge.pan.inDegrees - 5 * 33) < 0.01 && edge.tilt == 0)
        #expect(law.velocity(for: [face(0.9), face(0.2, size: 0.3)], at: 0, through: Self.camera).pan < 0)
        #expect(law.velocity(for: [face(0.5, 0.2)], at: 0, through: Self.camera).tilt > 0)
        #expect(law.velocity(for: [face(0.509)], at: 0, through: Self.camera) == .zero)
        #expect(law.velocity(for: [face(0.52)], at: 0, through: Self.camera).pan > 0)
        #expect(law.velocity(for: [], at: 0, through: Self.camera) == .zero)
    }

    @Test func `PID integrates, damps, and resets when the face is gone`() {
        var law = ClassicPID()
        let first = law.velocity(for: [face(0.7)], at: 0, through: Self.camera).pan
        let second = law.velocity(for: [face(0.7)], at: 0.1, through: Self.camera).pan
        let nearer = law.velocity(for: [face(0.6)], at: 0.2, through: Self.camera).pan
        #expect(second > first && nearer < 0.5 * first)
        for step in 3..<1000 { _ = law.velocity(for: [face(1)], at: Double(step) / 10, through: Self.camera) }
        #expect(law.velocity(for: [face(1)], at: 100, through: Self.camera).pan.inDegrees < 4 * 33 + 11)
        #expect(law.velocity(for: [], at: 100.1, through: Self.camera) == .zero)
        #expect(abs(law.velocity(for: [face(0.7)], at: 100.2, through: Self.camera).pan - first) < 1e-12)
    }

    /// Published measurements with a P of this gain on another simulation of such a rig: 0.64 s, 0.67 degrees with 2.6
    /// reversals, 6.8 and 12.5 degrees, and none kept.
    @Test func `P performs here as it does elsewhere`() {
        let step = scores(.step), still = scores(.still), crossing = scores(.crossing)
        #expect((0.5...0.9).contains(mean(step, \.settle)), "\(step)")
        #expect((0.3...0.8).contains(mean(still, \.rms)) && mean(still, \.reversals) > 0.5, "\(still)")
        #expect((6...7.5).contains(mean(scores(.ramp), \.rms)))
        #expect((11...14).contains(mean(scores(.sine), \.rms)))
        #expect(crossing.allSatisfy { !$0.isKept }, "\(crossing)")
    }

    @Test func `the pictures of the README are small, and the same every time`() {
        let all = TrialPictures.all.map { ($0.name, $0.plot.svg) }
        #expect(all.map(\.0) == ["step", "walk", "crossing"])
        #expect(all.allSatisfy { $0.1.utf8.count < 60_000 && $0.1.contains(">dockface<") })
        #expect(all.map(\.1) == TrialPictures.all.map(\.plot.svg))
    }
}
