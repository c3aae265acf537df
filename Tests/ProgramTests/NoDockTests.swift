import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Runs without a dock: the face alone.
    @Suite(.timeLimit(.minutes(10))) struct NoDock {
        @Test func `with --port none faces are followed by the eyes, and commands say that there is no dock`() throws {
            let program = try Program(["run", "--port", "none", "--headless", "--detector", "stdin"])
            program.tell(#"{"type":"hello","v":1,"image":{"w":640,"h":480}}"#)
            var frames = 0
            program.wait(meanwhile: {
                program.tell(Daemon.face); frames += 1
            }) { frames > 6 }
            #expect(program.ask("tap 0.65 0.5").hasPrefix("ok subject "), "\(program.errors)")
            #expect(program.ask("face happy") == "ok face happy")
            for word in ["orient 1 1", "home", "left", "animate yes"] {
                #expect(program.ask(word).hasPrefix("error this run has no dock: name its port"), "\(word)")
            }
            let status = program.ask("status")
            #expect(status.hasPrefix("ok mode system") && status.contains(", no dock,"), "\(status)")
            #expect(program.ask("stop").hasPrefix("ok "))
            #expect(!program.errors.contains("waiting for it"), "\(program.errors)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0), "\(program.errors)")
        }

        @Test func `a scene plays for the face alone`() throws {
            let program = try Program([
                "run", "--port", "none", "--headless", "--detector", "scene:two-people", "--seconds", "2",
            ])
            #expect(program.end() == .exit(0), "\(program.errors)")
        }

        @Test func `without any rig a terminal gets the face and the next step, and a pipe an error`() throws {
            let devices = ["/dev/ttyUSB0", "/dev/ttyACM0"]
            guard devices.allSatisfy({ access($0, F_OK) != 0 }) else { return }
            var setup = Program.Setup()
            setup.terminal = try Terminal()
            setup.hasInput = false
            let shown = try Program(["run", "--colour", "true"], setup)
            #expect(
                shown.wait {
                    TextScreen(shown.outputBytes).bottom.contains("no dock: plug one in and run `dockface adopt`")
                }, "\(shown.errors) \(TextScreen(shown.outputBytes).text)")
            shown.type("q")
            #expect(shown.end() == .exit(0), "\(shown.errors)")
            let piped = try Program(["run"])
            #expect(piped.end() == .exit(69) && piped.errors.contains("no dock found"), "\(piped.errors)")
        }
    }
}
