import Companion
import ControlProtocol
import DockControl
import DockSimulator
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// A rig's messages during the handshake reach the user of check, calibrate and adopt before anything moves.
    @Suite(.timeLimit(.minutes(10))) struct DeskNotes {
        private static func profile(_ name: String) -> String {
            #filePath.replacing("Tests/ProgramTests/DeskNoteTests.swift", with: "profiles/\(name).toml")
        }

        private func setUp() -> Program.Setup {
            let folder = TemporaryFile.freePath("desk")
            var setup = Program.Setup()
            setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
            return setup
        }

        /// The one line on standard output.
        private func line(_ program: Program) throws -> JSONValue {
            #expect(program.output.split(separator: "\n").count == 1, "\(program.output) \(program.errors)")
            return try #require(JSONValue(json: program.outputBytes.prefix { $0 != 0x0A }))
        }

        @Test(.serialized, arguments: ["check", "calibrate"])
        func `a limp servo that would snap is announced, and the answer no keeps it still`(verb: String) throws {
            let file = Self.profile("maestro-hobby-servos")
            let rig = try SimulatedRigs.port(for: try ProfileLibrary.read(file).get())
            defer { rig.close() }
            rig.push(.degrees(pan: 40, tilt: 0), for: 0.5)
            #expect(eventually(3) { rig.pose(at: monotonicNow()).pan > .degrees(15) && rig.rate.magnitude == 0 })
            let before = rig.pose(at: monotonicNow())
            let program = try Program([verb, "--json", "--port", rig.path, "--profile", file], setUp())
            program.tell("y")
            #expect(
                program.wait(15, until: { program.errors.contains("continue? [y/n]") || program.hasEnded }),
                "\(program.errors)")
            #expect(
                program.errors.contains("the dock reports: the dock refused to report its position"),
                "\(program.errors)")
            program.tell("n")
            #expect(program.end(within: 5) == .exit(75), "\(program.errors)")
            #expect(try line(program)["text"]?.string == "stopped")
            #expect((rig.pose(at: monotonicNow()) - before).magnitude < .degrees(1), "nothing has moved")
        }

        @Test func `a camera in standby is reported as such, not as a bad cable`() throws {
            let file = Self.profile("evi-d100"), profile = try ProfileLibrary.read(file).get()
            func camera() throws -> SimulatedPort<SimulatedRig<ViscaCamera>> {
                try SimulatedPort { time in
                    var rig = SimulatedRig<ViscaCamera>(options: profile.options, time: time)
                    rig.electronics.condition.isInStandby = true
                    return rig
                }
            }
            let cameras = [try camera(), try camera(), try camera()]
            defer { for camera in cameras { camera.close() } }
            let programs = try zip(["adopt", "check", "calibrate"], cameras).map { verb, camera in
                let program = try Program(
                    [verb, "--port", camera.path, "--profile", file, verb == "adopt" ? "--yes" : "--json"], setUp())
                if verb != "adopt" { program.tell("y") }
                return program
            }
            for (index, program) in programs.enumerated() {
                #expect(program.end(within: 25) == .exit(69), "\(program.output) \(program.errors)")
                #expect(program.errors.contains("it is in standby; switch it on"), "\(program.errors)")
                #expect(!program.errors.contains("check its cable"), "\(program.errors)")
                guard index > 0 else { continue }
                let note = try line(program)
                #expect(note["problem"]?.string == "timeout", "\(program.output)")
                #expect(note["text"]?.string?.contains("it is in standby; switch it on") == true)
            }
        }

        @Test(.serialized, arguments: ["check", "calibrate"])
        func `a failure is one JSON line for programs, too`(verb: String) throws {
            let program = try Program(
                [verb, "--json", "--port", "/dev/no-such-port", "--profile", Self.profile("dlp-dock")], setUp())
            #expect(program.end(within: 10) == .exit(69), "\(program.errors)")
            let note = try line(program)
            #expect(note["text"]?.string?.contains("/dev/no-such-port") == true, "\(program.output)")
            #expect(note["problem"]?.string?.isEmpty == false && note["dock"] == .null, "\(program.output)")
            #expect(verb == "check" ? note["passed"] == .bool(false) : note["written"] == .null)

            let dock = try SimulatedDockPort()
            defer { dock.close() }
            let pulled = try Program(
                [verb, "--json", "--port", dock.path, "--profile", Self.profile("dlp-dock")], setUp())
            pulled.tell("y")
            #expect(pulled.wait(20, until: { dock.rate.magnitude > .degrees(1) }), "\(pulled.errors)")
            dock.unplug()
            #expect(pulled.end(within: 10) == .exit(69), "\(pulled.errors)")
            let gone = try line(pulled)
            #expect(gone["problem"]?.string == "notConnected" && gone["dock"]?.string != nil, "\(pulled.output)")
        }
    }
}
