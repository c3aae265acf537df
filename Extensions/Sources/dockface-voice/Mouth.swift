import ControlProtocol
import Geometry
import Glibc
import Processes
import Voice

/// Speaks one sentence at a time: with Speech Dispatcher where it runs, else with espeak-ng. One thread uses it.
final class Mouth {
    private let configuration: VoiceConfiguration
    private var link: DispatcherLink?
    /// What speaks now.
    private var tool: (any SoundingTool)?
    private var sentence: Utterance?
    /// Whether the connection was made for this sentence. An older one may have ended since.
    private var isFresh = false
    /// How the sentence ended, before anything could speak it.
    private var failure: String?

    init(_ configuration: VoiceConfiguration) { self.configuration = configuration }

    var waits: [pollfd] { tool?.waits ?? [] }

    var deadline: Seconds? { failure == nil ? tool?.deadline : -.infinity }

    /// Begins a sentence. Its ending comes from `look`.
    func speak(_ sentence: Utterance, now: Seconds) {
        self.sentence = sentence
        if configuration.speech != .espeak, let link = dispatcher(now) {
            link.speak(sentence, now: now)
            tool = link
        } else {
            speakAlone(sentence, now: now)
        }
    }

    /// Ends the sentence at once.
    func silence(now: Seconds) { tool?.cut(now: now) }

    /// Looks how the sentence is. Returns its ending, once.
    func look(now: Seconds) -> ToolEnding? {
        if let failure {
            (self.failure, sentence) = (nil, nil)
            return .failed(failure)
        }
        guard let tool, let ending = tool.look(now: now) else { return nil }
        self.tool = nil
        if link?.isBroken == true { link = nil }
        // A server that has failed says nothing; the sentence is still new.
        if case .failed = ending, tool is DispatcherLink, let sentence, now < sentence.expiry {
            if !isFresh {
                speak(sentence, now: now)
                return nil
            }
            if configuration.speech == .auto, VoicePrograms.path("espeak-ng") != nil {
                speakAlone(sentence, now: now)
                return nil
            }
        }
        sentence = nil
        return ending
    }

    private func dispatcher(_ now: Seconds) -> DispatcherLink? {
        isFresh = link == nil
        if isFresh { link = VoicePrograms.dispatcherSocket.flatMap { DispatcherLink($0, now: now) } }
        return link
    }

    private func speakAlone(_ sentence: Utterance, now: Seconds) {
        guard configuration.speech != .dispatcher, let path = VoicePrograms.path("espeak-ng") else {
            let problem = VoicePrograms.speech(configuration.speech).problem ?? "nothing speaks"
            failure = "\(problem); \(VoicePrograms.speechHint)"
            return
        }
        // On standard input, because every user can read the words of a command.
        var input = ChildPipe()
        guard let theirs = input.open(toChild: true) else {
            failure = "the system has no descriptors left"
            return
        }
        defer {
            close(theirs)
            input.close()
        }
        let text = Array(sentence.text.utf8) + [0x0A]
        // A sentence is far shorter than the room of a pipe.
        guard text.withUnsafeBytes({ input.write($0) }) == text.count else {
            failure = "the sentence does not fit into a pipe"
            return
        }
        let words = [
            path, "--stdin", "-v", configuration.voice, "-s", "\(Int(configuration.rate))", "-a",
            "\(Int((configuration.volume * 100).rounded()))",
        ]
        do throws(ChildProcess.Failure) {
            tool = try ToolChild("espeak-ng", words, [0: theirs], patience: SpeechRules.longest, now: now)
        } catch {
            failure = "espeak-ng cannot be started: \(error)"
        }
    }
}
