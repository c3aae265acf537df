import Companion
import ControlProtocol
import DockControl
import DockSimulator
import Foundation
import Geometry
import Glibc
import Synchronization
import Testing
import TestSupport

extension ProgramTests {
    /// `dockface calibrate`: the built program on simulated rigs that differ from their profiles, end to end.
    @Suite(.timeLimit(.minutes(10))) struct Calibration {
        /// A private folder for the user's configuration and runtime files.
        final class Home {
            let folder: String
            var setup = Program.Setup()
            init() throws {
                var template = Array("/tmp/dockface-calibrate-XXXXXX".utf8CString)
                guard mkdtemp(&template) != nil else { throw Silence(description: "no folder") }
                folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                setup.environment = ["XDG_CONFIG_HOME": folder, "XDG_RUNTIME_DIR": folder]
            }
            func write(_ text: String, to name: String) throws -> String {
                let path = folder + "/" + name
                guard let file = fopen(path, "w") else { throw Silence(description: "cannot write \(path)") }
                fputs(text, file)
                fclose(file)
                return path
            }
            func profile(_ name: String) throws -> RigProfile {
                try ProfileLibrary.read(folder + "/dockface/profiles/\(name).toml").get()
            }
            /// Runs a verb and returns its output.
            func said(_ words: [String]) throws -> String {
                let program = try Program(words, setup)
                guard program.end() == .exit(0) else { throw Silence(description: "\(words): \(program.errors)") }
                return program.output
            }
        }

        /// Answers as a person who sees what the head really does. If asked to, turns the head to its ends by hand.
        private func answer(
            _ program: Program, _ rig: any RigPort, hand: Bool, types: Bool = false,
            sees: @escaping (Axis, Double) -> Bool = { $1 > 0.02 }
        ) throws {
            func say(_ text: String, line: Bool = false) {
                if types { program.type(line ? text + "\r" : text) } else { program.tell(text) }
            }
            func hear(_ text: String, _ seconds: Double = 40) throws {
                guard
                    program.wait(
                        seconds, until: { (program.news + program.errors).contains(text) || program.hasEnded }),
                    !program.hasEnded
                else {
                    throw Silence(
                        description: "no \"\(text)\": \(program.output.suffix(500)) \(program.errors.suffix(500))")
                }
                program.forget()
            }
            try hear("begin? [y/n]")
            #expect(rig.rate.magnitude == 0)
            say("y")
            for (axis, question) in [(Axis.pan, "ITS right"), (.tilt, "look up")] {
                try hear(question)
                say(sees(axis, rig.pose(at: monotonicNow())[axis]) ? "y" : "n")
            }
            try hear("Enter: keep the limits")
            say(hand ? "y" : "", line: true)
            guard hand else { return }
            try hear("then press Enter")
            // Against the ends in both directions; the last push brings it back from them.
            for (pan, tilt, seconds) in [(120.0, 60.0, 2.0), (-120.0, -60.0, 3.6), (80.0, 30.0, 1.5)] {
                rig.push(.degrees(pan: pan, tilt: tilt), for: seconds)
                program.wait(seconds + 0.4) { false }
            }
            say("", line: true)
            try hear("switch the torque on again")
            say("y")
        }

        /// A detector with thirty frames a second, which arrive 90 ms after their exposure and do not report it. A face
        /// keeps its position in the world.
        private static func watch(
            _ rig: any RigPort, _ profile: RigProfile, writesTo descriptor: Int32, until isOver: () -> Bool
        ) {
            let camera = CameraModel(camera: profile.camera), face = PanTilt.degrees(pan: 6, tilt: 3)
            var next = monotonicNow(), number = 0
            while !isOver() {
                if let place = camera.project(face, from: rig.pose(at: next - 0.09)) {
                    let rect = "[\(place.x - 0.05),\(place.y - 0.09),0.1,0.18]"
                    let line = #"{"type":"frame","seq":\#(number),"faces":[{"rect":\#(rect),"score":0.9}]}"# + "\n"
                    _ = Glibc.write(descriptor, line, line.utf8.count)
                }
                number += 1
                next += 1.0 / 30
                usleep(UInt32(max(0, next - monotonicNow()) * 1e6))
            }
        }

        @Test func `a FeeTech pair and its camera: measured, written, read back, and used by its adopted rig`() throws {
            let home = try Home(), terminal = try Terminal()
            home.setup.terminal = terminal
            let path = try home.write(
                """
                name = "worn pair"
                driver = "feetech"
                source = "a guess"
                verified = true
                serial = { baud = 1000000 }
                link = { latency_ms = 60 }
                safety = { arming = "now" }
                pan = { min = -140, max = 140, max_speed = 120, max_acceleration = 600, lag_ms = 10 }
                tilt = { min = -28, max = 70, max_speed = 120, max_acceleration = 600, lag_ms = 10 }
                options = { speed_unit_steps = 2 }
                """, to: "worn.toml")
            let before = try ProfileLibrary.read(path).get()
            let rig = try SimulatedRigs.port(for: before, model: .good)
            defer { rig.close() }
            try RigRegistry(folder: home.folder + "/dockface").adopt(
                AdoptedRig(name: "desk", port: .path(rig.path), profile: path, answered: "", date: "2026-01-31"))

            let program = try Program(["calibrate", "--detector", "stdin"], home.setup)
            let isOver = Mutex(false), hasEnded = DispatchSemaphore(value: 0), input = program.inputDescriptor
            Thread.detachNewThread {
                Self.watch(rig, before, writesTo: input) { isOver.withLock { $0 } }
                hasEnded.signal()
            }
            defer { isOver.withLock { $0 = true } }
            try answer(program, rig, hand: true, types: true)
            #expect(
                program.wait(40, until: { program.output.contains("? [y/n] ") && program.output.contains("write ") }))
            // Before its pipe loses its reader.
            isOver.withLock { $0 = true }
            hasEnded.wait()
            let picture = program.output.split { $0.isNewline }.filter { $0.hasSuffix("|") || $0.contains(" |") }
            #expect(picture.count >= 24, "\(program.output)")
            program.type("y")
            #expect(program.end(within: 10) == .exit(0), "\(program.output.suffix(800)) \(program.errors)")
            #expect(rig.rate.magnitude < .degrees(0.5))

            let after = try home.profile("desk-measured")
            // 15 ms, and position controllers with a lag of 40 ms ...
            for axis in Axis.allCases {
                let response = after.commandLatency + after[axis].lag
                // ... which get positions a refresh interval ahead.
                #expect(abs(response - 0.035) < 0.015, "\(after.commandLatency) \(after[axis].lag)")
            }
            #expect(abs((after.options["speed_unit_steps"] ?? 0) - 1) < 0.1, "\(after.options)")
            // 45 in the profile; a frame of jitter at most.
            #expect(abs(after.camera.latency - 0.09) < 0.012, "\(after.camera.latency)")
            #expect(after.camera.horizontalFieldOfView == before.camera.horizontalFieldOfView)
            // The rig's own ends are ±170, and -30 and 80.
            #expect(abs(after.pan.range.lowerBound.inDegrees + 169) < 1.5, "\(after.pan.range)")
            #expect(abs(after.pan.range.upperBound.inDegrees - 169) < 1.5, "\(after.pan.range)")
            #expect(abs(after.tilt.range.lowerBound.inDegrees + 29) < 1.5, "\(after.tilt.range)")
            #expect(after.source.hasPrefix("a guess; measured by dockface calibrate on 20"))
            // All was confirmed, but a pseudo-terminal is not a real rig.
            #expect(!after.verified && after.name == before.name + " (measured)" && after.serial == before.serial)
            let file = home.folder + "/dockface/profiles/desk-measured.toml"
            #expect(try home.said(["profiles", "check", file]).contains(": ok, worn pair"))
            #expect(try home.said(["profiles"]).contains("desk-measured"))
            #expect(try RigRegistry(folder: home.folder + "/dockface").all().first?.profile == "desk-measured")
        }

        @Test(.enabled(if: isThorough)) func `a cheap dock of our own, as JSON: the limits are kept`() throws {
            let home = try Home(), dock = try SimulatedDockPort(configuration: .init(model: .cheap))
            defer { dock.close() }
            let path = try home.write(
                """
                name = "cheap dock"
                driver = "dlp"
                pan = { min = -170, max = 170, max_speed = 90, max_acceleration = 300 }
                tilt = { min = -30, max = 80, max_speed = 90, max_acceleration = 300 }
                """, to: "cheap.toml")
            let before = try ProfileLibrary.read(path).get()
            let program = try Program(
                ["calibrate", "--json", "--port", dock.path, "--profile", path, "--name", "cheap_one"], home.setup)
            try answer(program, dock, hand: false)
            #expect(program.wait(40, until: { program.errors.contains("write ") }), "\(program.errors.suffix(600))")
            program.tell("y")
            #expect(program.end(within: 10) == .exit(0), "\(program.errors.suffix(800))")
            #expect(!program.errors.contains("@"), "no chart")
            #expect(dock.lastFrameWasStop && dock.statistics.maximumSpeed < .degrees(23))
            #expect(program.output.split(separator: "\n").count == 1)
            let line = try #require(JSONValue(json: program.outputBytes.prefix { $0 != 0x0A }))
            #expect(line["written"]?.string == home.folder + "/dockface/profiles/cheap_one.toml")
            let names = (line["values"]?.array ?? []).compactMap { $0["name"]?.string }
            #expect(names.contains("link.latency_ms") && names.contains("tilt.lag_ms") && !names.contains("pan.min"))

            let after = try home.profile("cheap_one")
            // With noise of 0.25 degrees only the sum of latency and lag is precise (30 + 80 ms, 8 from the firmware's
            // ramp).
            for axis in Axis.allCases {
                let latency = after.commandLatency, lag = after[axis].lag
                #expect(abs(latency - 0.038) < 0.03 && abs(lag - 0.08) < 0.03, "\(latency) \(lag)")
                #expect(abs(latency + lag - 0.118) < 0.025, "\(latency) \(lag)")
            }
            #expect(after.pan.range == before.pan.range && !after.pan.invert && !after.verified)
            #expect(
                try home.said(["profiles", "check", home.folder + "/dockface/profiles/cheap_one.toml"]).contains(": ok")
            )
        }

        @Test func `Ctrl-C in the middle of a stroke stops it at once, and nothing is written`() throws {
            let home = try Home(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let program = try Program(["calibrate", "--port", dock.path], home.setup)
            program.tell("y")
            program.tell("y")
            #expect(program.wait(20, until: { program.output.contains("back and forth") }), "\(program.output)")
            #expect(program.wait(10, until: { dock.rate.magnitude > .degrees(10) }))
            program.signal(SIGINT)
            #expect(program.end(within: 5) == .exit(128 + SIGINT))
            #expect(eventually(1) { dock.lastFrameWasStop && dock.rate.magnitude < .degrees(0.1) })
            #expect(access(home.folder + "/dockface/profiles", F_OK) != 0)
        }

        @Test(.serialized, arguments: [("begin? [y/n]", SIGINT), ("clear the latch? [y/n]", SIGTERM)])
        func `a signal at a question stops it, restores the terminal, and nothing is written`(
            question: String, signal: Int32
        ) throws {
            let home = try Home(), dock = try SimulatedDockPort(), terminal = try Terminal()
            defer { dock.close() }
            home.setup.terminal = terminal
            home.setup.hasInput = false
            let settings = terminal.settings
            // So that it asks while the loop runs, and before anything moves.
            dock.emergency(true)
            let program = try Program(["calibrate", "--port", dock.path], home.setup)
            #expect(program.wait(20, until: { program.output.contains("begin? [y/n]") }))
            if question != "begin? [y/n]" { program.type("y") }
            #expect(program.wait(20, until: { program.output.contains(question) }), "\(program.output)")
            program.signal(signal)
            #expect(program.end(within: 5) == .exit(128 + signal), "\(program.output)")
            #expect(program.errors.contains("stopped: nothing is written"), "\(program.errors)")
            #expect(eventually(1) { question == "begin? [y/n]" || dock.lastFrameWasStop })
            #expect(terminal.settings == settings && access(home.folder + "/dockface/profiles", F_OK) != 0)
        }

        @Test(.enabled(if: isThorough)) func `a Maestro is not measured, and a wrong direction inverts its axis`()
            throws
        {
            let home = try Home()
            let root = #filePath.replacing("Tests/ProgramTests/CalibrateTests.swift", with: "")
            let profile = try ProfileLibrary.read(root + "profiles/maestro-hobby-servos.toml").get()
            let rig = try SimulatedRigs.port(for: profile)
            defer { rig.close() }
            let program = try Program(
                ["calibrate", "--port", rig.path, "--profile", root + "profiles/maestro-hobby-servos.toml"], home.setup)
            // Begin, although its servos are limp; pan turned the wrong way, by 8 degrees instead of 10; tilt is right,
            // and was not measured; write.
            for line in ["y", "y", "n", "8", "y", "", "y"] { program.tell(line) }
            #expect(program.end(within: 60) == .exit(0), "\(program.errors) \(program.output.suffix(800))")
            #expect(program.output.contains("nothing measures how this rig moves"))
            let after = try home.profile("maestro-hobby-servos-measured")
            #expect(after.pan.invert != profile.pan.invert && after.tilt.invert == profile.tilt.invert)
            #expect(after.options["pan_us_per_degree"] == 12.5 && after.options["tilt_us_per_degree"] == nil)
            #expect(after.commandLatency == profile.commandLatency && after.pan.lag == profile.pan.lag)
        }
    }
}
