import ControlProtocol
import DockClient
import DockTestKit
import Foundation
import Geometry
import ProgramTestKit
import Testing

/// The program beside a real daemon whose dock is simulated, and a sender of this test.
@Suite(.enabled(if: Running.daemon != nil, "the daemon is not built"), .serialized, .timeLimit(.minutes(10)))
struct TeleopProgramTests {
    private let place = TemporaryFolder()

    /// The daemon, the program and its port.
    private struct Stage {
        let daemon: Running, teleop: Running, dock: Dock, port: Int

        /// The head's pose in degrees, and whether it turns.
        func head() async throws -> (pan: Double, tilt: Double, isTurning: Bool) {
            let motion = try await dock.status().motion
            let pose = try #require(motion.position)
            return (pose.pan.inDegrees, pose.tilt.inDegrees, motion.running != nil || motion.velocity != .zero)
        }

        /// How often the program has said that it holds the head.
        var holds: Int { teleop.text.components(separatedBy: "hold: ").count - 1 }

        /// Waits until nothing moves the head and no program has the lease.
        func rest() async throws {
            try await wait("the head to rest") {
                let status = try await dock.status()
                return status.accessory.control != "lease" && status.motion.running == nil
                    && status.motion.velocity == .zero
            }
        }
    }

    private func stage(_ words: String...) async throws -> Stage {
        let daemon = try Running(
            try #require(Running.daemon), ["run", "--headless", "--port", "sim", "--config", "none"], in: place)
        let teleop = try Running(
            Running.program("dockface-teleop"), ["--listen", "127.0.0.1:0"] + words, in: place)
        try await wait("the port: \(teleop.text)") { teleop.text.contains("waiting for a sender") || teleop.hasEnded }
        let found = teleop.text.firstMatch(of: /127\.0\.0\.1:(\d+)/)
        let port = try #require(found.flatMap { Int($0.1) }, "\(teleop.text)")
        var dock: Dock?
        try await wait("the daemon") {
            dock = try? await Dock.connect(path: place.path + "/dockface/dockface.sock")
            guard let status = try await dock?.status() else { return false }
            return status.accessory.dock == "ready" && status.extensions.contains { $0.state == .ready }
        }
        return Stage(daemon: daemon, teleop: teleop, dock: try #require(dock), port: port)
    }

    @Test func `the head follows the hand, and holds when it lets go`() async throws {
        let stage = try await stage(), sender = try #require(Sender(stage.port))
        var before = try await stage.head(), follows = false
        // On a busy machine a hand may be so late that the head is held. It then begins again.
        for _ in 0..<8 where !follows {
            before = try await stage.head()
            let holds = stage.holds
            await sender.sweep(-5, 15, steps: 30)
            try await wait("the head to follow, or to be held: \(stage.teleop.text)") {
                follows = abs(try await stage.head().pan - before.pan - 20) < 2
                return follows || stage.holds > holds
            }
        }
        #expect(follows, "\(stage.teleop.text)")
        sender.write(Sender.command("End", 15))
        try await stage.rest()
        let after = try await stage.head()
        #expect(after.pan - before.pan > 15 && abs(after.tilt - before.tilt) < 1, "\(stage.teleop.text)")
    }

    @Test func `silence, a closed connection and a killed program end the motion`() async throws {
        let stage = try await stage()
        for how in ["silence", "close", "kill"] {
            let sender = try #require(Sender(stage.port)), before = try await stage.head()
            await sender.sweep(0, 10, steps: 10)
            switch how {
            case "close": sender.close()
            case "kill": stage.teleop.signal(SIGKILL)
            default: break
            }
            try await stage.rest()
            let rest = try await stage.head()
            #expect(abs(rest.pan - before.pan) < 25, "\(how)")
            // Other programs are not locked out.
            _ = try await stage.dock.setAngularVelocity(.zero, for: 0.01)
            if how != "kill" {
                // The same hand goes on: it must not jump to where the hand is.
                sender.write(Sender.command("Track", 60))
                try await Task.sleep(for: .milliseconds(100))
                #expect(abs(try await stage.head().pan - rest.pan) < 1, "\(how)")
            }
        }
    }

    @Test func `rubbish, jumps and commands without a beginning move nothing`() async throws {
        let stage = try await stage(), sender = try #require(Sender(stage.port)), before = try await stage.head()
        let ended = try await stage.dock.status().motion.endings.last?.id ?? 0
        sender.write("<Track> nan 0.5 0 1 0 0 0<Track> inf inf inf 1 0 0 0<Start> 0 9 0 1 0 0 0\n\u{0}\u{1B}[2J<<<>>>")
        for step in 0..<20 {
            // Each is too far from the one before.
            sender.write(Sender.command("Track", step.isMultiple(of: 2) ? -35 : 35) + "\n")
        }
        sender.write(String(repeating: "x", count: 1 << 20))
        try await wait("the flaws in the log") { stage.teleop.text.contains("commands dropped") }
        try await stage.rest()
        let motion = try await stage.dock.status().motion
        #expect(motion.endings.allSatisfy { $0.id <= ended || $0.name != "orient" }, "\(motion.endings)")
        #expect(abs(try await stage.head().pan - before.pan) < 0.5)
        // The next hand is served.
        await sender.sweep(0, 5, steps: 5)
        try await wait("a hand") { try await abs(stage.head().pan - before.pan) > 2 }
    }

    @Test func `a stop by another program counts more than the hand`() async throws {
        let stage = try await stage(), sender = try #require(Sender(stage.port))
        sender.write(Sender.command("Start", 0))
        let hand = Task {
            for step in 1...150 where !Task.isCancelled {
                sender.write(Sender.command("Track", Double(step) / 10))
                try? await Task.sleep(for: .milliseconds(33))
            }
        }
        defer { hand.cancel() }
        try await wait("motion") { try await stage.head().isTurning }
        try await stage.dock.emergencyStop()
        try await wait("the hold: \(stage.teleop.text)") { stage.teleop.text.contains("the daemon does not move") }
        try await stage.rest()
        let rest = try await stage.head()
        try await stage.dock.clearFault()
        // The hand goes on all the time, but it must begin again.
        try await Task.sleep(for: .milliseconds(300))
        #expect(abs(try await stage.head().pan - rest.pan) < 0.5)
    }

    @Test func `a dry run and a closed list of senders move nothing`() async throws {
        let stage = try await stage("--allow", "192.0.2.1"), sender = try #require(Sender(stage.port))
        sender.write(Sender.command("Start", 0))
        try await wait("the refusal") { stage.teleop.text.contains("connections refused: 1") }
        let dry = try Running(
            Running.program("dockface-teleop"), ["--listen", "127.0.0.1:0", "--dry-run"], in: place)
        try await wait("the port") { dry.text.contains("waiting for a sender") }
        let port = try #require(dry.text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        let other = try #require(Sender(port))
        await other.sweep(0, 5, steps: 3)
        try await wait("the aims: \(dry.text)") { dry.text.contains("aim ") && dry.text.contains("engage") }
        dry.signal(SIGTERM)
        #expect(await dry.status() == 143)
    }

    @Test func `senders that come and go without end fill no log, and lock out no hand`() async throws {
        let start = Date()
        let teleop = try Running(
            Running.program("dockface-teleop"), ["--listen", "127.0.0.1:0", "--dry-run"], in: place)
        try await wait("the port") { teleop.text.contains("waiting for a sender") }
        let port = try #require(teleop.text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        for _ in 0..<300 { try #require(Sender(port)).close() }
        let sender = try #require(Sender(port))
        await sender.sweep(0, 5, steps: 3)
        try await wait("the hand: \(teleop.text)") { teleop.text.contains("engage") }
        let lines = teleop.text.split(separator: "\n").count {
            $0.contains("127.0.0.1 is connected") || $0.contains("127.0.0.1 is gone")
        }
        // Twenty, then one a second.
        #expect(Double(lines) <= 21 + Date().timeIntervalSince(start), "\(teleop.text)")
    }
}
