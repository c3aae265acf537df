import Foundation
import Testing
import TestSupport

extension ProgramTests {
    /// Custom faces: created, checked, shown and requested.
    @Suite(.timeLimit(.minutes(10))) struct OwnFaces {
        private static let wink = Place.root + "/Examples/expressions/wink.toml"

        private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (
            ending: Program.Ending?, output: String, errors: String
        ) {
            var setup = Program.Setup()
            setup.hasInput = false
            setup.environment = environment
            let program = try Program(arguments, setup)
            return (program.end(), program.output, program.errors)
        }

        @Test func `a face is written, changed, checked and shown`() throws {
            let begun = try run(["face", "joy", "--toml"])
            #expect(begun.ending == .exit(0) && begun.output.contains("name = \"my-joy\""))
            let file = try TemporaryFile(begun.output, ".toml")
            let same = try run(["face", "--check", file.path])
            #expect(same.ending == .exit(0) && same.output.contains("ok, my-joy; warning: in black and white only 0 %"))
            let right = try run(["face", "--check", Self.wink])
            #expect(right.ending == .exit(0) && right.output.contains("ok, wink; most like"), "\(right.output)")
            let wrong = try TemporaryFile("name = \"grin\"\ncolor = \"#123456\"\n", ".toml")
            let bad = try run(["face", "--check", Self.wink, wrong.path])
            #expect(bad.ending == .exit(78))
            #expect(bad.output.contains(":2:1: \"color\" is unknown; did you mean \"colour\"?"), "\(bad.output)")
            let still = ["--size", "40x12", "--seconds", "0"]
            let shown = try run(["face", Self.wink] + still), happy = try run(["face", "happy"] + still)
            #expect(shown.ending == .exit(0) && shown.output.count > 400 && shown.output != happy.output)
            let refused = try run(["face", wrong.path] + still)
            #expect(refused.ending == .exit(78) && refused.errors.contains(":2:1:"))
        }

        @Test func `a folder of faces is known to the page, the daemon, its words and programs`() throws {
            let folder = TemporaryFile.freePath("faces")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.copyItem(atPath: Self.wink, toPath: folder + "/wink.toml")
            try Data("name = 3\n".utf8).write(to: URL(fileURLWithPath: folder + "/bad.toml"))
            let environment = ["DOCKFACE_EXPRESSIONS": folder]
            let page = try run(["face", "--all"], environment)
            #expect(page.ending == .exit(0) && page.output.contains(" wink") && page.output.contains("21 envy"))
            #expect(page.errors.contains("face skipped: \(folder)/bad.toml:1:1"), "\(page.errors)")
            var setup = Program.Setup()
            setup.environment = environment
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--mode", "manual"], setup)
            #expect(daemon.program.errors.contains("bad.toml:1:1"), "\(daemon.program.errors)")
            #expect(daemon.program.ask("face cheeky") == "ok face wink")
            #expect(daemon.program.ask("status").contains("face wink"))
            #expect(daemon.program.ask("face winc") == "error there is no face \"winc\": did you mean `face wink`?")
            #expect(daemon.program.ask("face next") == "ok face normal")
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0))
        }
    }
}
