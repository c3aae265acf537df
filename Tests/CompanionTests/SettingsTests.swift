import FaceTracker
import Files
import TestSupport
import Testing

@testable import Companion

/// `dockface.toml`, the variables, and which of them applies.
@Suite struct SettingsTests {
    private func layer(_ text: String, _ file: String = "/t.toml") throws -> SettingsLayer {
        try SettingsLayer(text: text, file: file)
    }

    private func problems(_ text: String) -> [FileProblem] {
        do throws(FileError) {
            _ = try SettingsLayer(text: text, file: "/t.toml")
            return []
        } catch {
            return error.problems
        }
    }

    /// The example of every key, as it appears in a file.
    private var everything: String {
        var text = "", table = ""
        for setting in Setting.all {
            let parts = setting.key.split(separator: ".").map(String.init)
            if parts.count > 1, parts[0] != table {
                table = parts[0]
                text += "[\(table)]\n"
            }
            text += "\(parts[parts.count - 1]) = \(setting.example)\n"
        }
        return text
    }

    @Test func `the example of every key is valid, and is written as it is read`() throws {
        let read = try layer(everything)
        #expect(read.entries.count == Setting.all.count)
        let settings = Settings(layers: [read])
        let again = try layer(settings.text(origin: true, isWhole: true))
        #expect(again.entries.mapValues(\.value) == read.entries.mapValues(\.value))
    }

    @Test func `the template file sets nothing, and everything once its comment signs are removed`() throws {
        #expect(try layer(Settings.example).entries.isEmpty)
        let lines = Settings.example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
        }
        #expect(try layer(lines.joined(separator: "\n")).entries.count == Setting.all.count)
    }

    @Test func `an unknown key is reported with its line and the most similar key`() {
        let found = problems("port = \"sim\"\ncamra = \"/dev/video0\"\n\n[face]\nstile = \"bar\"\n")
        #expect(found.map(\.line) == [2, 5])
        #expect(found.first?.text.contains("did you mean \"camera\"?") == true, "\(found)")
        #expect(found.last?.text.contains("\"style\"") == true, "\(found)")
    }

    @Test(arguments: [
        ("speed = 0", "1 to 100"), ("speed = \"fast\"", "1 to 100"), ("mode = \"auto\"", "\"system\""),
        ("detector = \"yunet\"", "strings"), ("detector = [\"yunt\"]", "unknown detector"),
        ("camera = \"nowhere\"", "camera"), ("limits = [\"pan 60\"]", "limits"),
        ("limits = [\"reset\"]", "not a limit"),
        ("limits = [\"pan -60 60\\nstop\"]", "without control"), ("headless = 1", "true or false"),
        ("face = 3", "table"), ("detector_fps = 0", "0.1 to 1000"), ("[face]\nseed = -1", "whole number"),
    ])
    func `a wrong value is reported with the allowed ones`(_ text: String, _ words: String) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].text.contains(words), "\(found)")
        #expect(found.first?.line != nil, "\(found)")
    }

    @Test func `variables take precedence over the user's file, and that over the system's`() throws {
        let variables = try SettingsLayer(environment: { ["DOCKFACE_SPEED": "30", "DOCKFACE_MODE": ""][$0] })
        let user = try layer("speed = 40\nmode = \"manual\"\n", "/u.toml")
        let system = try layer("\nspeed = 50\nhome = false\n", "/s.toml")
        let settings = Settings(layers: [variables, user, system])
        let entries = settings.entries.map { "\($0.key) \($0.text) \($0.origin)" }
        #expect(
            entries == [
                "mode \"manual\" /u.toml:2", "speed 30 environment, DOCKFACE_SPEED", "home false /s.toml:3",
            ])
        #expect(settings.options(before: []) == ["--mode=manual", "--speed=30", "--no-home"])
    }

    @Test func `a wrong variable is reported by its name`() {
        let wrong = [
            "DOCKFACE_SPEED": "quick", "DOCKFACE_SEARCH": "maybe", "DOCKFACE_LIMITS": "pan 1\ntilt 2 1",
            "DOCKFACE_FACE_SEED": "1.5",
        ]
        do throws(FileError) {
            _ = try SettingsLayer(environment: { wrong[$0] })
            Issue.record("taken")
        } catch {
            #expect(Set(error.problems.map(\.file)) == Set(wrong.keys))
        }
    }

    @Test func `a typed option is not added again, however it is typed`() throws {
        let settings = Settings(layers: [
            try layer("port = \"head\"\nsearch = false\nheadless = true\ndetector = [\"stdin\"]\nspeed = 20\n")
        ])
        #expect(
            settings.options(before: ["--search", "--no-headless", "--detector", "none", "--port=sim"]) == [
                "--speed=20"
            ])
        // Arguments after -- are not options.
        #expect(settings.options(before: ["--", "--speed"]).contains("--speed=20"))
    }

    @Test func `a profile belongs to the port of the same layer`() throws {
        let settings = Settings(layers: [try layer("port = \"head\"\nprofile = \"feetech\"\n")])
        #expect(settings.options(before: ["--port", "other"]).isEmpty)
        #expect(settings.options(before: ["--profile", "other"]) == ["--port=head"])
        let both = Settings(layers: [
            try SettingsLayer(environment: { $0 == "DOCKFACE_PORT" ? "other" : nil }),
            try layer("profile = \"feetech\"\n"),
        ])
        #expect(both.options(before: []) == ["--port=other"])
    }

    @Test func `a detector that brings its own frames drops the camera of another layer`() throws {
        let settings = Settings(layers: [try layer("camera = \"test\"\ndetector = [\"yunet\"]\n")])
        #expect(settings.options(before: ["--detector", "stdin"]).isEmpty)
        #expect(settings.options(before: ["--detector=scene:x.jsonl"]).isEmpty)
        #expect(settings.options(before: ["--detector", "blazeface"]) == ["--camera=test"])
        let fed = Settings(layers: [try layer("detector = [\"stdin\"]\n")])
        #expect(fed.options(before: ["--camera", "test"]).isEmpty)
    }

    @Test func `only the keys that a verb takes are added`() throws {
        let settings = Settings(layers: [try layer("port = \"head\"\nspeed = 20\n")])
        #expect(settings.options(before: [], only: ["port", "profile"]) == ["--port=head"])
    }

    @Test func `a file that was named must exist, the default ones need not`() throws {
        #expect(throws: FileError.self) { try Settings.read(file: "/nonexistent/x.toml", environment: { _ in nil }) }
        #expect(try Settings.read(file: "none", environment: { _ in nil }).files.isEmpty)
        let file = try TemporaryFile("speed = 10\n", ".toml")
        #expect(try Settings.read(file: file.path, environment: { _ in nil }).files == [file.path])
    }

    @Test func `a tuning becomes the commands that produce it`() throws {
        var tuning = Tuning()
        tuning.limits = ["pan -60 60", "tilt -10 30 45"]
        tuning.speed = 0.5
        tuning.expression = "happy"
        #expect(tuning.commands(after: nil).count == 4)
        var next = tuning
        next.expression = nil
        next.limits = []
        next.gestures = true
        // Changed limits need a restart, so they are not among these commands.
        #expect(next.commands(after: tuning) == [.face("normal"), .gestures(true)])
    }

    @Test func `no key shares its option or its variable with another`() {
        #expect(Set(Setting.all.map(\.option)).count == Setting.all.count)
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
        let others = ["DOCKFACE_SOCKET", "DOCKFACE_CONFIG", "DOCKFACE_PROFILES", "DOCKFACE_DETECTORS"]
        #expect(Set(Setting.all.map(\.variable)).isDisjoint(with: others))
    }
}
