import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import Geometry
import Voice

struct TestVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Speak a sentence, and play a sound left, in the middle and right.",
        discussion: "It needs no daemon, and ignores the night hours. The exit status is 1 if something did not work.")

    @Argument(help: "What to say.")
    var text = "You hear the voice of the robot. Next comes a sound on the left, in the middle, and on the right."

    /// How long all of it may take, in seconds.
    private static let patience: Seconds = 90

    func run() async throws {
        let log = ExtensionLog(VoiceTool.identity.name), troubles = TroubleNotes()
        let desk: VoiceDesk, viewpoint: Viewpoint
        do throws(DockError) {
            var configuration = try VoiceConfiguration.read()
            configuration.night = "none"
            viewpoint = configuration.viewpoint
            desk = try VoiceDesk(configuration.settings(), configuration, isDry: false) { report in
                switch report {
                case .trouble(let text): _ = troubles.isNew(text)
                case .dropped(let what, let why): _ = troubles.isNew("\"\(what)\": \(why.rawValue)")
                case .spoken, .played: break
                }
            }
        } catch {
            throw ExitCode(log.failure(error))
        }
        // The robot's right is on the left of a listener who faces it.
        let left = Double.degrees(viewpoint == .front ? 90 : -90)
        let sounds: [PanTilt] = [left, 0, -left].map { PanTilt(pan: $0, tilt: 0) }
        let end = SystemTime.monotonic + Self.patience
        for event in [VoiceEvent.say(text, .high)] + sounds.map({ VoiceEvent.sound("attention", $0) }) {
            desk.put(event)
            while !desk.isIdle, SystemTime.monotonic < end { try await Task.sleep(for: .milliseconds(20)) }
            // Two sounds are never nearer to each other than this.
            try await Task.sleep(for: .milliseconds(400))
        }
        desk.stop()
        let found = troubles.all
        for text in found { log.error(text) }
        if !found.isEmpty { throw ExitCode(1) }
    }
}

struct SoundsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sounds", abstract: "List the sounds that programs can offer.")

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() {
        for earcon in Earcon.all {
            let members = JSONValue.object(["name": .string(earcon.name), "meaning": .string(earcon.meaning)])
            let padding = String(repeating: " ", count: max(1, 18 - earcon.name.count))
            TextOutput.put(
                (json ? String(decoding: members.bytes, as: UTF8.self) : earcon.name + padding + earcon.meaning) + "\n")
        }
    }
}
