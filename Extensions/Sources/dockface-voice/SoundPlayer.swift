import Geometry
import Glibc
import Processes
import Voice

/// Plays one sound at a time, with a program that is installed. One thread uses it.
final class SoundPlayer {
    private let synth: EarconSynth
    private var tool: ToolChild?
    /// Players that have failed. The others come first.
    private var failed: Set<String> = []
    private var player: VoicePrograms.Player?
    private var failure: String?

    /// How long a sound may take, in seconds. They are at most 0.3 s long.
    private static let patience: Seconds = 5

    /// Creates a player. `volume`: 0...1.
    init(volume: Double) { synth = EarconSynth(volume: volume) }

    var waits: [pollfd] { tool?.waits ?? [] }

    var deadline: Seconds? { failure == nil ? tool?.deadline : -.infinity }

    /// Begins a sound. Its ending comes from `look`.
    func play(_ earcon: Earcon, side: Double, tilt: Double, now: Seconds) {
        let players = VoicePrograms.players
        if players.allSatisfy({ failed.contains($0.name) }) { failed = [] }
        guard let player = players.first(where: { !failed.contains($0.name) }) else {
            failure = "no program that plays sounds is installed; \(VoicePrograms.playerHint)"
            return
        }
        self.player = player
        guard let file = Self.file(WaveFile.bytes(synth.samples(earcon, side: side, tilt: tilt))) else {
            failure = "there is no room for a sound in /tmp"
            return
        }
        defer { close(file) }
        do throws(ChildProcess.Failure) {
            tool = try ToolChild(player.name, player.words, [3: file], patience: Self.patience, now: now)
        } catch {
            failed.insert(player.name)
            failure = "\(player.name) cannot be started: \(error)"
        }
    }

    /// Ends the sound at once.
    func silence(now: Seconds) { tool?.cut(now: now) }

    /// Looks how the sound is. Returns its ending, once.
    func look(now: Seconds) -> ToolEnding? {
        if let failure {
            self.failure = nil
            return .failed(failure)
        }
        guard let ending = tool?.look(now: now) else { return nil }
        tool = nil
        if case .failed = ending, let player { failed.insert(player.name) }
        return ending
    }

    /// Returns a file without a name that has these bytes. A player opens it again, because not all read a pipe.
    private static func file(_ bytes: [UInt8]) -> Int32? {
        var template = Array("/tmp/dockface-voice-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        unlink(template)
        let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            close(file)
            return nil
        }
        return file
    }
}
