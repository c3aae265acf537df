import ControlProtocol
import DockClient
import DockTestKit
import DockTypes
import Foundation
import Geometry
import ProgramTestKit
import Testing

/// The program `gesture` beside a real daemon, whose detector is a test: it reports one face, and a hand that does what a
/// file says.
@Suite(
    .enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"),
    .serialized, .timeLimit(.minutes(10)))
struct GestureProgramTests {
    private let place = TemporaryFolder()

    /// A detector: the face is left of the middle, and the wrist of the hand where the file says.
    private static let stage = """
        import json, math, sys
        FINGERS = [((-0.27, 0.97), (0.46, 0.27, 0.22), -14), ((-0.02, 1), (0.51, 0.31, 0.23), -2),
                   ((0.2, 0.93), (0.47, 0.29, 0.22), 9), ((0.41, 0.8), (0.36, 0.21, 0.19), 22)]
        THUMBS = {"palm": [(-0.28, 0.22), (-0.53, 0.45), (-0.75, 0.65), (-0.95, 0.82)],
                  "fist": [(-0.28, 0.22), (-0.25, 0.48), (-0.05, 0.6), (0.15, 0.63)]}

        def hand(shape, x, y, aspect, palm=0.12):
            points = [(0, 0)] + THUMBS[shape]
            for (across, up), lengths, degrees in FINGERS:
                points.append((across, up))
                for length in lengths if shape == "palm" else (0.12, -0.28, -0.12):
                    across += length * math.sin(math.radians(degrees))
                    up += length * math.cos(math.radians(degrees))
                    points.append((across, up))
            joints = [[(x + right * palm) / aspect, y - up * palm, 0] for right, up in points]
            return {"points": joints, "score": 0.95, "side": "left"}

        stdin = sys.stdin.buffer
        print('{"type":"hello","v":1,"detector":"%s","clock":"monotonic"}' % sys.argv[2], flush=True)
        while True:
            head = stdin.readline()
            if not head:
                break
            frame = json.loads(head)
            stdin.read(frame["w"] * frame["h"] * 3)
            words = open(sys.argv[1]).read().split()
            size = [frame["w"], frame["h"]]
            hands = [hand(words[0], float(words[1]), float(words[2]), size[0] / size[1])] if len(words) == 3 else []
            face = {"rect": [0.45, 0.25, 0.15, 0.2], "score": 0.95}
            print(json.dumps({"type": "frame", "seq": frame["seq"], "t": frame["t"], "size": size, "faces": [face],
                              "hands": hands}), flush=True)
        """

    private func set(_ words: String) throws {
        try words.write(toFile: place.path + "/hand", atomically: true, encoding: .utf8)
    }

    /// Shows a hand beside the face, `right` picture heights beyond its usual place.
    private func show(_ shape: String, right: Double = 0) throws { try set("\(shape) \(1.0 + right) 0.6") }

    private func daemon(detector name: String = "hands-test") async throws -> Running {
        let stage = place.path + "/stage.py"
        try Self.stage.write(toFile: stage, atomically: true, encoding: .utf8)
        try set("none")
        let daemon = try Running(
            try #require(Running.daemon),
            ["run", "--headless", "--port", "sim", "--config", "none", "--camera", "test"]
                + ["--detector", "exec:python3 -u \(stage) \(place.path)/hand \(name)"], in: place)
        try await wait("the followed face: \(daemon.text)") {
            guard let dock = try? await self.dock() else { return false }
            defer { dock.close() }
            return try await dock.status().tracking.followed != nil
        }
        return daemon
    }

    private func dock() async throws -> Dock { try await Dock.connect(path: place.path + "/dockface/dockface.sock") }

    private func gesture(_ words: String...) async throws -> Running {
        let program = try Running(Running.program("dockface-gesture"), words, in: place)
        try await wait("it is armed: \(program.text)") { program.text.contains("armed: ") || program.hasEnded }
        return program
    }

    private func end(_ programs: Running...) async {
        for one in programs {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    /// Puts the clutch in.
    private func engage(_ program: Running) async throws {
        try show("palm")
        try await wait("the palm: \(program.text)") { program.text.contains("palm held") }
        try show("fist")
        try await wait("the clutch: \(program.text)") { program.text.contains("the head follows your hand") }
    }

    @Test func `an open palm stops the head that follows a face`() async throws {
        let daemon = try await daemon(), program = try await gesture(), dock = try await dock()
        #expect(try await dock.status().indicators.contains { $0.name == "gesture" && $0.state == .on })
        #expect(try await dock.status().accessory.mode == .system)
        try show("palm")
        try await wait("the stop: \(program.text)") {
            let accessory = try await dock.status().accessory
            return accessory.mode == .manual && accessory.stoppedBy == "program"
        }
        try await wait("the word: \(program.text)") {
            let shown = try await dock.status().indicators.first { $0.name == "gesture" }
            return program.text.contains("palm: stop") && shown?.text.hasPrefix("palm") == true
        }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM, "\(program.text)")
        #expect(try await !dock.status().indicators.contains { $0.name == "gesture" })
        await end(daemon)
    }

    @Test func `a hand that closes after the palm drags the head, until it opens`() async throws {
        let daemon = try await daemon(), program = try await gesture(), dock = try await dock()
        try await engage(program)
        try await wait("the lease") { try await dock.status().isLeased }
        let before = try #require(try await dock.status().motion.position)
        // Small steps, as a hand moves: a jump would be another hand.
        for step in 1...10 {
            try show("fist", right: Double(step) * 0.02)
            try await Task.sleep(for: .milliseconds(120))
        }
        try await wait("the head has turned to the right: \(program.text)") {
            try #require(try await dock.status().motion.position).pan > before.pan + 0.05
        }
        // It is dragged by velocities. A motion of its own for each step would begin at rest.
        #expect(try await dock.status().motion.endings.allSatisfy { $0.name != "orient" })
        try show("palm", right: 0.2)
        try await wait("the release: \(program.text)") { try await !dock.status().isLeased }
        #expect(program.text.contains("the hand was opened"), "\(program.text)")
        #expect(try await dock.status().accessory.mode == .manual)
        await end(program, daemon)
    }

    @Test func `a head that follows a hand holds when the program is killed`() async throws {
        let daemon = try await daemon(), program = try await gesture(), dock = try await dock()
        try await engage(program)
        try await wait("the lease") { try await dock.status().isLeased }
        program.signal(SIGKILL)
        _ = await program.status()
        try await wait("the head holds") {
            let status = try await dock.status()
            return !status.isLeased && status.motion.running == nil
        }
        await end(daemon)
    }

    @Test func `a person who stops the dock ends the motion`() async throws {
        let daemon = try await daemon(), program = try await gesture(), dock = try await dock()
        try await engage(program)
        try await wait("the lease") { try await dock.status().isLeased }
        // The word is a person's.
        _ = try await dock.command("stop")
        for step in 1...10 {
            try show("fist", right: Double(step) * 0.02)
            try await Task.sleep(for: .milliseconds(120))
        }
        try await wait("the release: \(program.text)") { try await !dock.status().isLeased }
        #expect(program.text.contains("the head holds: "), "\(program.text)")
        await end(program, daemon)
    }

    @Test func `a dry run writes what it would do, and does nothing`() async throws {
        let daemon = try await daemon(), program = try await gesture("--dry-run"), dock = try await dock()
        try await engage(program)
        #expect(program.text.contains("stop\n") && program.text.contains("engage\n"), "\(program.text)")
        let status = try await dock.status()
        #expect(status.accessory.mode == .system && !status.isLeased && status.indicators.isEmpty)
        await end(program, daemon)
    }

    @Test func `it ends when its time is over, and when the daemon ends`() async throws {
        let daemon = try await daemon(), program = try await gesture("--for", "1")
        #expect(await program.status() == 0 && program.text.contains("gestures are off"), "\(program.text)")
        let second = try await gesture()
        daemon.signal(SIGKILL)
        _ = await daemon.status()
        #expect(await second.status() == 69 && second.text.contains("the daemon has ended"), "\(second.text)")
    }

    @Test func `it says so if no detector reports hands`() async throws {
        let daemon = try await daemon(detector: "plain"), program = try await gesture()
        try await wait("the warning: \(program.text)") { program.text.contains("no detector of the daemon is known") }
        #expect(!program.hasEnded)
        await end(program, daemon)
    }

    @Test func `a wrong time is refused`() async throws {
        let program = try Running(Running.program("dockface-gesture"), ["--for", "0"], in: place)
        #expect(await program.status() == 64 && program.text.contains("--for"), "\(program.text)")
    }
}
