import Companion
import DockControl
import DockSimulator
import Geometry
import Testing
import TestSupport

/// Answers that are typed on a terminal.
extension ProgramTests.Calibration {
    @Test func `on a terminal any key stops it in the middle of a stroke`() throws {
        let home = try Home(), dock = try SimulatedDockPort(), terminal = try Terminal()
        defer { dock.close() }
        home.setup.terminal = terminal
        home.setup.hasInput = false
        let settings = terminal.settings
        let program = try Program(["calibrate", "--port", dock.path], home.setup)
        for prompt in ["begin? [y/n]", "ITS right"] {
            #expect(program.wait(20, until: { program.output.contains(prompt) }))
            program.type("y")
        }
        #expect(program.wait(20, until: { program.output.contains("back and forth") }), "\(program.output)")
        #expect(program.wait(10, until: { dock.rate.magnitude > .degrees(10) }))
        program.type("x")
        #expect(program.end(within: 5) == .exit(75), "\(program.output)")
        #expect(eventually(1) { dock.lastFrameWasStop && dock.rate.magnitude < .degrees(0.1) })
        #expect(terminal.settings == settings)
    }

    @Test func `on a terminal a number is typed, corrected and ended by Enter`() throws {
        let home = try Home(), terminal = try Terminal()
        let file = #filePath.replacing(
            "Tests/ProgramTests/CalibrateTerminalTests.swift", with: "profiles/maestro-hobby-servos.toml")
        let rig = try SimulatedRigs.port(for: try ProfileLibrary.read(file).get())
        defer { rig.close() }
        home.setup.terminal = terminal
        home.setup.hasInput = false
        let settings = terminal.settings
        let program = try Program(["calibrate", "--port", rig.path, "--profile", file], home.setup)
        for (prompt, keys) in [
            ("begin? [y/n]", "y"), ("continue? [y/n]", "y"), ("ITS right", "y"), ("did pan turn", "95\u{7F}\r"),
            ("look up", "y"),
            ("did tilt turn", "\r"), ("write ", "y"),
        ] {
            #expect(program.wait(20, until: { program.output.contains(prompt) }), "\(prompt): \(program.output)")
            program.type(keys)
        }
        #expect(program.end(within: 10) == .exit(0), "\(program.output.suffix(600)) \(program.errors)")
        // 9 instead of 10 degrees.
        #expect(try home.profile("maestro-hobby-servos-measured").options["pan_us_per_degree"] == 11.111)
        #expect(terminal.settings == settings)
    }
}
