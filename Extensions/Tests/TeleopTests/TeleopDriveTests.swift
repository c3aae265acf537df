import Foundation
import Geometry
import Testing

@testable import Teleop

/// What a hand does to the head, in virtual time.
@Suite struct TeleopDriveTests {
    /// A hand half a metre away, seen by these degrees to the right and up.
    private static func hand(_ pan: Double, _ tilt: Double = 0, turn: Double = 0) -> HandPose {
        let pan = Double.degrees(pan), tilt = Double.degrees(tilt), half = Double.degrees(turn) / 2
        let way = SIMD3(cos(tilt) * sin(pan), cos(tilt) * cos(pan), sin(tilt))
        return HandPose(place: 0.5 * way, turn: [cos(half), 0, 0, sin(half)])
    }

    private static let head = PanTilt.degrees(pan: 20, tilt: 5)
    private static var exact: TeleopSettings {
        var settings = TeleopSettings()
        settings.smoothing = 0
        return settings
    }

    private static func degrees(_ intents: [TeleopIntent]) -> [[Double]] {
        intents.compactMap { intent -> [Double]? in
            guard case .aim(let pose) = intent else { return nil }
            return [pose.pan.inDegrees, pose.tilt.inDegrees].map { ($0 * 1000).rounded() / 1000 }
        }
    }

    @Test func `the head turns by as much as the hand has moved since it began`() {
        var drive = TeleopDrive(Self.exact)
        #expect(drive.apply(.start(Self.hand(-10)), head: Self.head, now: 0) == [.engage])
        #expect(Self.degrees(drive.apply(.track(Self.hand(-10)), head: Self.head, now: 0.03)) == [[20, 5]])
        #expect(Self.degrees(drive.apply(.track(Self.hand(-4, 3)), head: .zero, now: 0.06)) == [[26, 8]])
        #expect(drive.apply(.end, head: .zero, now: 0.09) == [.hold(.end)] && !drive.isEngaged)
    }

    @Test func `gain and side are the operator's choice`() {
        var settings = Self.exact
        (settings.gain, settings.isMirrored) = (2, true)
        var drive = TeleopDrive(settings)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        #expect(Self.degrees(drive.apply(.track(Self.hand(5, 2)), head: .zero, now: 0.03)) == [[-10, 4]])
    }

    @Test func `a hand that goes on after silence begins again, and nothing moves`() {
        var drive = TeleopDrive(Self.exact)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        _ = drive.apply(.track(Self.hand(10)), head: .zero, now: 0.03)
        #expect(drive.deadline == 0.03 + 0.129)
        #expect(drive.tick(now: 0.158).isEmpty)
        #expect(drive.tick(now: 0.16) == [.wait] && drive.isEngaged)
        #expect(drive.tick(now: 0.32).isEmpty && drive.deadline == 0.03 + 0.3)
        #expect(drive.tick(now: 0.33) == [.hold(.silence)])
        #expect(drive.tick(now: 5).isEmpty && drive.deadline == nil)
        #expect(drive.apply(.track(Self.hand(30)), head: Self.head, now: 5) == [.engage])
        #expect(Self.degrees(drive.apply(.track(Self.hand(31)), head: .zero, now: 5.03)) == [[21, 5]])
    }

    @Test(arguments: [10.0, 30, 60])
    func `a late command stops the head, and the same hand goes on`(rate: Double) {
        var drive = TeleopDrive(Self.exact), now = 0.0
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        for step in 1...60 {
            now = Double(step) / rate
            #expect(drive.apply(.track(Self.hand(Double(step) / 10)), head: .zero, now: now).count == 1)
        }
        let wait = (drive.deadline ?? 0) - now
        #expect(abs(wait - max(0.1, 1.5 / rate)) < 1e-6)
        #expect(drive.tick(now: now + wait) == [.wait])
        // The hand has not let go, so it is still the same reference.
        #expect(Self.degrees(drive.apply(.track(Self.hand(7)), head: Self.head, now: now + wait + 0.05)) == [[7, 0]])
    }

    @Test func `a late command does not continue what silence has ended`() {
        var drive = TeleopDrive(Self.exact)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        // Without a tick in between.
        #expect(drive.apply(.track(Self.hand(20)), head: Self.head, now: 0.31) == [.hold(.silence), .engage])
    }

    @Test(arguments: [
        HandPose(place: [0.3, 0.5, 0]), hand(0, turn: 31), HandPose(place: [0, 0.5, 0], turn: [0, 0, 0, 1]),
    ])
    func `a hand that jumps does not move the head`(pose: HandPose) {
        var drive = TeleopDrive(Self.exact)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        #expect(drive.apply(.track(pose), head: Self.head, now: 0.03) == [.hold(.jump), .engage])
        #expect(Self.degrees(drive.apply(.track(pose), head: .zero, now: 0.06)) == [[20, 5]])
    }

    @Test func `opposite quaternions are the same orientation`() {
        let pose = Self.hand(0, turn: 20)
        #expect(pose.angle(to: HandPose(place: pose.place, turn: -pose.turn)) < 1e-6)
        #expect(abs(pose.angle(to: Self.hand(0, turn: 5)).inDegrees - 15) < 1e-9)
    }

    @Test func `without the head's pose no hand begins`() {
        var drive = TeleopDrive(Self.exact)
        #expect(drive.apply(.start(Self.hand(0)), head: nil, now: 0).isEmpty && !drive.isEngaged)
        #expect(drive.apply(.track(Self.hand(1)), head: nil, now: 0.03).isEmpty)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0.06)
        #expect(drive.apply(.start(Self.hand(0)), head: nil, now: 0.09) == [.hold(.refusal)])
    }

    @Test func `after a refusal the same hand must begin again`() {
        var drive = TeleopDrive(Self.exact)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        #expect(drive.refused() == [.hold(.refusal)])
        for step in 1...60 {
            #expect(drive.apply(.track(Self.hand(1)), head: .zero, now: 0.033 * Double(step)).isEmpty)
        }
        #expect(drive.apply(.start(Self.hand(0)), head: .zero, now: 2.02) == [.engage])
        _ = drive.refused()
        #expect(drive.apply(.track(Self.hand(0)), head: .zero, now: 2.5).isEmpty)
        #expect(drive.apply(.track(Self.hand(0)), head: .zero, now: 3.5) == [.engage])
    }

    @Test func `smoothing is a time constant and does not depend on the rate`() {
        var settings = TeleopSettings()
        settings.smoothing = 0.1
        for rate in [10.0, 30, 100] {
            var drive = TeleopDrive(settings), last: [[Double]] = []
            _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
            for step in 1...Int(rate / 10) {
                last = Self.degrees(drive.apply(.track(Self.hand(10)), head: .zero, now: Double(step) / rate))
            }
            // 1 - 1/e of the way after one time constant.
            #expect(abs(last[0][0] - 6.321) < 0.01, "\(rate): \(last)")
        }
    }

    @Test func `the signs of the hand count once in two seconds`() {
        var settings = TeleopSettings()
        settings.gripper = .animate("kapow")
        var drive = TeleopDrive(settings)
        #expect(drive.apply(.gripper, head: nil, now: 0) == [.sign(.animate("kapow"))])
        #expect(drive.apply(.gripper, head: nil, now: 1.9).isEmpty && drive.apply(.reset, head: nil, now: 1.9).isEmpty)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 2)
        #expect(drive.apply(.reset, head: nil, now: 2.1) == [.hold(.end), .home])
        settings.allowsReset = false
        settings.gripper = nil
        drive = TeleopDrive(settings)
        #expect(drive.apply(.reset, head: nil, now: 9).isEmpty && drive.apply(.gripper, head: nil, now: 9).isEmpty)
    }

    @Test(arguments: [HandSign.stop, .emergencyStop]) func `after a stop by a sign the hand does not go on`(
        sign: HandSign
    ) {
        var settings = TeleopSettings()
        settings.gripper = sign
        var drive = TeleopDrive(settings)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        #expect(drive.apply(.gripper, head: .zero, now: 0.03) == [.hold(.refusal), .sign(sign)])
        for step in 2...60 {
            #expect(drive.apply(.track(Self.hand(1)), head: .zero, now: 0.033 * Double(step)).isEmpty)
        }
    }

    @Test func `the sign does a few things, and nothing that only a person may do`() {
        #expect(HandSign(" Animate  YES ") == .animate("yes") && HandSign("preset go door") == .preset("door"))
        for words in ["stop", "estop", "home", "preset go door", "animate yes", "face happy", "face next"] {
            #expect(HandSign(words)?.words == words)
        }
        for words in [
            "", "yes", "clear", "release", "quit", "torque on", "mode system", "velocity 10 0 for 60", "limits reset",
            "animate a\nclear", "animate a b", "face auto", "face random", "preset delete door", "stop now",
        ] {
            #expect(HandSign(words) == nil, "\(words)")
        }
    }

    @Test func `the end of the connection holds`() {
        var drive = TeleopDrive()
        #expect(drive.disconnected().isEmpty)
        _ = drive.apply(.start(Self.hand(0)), head: .zero, now: 0)
        #expect(drive.disconnected() == [.hold(.disconnection)])
    }
}
