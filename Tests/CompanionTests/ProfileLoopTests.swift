import DockSimulator
import FaceTracker
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Companion
@testable import DockControl

/// Every bundled profile on its simulated rig: the loop's core in virtual time.
@Suite struct ProfileLoopTests {
    private static let root = #filePath.replacing(
        "Tests/CompanionTests/ProfileLoopTests.swift", with: "")
    static let names = ProfileLibrary(folders: [root + "profiles"]).all().map(\.name)

    /// One profile of each driver.
    static let oneOfEach = [
        "dlp-dock", "feetech-sts3215-pair", "dynamixel-xl330-pair", "maestro-hobby-servos", "visca-ptz",
        "waveshare-pan-tilt-json", "storm32-mavlink",
    ]

    private static func profile(_ name: String) throws -> RigProfile {
        try ProfileLibrary(folders: [root + "profiles"]).load(name)
    }

    private static func walking(_ profile: RigProfile) throws -> SceneCamera {
        SceneCamera(
            recording: try Recording(path: root + "Examples/faces/walking.jsonl"),
            hfov: .degrees(100), loop: .pingpong, profile: profile)
    }

    @Test func `no profile is left out, and each driver has one`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root + "profiles")
        #expect(Self.names == files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }.sorted())
        let drivers = Set(DriverTable.all.map { $0.name })
        #expect(try Set(Self.names.map { try Self.profile($0).driver }) == drivers)
        #expect(try Set(Self.oneOfEach.map { try Self.profile($0).driver }) == drivers)
    }

    @Test(arguments: names) func `a walking face is followed, words are obeyed, and no fault is reported`(
        name: String
    ) throws {
        let profile = try Self.profile(name)
        try Self.follows(try SimulatedRigs.device(for: profile, seed: 7, time: 1000), profile)
    }

    private static func follows<Device: SimulatedDevice>(_ device: Device, _ profile: RigProfile) throws {
        let rig = SceneRig(
            device: device, driver: try DriverTable.make(for: profile), profile: profile, mode: .system,
            scene: try walking(profile))
        var widest = 0.0
        rig.watch = { widest = max(widest, $0.dock.pose.magnitude.inDegrees) }
        rig.run(12)
        #expect(rig.state == .ready, "\(profile.name): \(rig.state) \(rig.notes)")
        #expect(widest > 5, "\(profile.name) has not moved: \(rig.notes)")
        rig.tell(.setMode(.manual))
        for command in [
            MotionCommand.home, .animate(.yes), .animate(.nope),
            .orient(.degrees(pan: 20, tilt: 5), duration: 1, relative: false),
        ] {
            let answer = rig.tell(command)
            guard case .success? = answer else {
                Issue.record("\(profile.name): \(command): \(String(describing: answer))")
                continue
            }
            rig.run(4)
        }
        let pose = rig.dock.pose
        #expect(rig.state == .ready, "\(profile.name): \(rig.state) \(rig.notes)")
        #expect((pose - .degrees(pan: 20, tilt: 5)).magnitude < .degrees(1.5), "\(profile.name): \(pose * (180 / .pi))")
    }

    /// How a profile's latency can be wrong.
    enum Wrong: String, CaseIterable {
        /// The motors begin 40 ms later, or sooner, than it says.
        case later, sooner
        /// The line takes 20 ms more in either direction, which also lengthens every request.
        case slowLine
    }

    @Test(arguments: isThorough ? names : oneOfEach, Wrong.allCases)
    func `a face that stands still, and a pose, are held without swinging, however wrong the latency is`(
        name: String, wrong: Wrong
    ) throws {
        let profile = try Self.profile(name)
        var claimed = profile, model = RigModel(profile)
        switch wrong {
        case .later: model.commandLatency += 0.04
        case .sooner: claimed.commandLatency += 0.04
        case .slowLine: break
        }
        var device = try SimulatedRigs.device(for: profile, model: model, seed: 7, time: 1000)
        if wrong == .slowLine { device.faults = .line(LineFaults(delay: 0.02)) }
        try Self.holds(device, claimed, wrong)
    }

    private static func holds<Device: SimulatedDevice>(_ device: Device, _ profile: RigProfile, _ wrong: Wrong) throws {
        for isFace in [true, false] {
            let rig = SceneRig(
                device: device, driver: try DriverTable.make(for: profile), profile: profile,
                mode: isFace ? .system : .manual, scene: isFace ? standing(profile) : nil)
            rig.run(3)
            if !isFace { rig.tell(.orient(.degrees(pan: 30, tilt: 10), duration: 1, relative: false)) }
            // A camera behind a slow line reports its position four times a second, and needs longer to settle.
            rig.run(profile.driver == "visca" && wrong == .slowLine ? 8 : 5)
            #expect(rig.state == .ready, "\(profile.name): \(rig.state) \(rig.notes)")
            let there = rig.dock.pose.pan.inDegrees
            #expect(there > (isFace ? 11 : 28), "\(profile.name): at \(there)")
            var ends = (low: there, high: there)
            rig.watch = {
                let pan = $0.dock.pose.pan.inDegrees
                ends = (min(ends.low, pan), max(ends.high, pan))
            }
            rig.run(5)
            #expect(
                ends.high - ends.low < 0.5, "\(profile.name), \(wrong), \(isFace ? "face" : "pose"): \(ends)")
        }
    }

    /// One face that does not move, to the right of the centre.
    private static func standing(_ profile: RigProfile) -> SceneCamera {
        var text = #"{"type":"hello","v":1,"clock":"media","image":{"w":640,"h":360},"fps":25}"# + "\n"
        for index in 0..<300 {
            text +=
                #"{"type":"frame","seq":\#(index),"t":\#(Double(index) / 25),"faces":[{"rect":[0.65,0.35,0.08,0.14],"score":0.9}]}"#
                + "\n"
        }
        let recording = Array(text.utf8).withUnsafeBytes { Recording($0) }
        return SceneCamera(recording: recording, hfov: .degrees(70), loop: .pingpong, profile: profile)
    }

    /// The opposite signs: the rig is mounted as its profile says.
    @Test(arguments: oneOfEach) func `an inverted rig turns the right way, to its own ends`(name: String) throws {
        var profile = try Self.profile(name)
        (profile.pan.invert, profile.tilt.invert) = (!profile.pan.invert, !profile.tilt.invert)
        // Waveshare's board accepts at most 30 degrees downward in its own direction of counting.
        if profile.driver == "waveshare" { profile.tilt.range = .degrees(-90)...(.degrees(30)) }
        try Self.turns(try SimulatedRigs.device(for: profile, seed: 7, time: 1000), profile)
    }

    private static func turns<Device: SimulatedDevice>(_ device: Device, _ profile: RigProfile) throws {
        let rig = SceneRig(device: device, driver: try DriverTable.make(for: profile), profile: profile)
        rig.run(3)
        let ends = profile.tilt.softRange
        for goal in [
            PanTilt(pan: .degrees(20), tilt: ends.upperBound), PanTilt(pan: .degrees(-20), tilt: ends.lowerBound),
        ] {
            rig.tell(.orient(goal, duration: 1, relative: false))
            rig.run(6)
            let pose = rig.dock.pose
            #expect(
                (pose - goal).magnitude < .degrees(1.5),
                "\(profile.name): \(pose * (180 / .pi)) of \(goal * (180 / .pi))")
            #expect(
                ((rig.snapshot.pose ?? .zero) - pose).magnitude < .degrees(1), "\(profile.name): wrong pose")
        }
        #expect(rig.state == .ready, "\(profile.name): \(rig.state) \(rig.notes)")
    }
}
