import ControlProtocol
import DockClient
import DockTestKit
import Foundation
import Geometry
import ProgramTestKit
import Testing

/// The program `voice` beside a real daemon. The programs that speak and play only write down how they are used.
@Suite(.enabled(if: Running.daemon != nil, "the daemon is not built"), .timeLimit(.minutes(10)))
struct VoiceProgramTests {
    private let place = TemporaryFolder()

    private func daemon() async throws -> (program: Running, dock: Dock) {
        let daemon = try Running(
            try #require(Running.daemon),
            ["run", "--headless", "--port", "sim", "--config", "none", "--detector", "none", "--mode", "manual"],
            in: place)
        var dock: Dock?
        try await wait("the daemon: \(daemon.text)") {
            dock = try? await Dock.connect(path: place.path + "/dockface/dockface.sock")
            return try await dock?.status().accessory.dock == "ready"
        }
        return (daemon, try #require(dock))
    }

    private func voice(_ words: [String], _ fakes: FakePrograms? = nil) throws -> Running {
        let path = fakes?.folder ?? place.path + "/nothing"
        return try Running(Running.program("dockface-voice"), words, in: place, variables: ["PATH": path])
    }

    /// Starts a voice that hears what is offered.
    private func speaking(
        _ dock: Dock, _ fakes: FakePrograms?, _ words: String...
    ) async throws -> Running {
        let program = try voice(words + ["--night", "none", "--json"], fakes)
        try await wait("it listens: \(program.text)") { try await dock.cue("ok") || program.hasEnded }
        return program
    }

    private func end(_ programs: Running...) async {
        for one in programs {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    @Test func `espeak-ng gets the sentence on its standard input, from the listener's side`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await dock.say("-v x; $(touch \(place.path)/owned) it is 60 degrees to my left.", urgency: .high)
        try await wait("the sentence: \(program.text)") { !fakes.sentences.isEmpty }
        #expect(
            fakes.sentences == ["-v x; $(touch \(place.path)/owned) it is 60 degrees to your right.\n"],
            "as it was written, but for the side")
        #expect(!FileManager.default.fileExists(atPath: place.path + "/owned"), "no shell saw it")
        #expect(fakes.words("espeak-ng") == [["--stdin", "-v", "en", "-s", "160", "-a", "100"]])
        await end(program, daemon)
    }

    @Test func `a player gets a WAV file whose loud side is that of the thing`() async throws {
        let fakes = try FakePrograms(in: place.path, ["aplay"])
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await wait("the first sound: \(program.text)") { fakes.ended("aplay") == 1 }
        try await dock.cue("find-found", direction: PanTilt(pan: .degrees(-90), tilt: 0))
        try await wait("the sound: \(program.text)") { fakes.heard("aplay").count == 2 }
        let bytes = [UInt8](try #require(fakes.heard("aplay").last))
        #expect(bytes.prefix(4).elementsEqual("RIFF".utf8) && bytes.count == 44 + 4 * Int(0.24 * 44_100))
        func peak(_ channel: Int) -> Int {
            stride(from: 44 + channel * 2, to: bytes.count, by: 4)
                .map { abs(Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))) }.max() ?? 0
        }
        #expect(peak(0) == 0 && peak(1) > 10_000, "the robot's left is the right of a person who faces it")
        #expect(fakes.words("aplay").allSatisfy { $0 == ["-q", "/dev/fd/3"] })
        await end(program, daemon)
    }

    @Test func `Speech Dispatcher speaks where it runs, and espeak-ng when it has gone`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let server = try FakeDispatcher(in: place.path)
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await dock.say("The first.", urgency: .high)
        try await wait("the first: \(program.text)") { server.sentences == ["The first."] }
        try await dock.say(".hidden", urgency: .high)
        try await wait("the second: \(program.text)") { server.sentences == ["The first.", "..hidden"] }
        #expect(server.commands.filter { $0 == "SET self PRIORITY important" }.count == 2)
        // It was restarted: the connection of before is gone, another one is possible.
        server.drop()
        try await dock.say("The third.", urgency: .high)
        try await wait("the third: \(program.text)") { server.sentences.last == "The third." }
        #expect(fakes.sentences.isEmpty && !program.text.contains("trouble"), "\(program.text)")
        try FileManager.default.removeItem(atPath: place.path + "/speech-dispatcher/speechd.sock")
        server.drop()
        try await dock.say("The fourth.", urgency: .high)
        try await wait("the fourth: \(program.text)") { fakes.sentences == ["The fourth.\n"] }
        await end(program, daemon)
    }

    @Test func `a stop of the dock, and the end of the program, cancel what Speech Dispatcher says`() async throws {
        let server = try FakeDispatcher(in: place.path, isSlow: true),
            fakes = try FakePrograms(in: place.path, ["aplay"])
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await dock.say("A sentence of a minute.", urgency: .high)
        try await wait("the sentence: \(program.text)") { server.sentences.count == 1 }
        #expect(!server.commands.contains("CANCEL self"))
        _ = try await dock.command("stop")
        try await wait("the first cancel: \(program.text)") { server.commands.contains("CANCEL self") }
        try await wait("the next one: \(program.text)") {
            try await dock.say("Another one.", urgency: .high)
            return server.sentences.count == 2
        }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM)
        try await wait("the second cancel") { server.commands.filter { $0 == "CANCEL self" }.count == 2 }
        await end(daemon)
    }

    @Test func `a Speech Dispatcher that does not answer does not cost the sentence`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let server = try FakeDispatcher(in: place.path, isMute: true)
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await dock.say("It matters.", urgency: .high)
        try await wait("the sentence: \(program.text)") { fakes.sentences == ["It matters.\n"] }
        #expect(server.sentences.isEmpty)
        await end(program, daemon)
    }

    @Test func `the end of the program, and a stop of the dock, end the sentence at once`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng"], lasts: 50)
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        // A high one, which no other sentence ends.
        try await dock.say("A sentence of a minute.", urgency: .high)
        try await wait("the sentence: \(program.text)") { fakes.sentences.count == 1 }
        _ = try await dock.command("stop")
        try await wait("the next one: \(program.text)") {
            try await dock.say("Another one.", urgency: .high)
            return fakes.sentences.count == 2
        }
        try await wait("only the second speaks") { fakes.running == 1 }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM)
        try await wait("no speech program is left") { fakes.running == 0 }
        #expect(fakes.ended("espeak-ng") == 0, "none has ended by itself")
        await end(daemon)
    }

    @Test func `without a speech program it says what to install, and still plays sounds`() async throws {
        let fakes = try FakePrograms(in: place.path, ["aplay"])
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await dock.say("Nobody hears this.")
        try await wait("the trouble: \(program.text)") { program.text.contains("\"trouble\"") }
        #expect(program.text.contains("no program that speaks is installed; install one: apt-get install espeak-ng"))
        try await wait("the report") {
            try await dock.status().extensions.contains { $0.name == "voice" && $0.text.contains("no program") }
        }
        #expect(!fakes.heard("aplay").isEmpty)
        await end(program, daemon)
    }

    @Test func `a player that fails gives way to another`() async throws {
        let fakes = try FakePrograms(in: place.path, ["aplay"], status: 1)
        try fakes.make("paplay")
        let (daemon, dock) = try await daemon(), program = try await speaking(dock, fakes)
        try await wait("the second player: \(program.text)") {
            try await dock.cue("ok")
            return !fakes.heard("paplay").isEmpty
        }
        #expect(program.text.contains("aplay failed: no such device"), "\(program.text)")
        #expect(fakes.words("paplay").first == ["/dev/fd/3"])
        await end(program, daemon)
    }

    @Test func `a speech program that only writes an error has failed`() async throws {
        let fakes = try FakePrograms(in: place.path, ["aplay"])
        // As espeak-ng does without a sound card.
        try fakes.make("espeak-ng", error: "error: No such file or directory")
        let program = try voice(["test", "Hello."], fakes)
        #expect(await program.status() == 1, "\(program.text)")
        #expect(program.text.contains("espeak-ng failed: error: No such file or directory"), "\(program.text)")
    }

    @Test func `a dry run writes what it would say, and nothing sounds`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let (daemon, dock) = try await daemon()
        let program = try voice(["--dry-run", "--night", "none", "--viewpoint", "behind"], fakes)
        try await wait("it listens: \(program.text)") { try await dock.cue("ok") }
        try await dock.say("The cup is to my left.", direction: PanTilt(pan: -1, tilt: 0))
        try await dock.say("The cup is to my left.")
        try await wait("both: \(program.text)") {
            program.text.contains("say (normal): The cup is to your left.\n") && program.text.contains("a moment ago\n")
        }
        #expect(fakes.sentences.isEmpty && fakes.heard("aplay").isEmpty)
        await end(program, daemon)
    }

    @Test func `it is quiet at night`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let (daemon, dock) = try await daemon()
        // All of the day except one minute, which is not now.
        let now = Calendar.current.dateComponents(in: TimeZone(identifier: "UTC")!, from: Date()).hour ?? 0
        let other = (now + 12) % 24
        let program = try voice(["--night", "\(other):01-\(other):00", "--json"], fakes)
        try await wait("it listens: \(program.text)") { try await dock.cue("ok") }
        try await dock.say("Found it!", urgency: .high)
        try await wait("it leaves it out: \(program.text)") { program.text.contains("Found it!") }
        #expect(program.text.contains(#""why":"it is quiet at this time""#), "\(program.text)")
        #expect(!program.text.contains(#""event":"say""#))
        #expect(fakes.sentences.isEmpty && fakes.heard("aplay").isEmpty)
        await end(program, daemon)
    }

    @Test func `a service speaks only if its settings ask for it`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let refused = try voice(["serve"], fakes)
        #expect(await refused.status() == 78 && refused.text.contains("write `speak = true` to voice.toml"))
        let folder = place.path + "/config/dockface"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "speak = true\nnight = \"none\"\nvoice = \"de\"\nvolume = 0.5\n".write(
            toFile: folder + "/voice.toml", atomically: true, encoding: .utf8)
        let (daemon, dock) = try await daemon(), program = try voice(["serve"], fakes)
        try await wait("it listens: \(program.text)") { try await dock.cue("ok") || program.hasEnded }
        try await dock.say("Guten Tag.", urgency: .high)
        try await wait("the sentence: \(program.text)") { fakes.sentences == ["Guten Tag.\n"] }
        #expect(fakes.words("espeak-ng") == [["--stdin", "-v", "de", "-s", "160", "-a", "50"]])
        #expect(!program.text.contains("Guten Tag"), "what was said is not kept")
        await end(program, daemon)
    }

    @Test func `wrong words and settings are refused`() async throws {
        let words = [["--night", "22"], ["--viewpoint", "above"], ["--night", "24:00-07:00"]]
        for one in words { #expect(await (try voice(one)).status() == 64, "\(one)") }
        let folder = place.path + "/config/dockface"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for text in ["night = \"late\"", "voice = \"-f/etc/passwd\"", "rate = 5", "vioce = \"en\""] {
            try text.write(toFile: folder + "/voice.toml", atomically: true, encoding: .utf8)
            let program = try voice([])
            #expect(await program.status() == 78, "\(text): \(program.text)")
        }
    }

    @Test func `doctor names what is missing, and is content otherwise`() async throws {
        let nothing = try voice(["doctor"])
        #expect(await nothing.status() == 1, "\(nothing.text)")
        for words in ["apt-get install espeak-ng", "apt-get install alsa-utils", "the voice waits for it"] {
            #expect(nothing.text.contains(words), "\(words): \(nothing.text)")
        }
        let program = try voice(["doctor", "--json"], FakePrograms(in: place.path, ["espeak-ng", "pw-play"]))
        #expect(await program.status() == 0, "\(program.text)")
        let lines = program.text.split(separator: "\n").compactMap { JSONValue(json: Array($0.utf8)) }
        #expect(lines.count == 5 && lines.allSatisfy { $0["level"]?.string != "fault" })
        #expect(lines.contains { $0["text"]?.string?.hasPrefix("pw-play") == true })
    }

    @Test func `test speaks and plays without a daemon, or says what does not work`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let program = try voice(["test", "Hello."], fakes)
        #expect(await program.status() == 0, "\(program.text)")
        #expect(fakes.sentences == ["Hello.\n"] && fakes.heard("aplay").count == 3)
        let nothing = try voice(["test"])
        #expect(await nothing.status() == 1, "\(nothing.text)")
        #expect(nothing.text.contains("error: no program that speaks"), "\(nothing.text)")
    }

    @Test func `the daemon starts it again, and it speaks`() async throws {
        let fakes = try FakePrograms(in: place.path, ["espeak-ng", "aplay"])
        let (first, dock) = try await daemon(), program = try await speaking(dock, fakes)
        first.signal(SIGKILL)
        _ = await first.status()
        dock.close()
        let (second, again) = try await daemon()
        try await wait("it listens again: \(program.text)") { try await again.cue("ok") }
        try await again.say("I am back.", urgency: .high)
        try await wait("the sentence: \(program.text)") { fakes.sentences == ["I am back.\n"] }
        await end(program, second)
    }
}
