import DockSimulator
import FaceTracker
import Geometry
import Testing

@testable import Companion
@testable import DockControl

/// The watches for the dock, in the real loop and against the real firmware, in virtual time.
@Suite struct WatchLoopTests {
    private static let faces = #filePath.replacing("Tests/CompanionTests/WatchLoopTests.swift", with: "Examples/faces/")

    static func scene(_ name: String, _ profile: RigProfile = .dlpDock) throws -> SceneCamera {
        SceneCamera(
            recording: try Recording(path: faces + name + ".jsonl"), hfov: .degrees(100), loop: .pingpong,
            profile: profile)
    }

    private static func ready(_ rig: CoreRig) -> Bool { rig.run(3) { $0.state == .ready } }

    @Test func `a blocked axis backs off three degrees, holds and latches, and a clear leaves it manual and still`() {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        rig.tell(.velocity(.degrees(pan: 13, tilt: 0), duration: 20))
        rig.run(1)
        rig.dock.faults.blocked = [.pan]
        var lowest = rig.dock.pose.pan
        #expect(rig.run(1) { $0.core.director.retreat != nil })
        let stuck = rig.dock.pose.pan, began = rig.now
        rig.dock.faults.blocked = []
        #expect(rig.tell(.velocity(.degrees(pan: 30, tilt: 0), duration: 1)).map { (try? $0.get()) == nil } == true)
        var fastest = 0.0
        rig.watch = {
            lowest = min(lowest, $0.dock.pose.pan)
            fastest = max(fastest, $0.dock.rate.magnitude)
        }
        #expect(rig.run(1.5) { $0.state == .faulted(.stall) })
        #expect(rig.now - began < 1.1)
        rig.run(1)
        let gone = (stuck - rig.dock.pose.pan).inDegrees
        #expect(gone > 2 && gone < 4, "\(gone)")
        #expect(fastest < .degrees(15) && rig.dock.rate.magnitude < .degrees(0.1))
        #expect(rig.notes.contains { $0.contains("pan") && $0.contains("clear") })
        #expect(rig.snapshot.mode == .manual && rig.snapshot.torque)
        #expect((try? rig.tell(.velocity(.degrees(pan: 9, tilt: 0), duration: 1))?.get()) == nil)
        #expect((try? rig.tell(.clear)?.get()) != nil)
        let pose = rig.dock.pose
        rig.run(2)
        #expect(rig.state == .ready && rig.snapshot.mode == .manual)
        #expect((rig.dock.pose - pose).magnitude < .degrees(0.1))
        #expect((try? rig.tell(.velocity(.degrees(pan: 9, tilt: 0), duration: 1))?.get()) != nil)
    }

    @Test(arguments: [2.5, 3, 5, 7, 8, 10, 12]) func `a blocked axis is not pressed by a slow command`(speed: Double) {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        rig.dock.faults.blocked = [.pan]
        rig.tell(.velocity(.degrees(pan: speed, tilt: 0), duration: 60))
        let began = rig.now
        #expect(rig.run(6) { $0.core.director.retreat != nil || $0.state == .faulted(.stall) })
        #expect(rig.now - began < 5 / speed + 0.5, "\(rig.now - began)")
        #expect(rig.run(1.5) { $0.state == .faulted(.stall) })
    }

    @Test(arguments: [12.0, 30, 60, 100]) func `the daemon detects a stall before the dock latches by itself`(
        speed: Double
    ) {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        rig.tell(.velocity(.degrees(pan: speed, tilt: 0), duration: 20))
        rig.run(0.8)
        rig.dock.faults.blocked = [.pan]
        let began = rig.now
        #expect(rig.run(2) { $0.core.director.retreat != nil || $0.state != .ready })
        #expect(rig.core.director.retreat != nil && rig.now - began < 0.55, "\(rig.now - began) \(rig.state)")
    }

    @Test func `a stop while an axis backs off latches at once`() {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        rig.tell(.velocity(.degrees(pan: 13, tilt: 0), duration: 20))
        rig.run(1)
        rig.dock.faults.blocked = [.pan]
        #expect(rig.run(1) { $0.core.director.retreat != nil })
        rig.tell(.stop)
        #expect(rig.core.machine.state == .faulted(.stall))
        rig.dock.faults.blocked = []
        let pose = rig.dock.pose
        rig.run(1)
        #expect((rig.dock.pose - pose).magnitude < .degrees(0.8))
    }

    @Test func `motors that turn against their commands are stopped and latched`() {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        rig.dock.faults.reversedMotors = [.tilt]
        rig.tell(.velocity(.degrees(pan: 0, tilt: 20), duration: 20))
        let began = rig.now
        #expect(rig.run(3) { if case .faulted = $0.state { true } else { false } })
        #expect(rig.now - began < 1.5)
        rig.run(1)
        #expect(rig.dock.rate.magnitude < .degrees(0.1))
        #expect(abs(rig.dock.pose.tilt.inDegrees) < 12, "\(rig.dock.pose.tilt.inDegrees)")
    }

    @Test func `a limp head may be moved by hand, and torque returns without a snap and without a fault`() {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        rig.tell(.orient(.degrees(pan: 20, tilt: 0), duration: 1, relative: false))
        rig.run(2)
        rig.tell(.torque(false))
        rig.run(0.3)
        rig.dock.push(.degrees(pan: -60, tilt: 20), for: 0.7)
        rig.run(2)
        #expect(rig.state == .ready && rig.dock.pose.pan < .degrees(-5))
        let pose = rig.dock.pose
        var snap = 0.0
        rig.watch = { snap = max(snap, ($0.dock.pose - pose).magnitude) }
        rig.tell(.torque(true))
        rig.run(2)
        #expect(snap < .degrees(0.3), "\(snap.inDegrees)")
        #expect(rig.state == .ready)
        // And it continues from its present pose.
        rig.tell(.velocity(.degrees(pan: 10, tilt: 0), duration: 0.5))
        rig.run(1)
        #expect(rig.state == .ready && rig.dock.pose.pan > pose.pan)
    }

    @Test func `an emergency stop, a reboot and a silence accuse no axis`() {
        let rig = CoreRig()
        #expect(Self.ready(rig))
        for _ in 0..<3 {
            rig.tell(.velocity(.degrees(pan: 60, tilt: 0), duration: 1))
            rig.run(0.7)
            rig.tell(.emergencyStop)
            rig.run(0.5)
            rig.tell(.clear)
            rig.run(0.5)
            rig.tell(.velocity(.degrees(pan: -60, tilt: 0), duration: 1))
            rig.run(0.4)
            rig.dock.reboot()
            rig.run(2)
            rig.tell(.velocity(.degrees(pan: 40, tilt: 0), duration: 3))
            rig.run(0.4)
            rig.dock.faults.isDeaf = true
            rig.run(2)
            rig.dock.faults.isDeaf = false
            rig.run(2)
            rig.dock.faults.isMute = true
            rig.run(0.6)
            rig.dock.faults.isMute = false
            rig.run(1.5)
            #expect(rig.state == .ready, "\(rig.state) \(rig.notes)")
        }
    }

    static let scenes = [
        "man-turning-head", "one-by-one", "two-people", "walking-and-pause", "walking", "woman-turning-head",
    ]

    @Test(arguments: scenes, [false, true]) func `recorded people accuse no correct rig`(name: String, cheap: Bool)
        throws
    {
        var profile = RigProfile.dlpDock
        if cheap {
            profile.commandLatency = 0.03
            for axis in [\RigProfile.pan, \RigProfile.tilt] {
                profile[keyPath: axis].maxSpeed = .degrees(90)
                profile[keyPath: axis].maxAcceleration = .degrees(300)
                profile[keyPath: axis].lag = 0.08
            }
        }
        let rig = CoreRig(
            profile: profile, model: cheap ? .cheap : .good, mode: .system, scene: try Self.scene(name, profile))
        rig.run(25)
        #expect(rig.state == .ready, "\(rig.state) \(rig.notes)")
        if name != "one-by-one" { #expect(rig.dock.maximumSpeedSeen > .degrees(3), "it never followed a person") }
    }

    @Test(arguments: ["man-turning-head", "two-people", "woman-turning-head"], Array(UInt64(1)...5))
    func `a camera that is not on the head is found, whatever the noise`(name: String, seed: UInt64) throws {
        let rig = CoreRig(mode: .system, scene: try Self.scene(name), seed: seed)
        rig.view = { _ in .zero }
        #expect(rig.run(7) { $0.state == .faulted(.pictureDoesNotFollow) }, "\(rig.state) \(rig.dock.pose)")
        // It never gets to where the guard is blind.
        #expect(abs(rig.dock.pose.tilt) < Pursuit.steep)
    }

    @Test(arguments: ["man-turning-head", "two-people", "woman-turning-head"], ["pan", "mirror", "mount"])
    func `with recorded people, a rig that is built incorrectly is detected`(name: String, wrong: String) throws {
        let rig = CoreRig(mode: .system, scene: try Self.scene(name))
        rig.view =
            wrong == "mount" ? { _ in .zero } : { PanTilt(pan: -$0.pan, tilt: $0.tilt) }
        #expect(rig.run(20) { if case .faulted = $0.state { true } else { false } })
        #expect(rig.now - 1000 < 6 && rig.dock.pose.magnitude < .degrees(60))
        let fault: DockFault = wrong == "mount" ? .pictureDoesNotFollow : .signSuspect
        #expect(rig.state == .faulted(fault), "\(rig.state)")
        #expect(rig.notes.contains { $0.contains(wrong == "mount" ? "camera.mount" : "pan.invert") }, "\(rig.notes)")
        rig.run(1)
        #expect(rig.dock.rate.magnitude < .degrees(0.1))
    }
}
