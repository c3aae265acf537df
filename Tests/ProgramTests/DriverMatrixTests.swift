import Companion
import DockControl
import DockSimulator
import Foundation
import Geometry
import Glibc
import Synchronization
import TestSupport
import Testing

extension ProgramTests {
    /// Every driver in the built program, on its simulated rig: whatever signal the daemon gets and whatever happens to
    /// the line while the axis turns, the axis stops, and the rig returns when the line does.
    @Suite(.alone, .timeLimit(.minutes(10))) struct DriverMatrix {
        /// One profile for each protocol except DLP/1.
        static let all = [
            "feetech-sts3215-pair", "dynamixel-xl330-pair", "maestro-hobby-servos", "evi-d100",
            "waveshare-pan-tilt-json", "storm32-mavlink",
        ]
        /// Two of them for quick runs: one position-controlled, one speed-controlled.
        static let profiles = isThorough ? all : ["feetech-sts3215-pair", "evi-d100"]

        static let signals: [(Int32, String)] = [
            (SIGTERM, "TERM"), (SIGINT, "INT"), (SIGQUIT, "QUIT"), (SIGHUP, "HUP"), (SIGABRT, "ABRT"),
            (SIGSEGV, "SEGV"), (SIGKILL, "KILL"), (SIGSTOP, "STOP"),
        ]

        enum Fault: String, CaseIterable {
            case noise = "one byte in a hundred wrong, lost or doubled"
            case lost = "all bytes lost"
            case late = "2 s late, both ways"
            case mute = "the rig is mute"
            case deaf = "the rig is deaf"
            case cut = "unplugged in mid-frame"
            case reboot = "the rig reboots"
            case blocked = "a motor is blocked"
        }

        @Test func `every driver except DLP has a profile here`() throws {
            let drivers = try Self.all.map { try ProfileLibrary.read(Place.file("profiles/\($0).toml")).get().driver }
            #expect(Set(drivers + ["dlp"]) == Set(DriverTable.all.map { $0.name }))
        }

        @Test(.serialized, arguments: profiles) func `whatever signal the daemon gets, the axis stops`(
            profile: String
        ) {
            side(by: Self.signals.map(\.0)) { signal in
                let stage = try DriverStage(profile)
                defer { stage.end() }
                try stage.turn()
                let moment = monotonicNow()
                stage.program.signal(signal)
                let time = stage.standing(since: moment)
                let name = Self.signals.first { $0.0 == signal }?.1 ?? ""
                if time > stage.limit {
                    throw Silence(description: "\(profile), \(name): stopped after \(time) s, not \(stage.limit)")
                }
                // No process starts it again: neither the guard nor the halted daemon.
                usleep(400_000)
                if stage.speed > 0.5 {
                    throw Silence(description: "\(profile), \(name): it turns again, \(stage.speed) deg/s")
                }
                if signal == SIGSTOP { stage.program.signal(SIGCONT) }
                Self.note("\(profile) | \(name) | \(Int(time * 1000)) ms")
            }
        }

        @Test(.serialized, arguments: profiles)
        func `whatever happens to the line, the axis stops, and the rig comes back`(
            profile: String
        ) {
            side(by: Fault.allCases) { fault in
                let stage = try DriverStage(profile)
                defer { stage.end() }
                try stage.turn()
                try stage.suffer(fault)
                Self.note("\(profile) | \(fault.rawValue) | \(stage.outcome)")
            }
        }

        /// All at the same time, one thread each: they mostly wait.
        private func side<Item: Sendable>(by items: [Item], _ work: @escaping @Sendable (Item) throws -> Void) {
            let problems = Problems(), group = DispatchGroup()
            for item in items {
                group.enter()
                Thread.detachNewThread {
                    do { try work(item) } catch { problems.add("\(item): \(error)") }
                    group.leave()
                }
            }
            group.wait()
            for problem in problems.all { Issue.record("\(problem)") }
        }

        private final class Problems: Sendable {
            private let texts = Mutex<[String]>([])
            func add(_ text: String) { texts.withLock { $0.append(text) } }
            var all: [String] { texts.withLock { $0 } }
        }

        private static let rows = Mutex<[String]>([])

        /// Appends a row to `drivers.md` in the folder that DOCKFACE_TABLES names.
        private static func note(_ row: String) {
            let all = rows.withLock { rows in
                rows.append("| \(row) |")
                return rows.sorted()
            }
            guard let folder = getenv("DOCKFACE_TABLES").map({ String(cString: $0) }) else { return }
            let text = "| profile | what | stopped after |\n| --- | --- | --- |\n" + all.joined(separator: "\n") + "\n"
            try? text.write(toFile: folder + "/drivers.md", atomically: true, encoding: .utf8)
        }
    }
}

/// The built program with one driver on its simulated rig.
final class DriverStage {
    let profile: RigProfile
    let rig: any RigPort
    let program: Program
    let abilities: DriverAbilities
    private let folder: String
    private(set) var outcome = ""

    /// The commanded speed, deg/s.
    static let wanted = 20.0

    init(_ name: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let file = root + "/profiles/\(name).toml", link = TemporaryFile.freePath(name)
        profile = try ProfileLibrary.read(file).get()
        abilities = try DriverTable.make(for: profile).abilities
        rig = try SimulatedRigs.port(for: profile, link: link)
        folder = TemporaryFile.freePath("home")
        var setup = Program.Setup()
        setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
        program = try Program(
            [
                "run", "--port", link, "--profile", file, "--headless", "--detector", "none", "--mode", "manual",
                "--socket", "none",
            ],
            setup)
    }

    func end() {
        program.signal(SIGKILL)
        rig.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var speed: Double { rig.rate.magnitude.inDegrees }

    func turn() throws {
        guard program.wait(15, until: { program.errors.contains("dock ready") }) else {
            throw Silence(description: "\(profile.name) did not become ready: \(program.errors.suffix(300))")
        }
        var asked = 0.0
        let turns = program.wait(10) {
            if monotonicNow() > asked + 1 {
                asked = monotonicNow()
                // Toward the side with room: an axis that could not be stopped may reach its end.
                let way = rig.pose(at: asked).pan > .degrees(20) ? -1.0 : 1
                program.tell("velocity \(way * Self.wanted) 0 for 20")
            }
            return speed > 0.7 * Self.wanted
        }
        guard turns else {
            throw Silence(
                description:
                    "\(profile.name) does not turn: \(program.errors.suffix(300)) \(program.output.suffix(300))")
        }
    }

    /// The guard's timeout (equal to the deadman's), a tenth of a second, the line's delay, and braking with the
    /// motor's lag.
    var limit: Double {
        0.25 + 0.1 + profile.commandLatency + Self.wanted / profile.pan.maxAcceleration.inDegrees + 5 * profile.pan.lag
    }

    /// Seconds until it stands still for good; infinity: not within 4 s.
    func standing(since moment: Double) -> Double {
        var still: Double?
        let end = moment + 4
        while monotonicNow() < end {
            let now = monotonicNow()
            if speed > 0.5 { still = nil } else { still = still ?? now }
            if let still, now - still > 0.2 { return still - moment }
            usleep(2000)
        }
        return .infinity
    }

    /// One fault, from its start to the end of its recovery.
    func suffer(_ fault: ProgramTests.DriverMatrix.Fault) throws {
        let before = program.errors.count, moment = monotonicNow()
        strike(fault)
        if fault == .noise {
            usleep(600_000)
            program.tell("stop")
        }
        let struck = fault == .noise ? monotonicNow() : moment
        let time = standing(since: struck)
        // A rig without a deadman that cannot be reached keeps turning until it can be; its profile says so. A rig
        // without feedback continues after a reboot with the next position that it is sent.
        let goesOn = fault == .reboot && abilities.feedback == .modelled
        let isReached = goesOn ? false : abilities.deadman != nil || [.noise, .reboot, .mute, .blocked].contains(fault)
        outcome = time.isFinite ? "\(Int(time * 1000)) ms" : "not before it is reached"
        let watchdog = fault == .mute || fault == .blocked ? 1.3 : 0
        if isReached, time > limit + watchdog + (fault == .noise ? 0.25 : 0) {
            throw Silence(
                description:
                    "\(profile.name), \(fault.rawValue): stopped after \(time) s; \(program.errors.suffix(300))")
        }
        if fault == .cut || fault == .lost || fault == .late || fault == .mute || fault == .deaf {
            // Not always "does not hear": a blocked axis may be reported before it has backed off and is latched.
            let words =
                fault == .cut ? ["the dock is gone"] : ["gone silent", "sends but does not receive", "latched"]
            guard program.wait(6, until: { words.contains { program.errors.dropFirst(before).contains($0) } }) else {
                throw Silence(
                    description:
                        "\(profile.name), \(fault.rawValue): nothing is said: \(program.errors.dropFirst(before))")
            }
        }
        let isLatched = fault == .blocked && abilities.feedback == .measured
        if isLatched, !program.wait(4, until: { program.errors.dropFirst(before).contains("latched") }) {
            throw Silence(
                description: "\(profile.name): a blocked motor is not noticed: \(program.errors.dropFirst(before))")
        }
        rig.faults = SimulatedDock.Faults()
        if fault == .cut { try rig.replug(rebooted: false) }
        // A rig that reports its position and hears nothing looks like a blocked one.
        if isLatched || program.errors.dropFirst(before).contains("latched") {
            var answer = ""
            let isCleared = program.wait(8) {
                answer = program.ask("clear")
                if !answer.hasPrefix("ok") { usleep(200_000) }
                return answer.hasPrefix("ok")
            }
            guard isCleared else { throw Silence(description: "\(profile.name): cannot be cleared: \(answer)") }
        }
        // Back, and still until a motion is requested.
        let mended = monotonicNow()
        guard program.wait(15, until: { program.ask("status").contains("dock ready") }) else {
            throw Silence(
                description:
                    "\(profile.name), \(fault.rawValue): does not come back: \(program.errors.dropFirst(before))")
        }
        guard standing(since: mended) < 3 else {
            throw Silence(description: "\(profile.name), \(fault.rawValue): turns by itself after it came back")
        }
        program.tell("mode manual")
        try turn()
    }

    private func strike(_ fault: ProgramTests.DriverMatrix.Fault) {
        switch fault {
        case .noise: rig.faults = .line(LineFaults(drop: 0.01, insert: 0.01, flip: 0.01))
        case .lost: rig.faults = .line(LineFaults(drop: 1))
        case .late: rig.faults = .line(LineFaults(delay: 2))
        case .mute: rig.faults.isMute = true
        case .deaf: rig.faults.isDeaf = true
        case .cut: rig.unplug(afterHostBytes: 10)
        case .reboot: rig.reboot()
        case .blocked: rig.faults.blocked = [.pan]
        }
    }
}
