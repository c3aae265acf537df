import Geometry
import Glibc
import Processes
import Voice

/// The work of the voice's thread: it brings what was offered to the machine, and carries out its orders.
final class VoiceWorker: PolledWork {
    private var machine: VoiceMachine
    private let inbox: VoiceInbox
    private let mouth: Mouth, player: SoundPlayer
    private let clock: @Sendable () -> VoiceMoment
    private let tell: @Sendable (VoiceReport) -> Void
    /// Whether it only tells what it would do.
    private let isDry: Bool

    init(_ settings: VoiceSettings, _ configuration: VoiceConfiguration, _ parts: VoiceParts) {
        machine = VoiceMachine(settings)
        (mouth, player) = (Mouth(configuration), SoundPlayer(volume: configuration.volume))
        (inbox, clock, tell, isDry) = (parts.inbox, parts.clock, parts.tell, parts.isDry)
    }

    func turn() -> Bool {
        for event in inbox.take() { handle(event) }
        look()
        handle(.tick)
        inbox.turned(now: clock().now, isIdle: machine.isIdle)
        return true
    }

    var deadline: Seconds? {
        inbox.isEmpty ? [machine.deadline, mouth.deadline, player.deadline].compactMap { $0 }.min() : -.infinity
    }

    var waits: [pollfd] { mouth.waits + player.waits }

    // The next turn looks at everything.
    func handle(_ waits: [pollfd]) {}

    func end() {
        let now = clock().now
        mouth.silence(now: now)
        player.silence(now: now)
        _ = (mouth.look(now: now), player.look(now: now))
    }

    private func look() {
        let now = clock().now
        if let ending = mouth.look(now: now) { handle(.spoken(failure: report(ending))) }
        if let ending = player.look(now: now) {
            _ = report(ending)
            handle(.played)
        }
    }

    private func report(_ ending: ToolEnding) -> String? {
        guard case .failed(let why) = ending else { return nil }
        tell(.trouble(why))
        return why
    }

    private func handle(_ event: VoiceEvent) {
        let moment = clock()
        for order in machine.handle(event, at: moment) {
            switch order {
            case .speak(let sentence):
                tell(.spoken(sentence))
                if isDry { inbox.put(.spoken(failure: nil)) } else { mouth.speak(sentence, now: moment.now) }
            case .silence: if !isDry { mouth.silence(now: moment.now) }
            case .play(let earcon, let side, let tilt):
                tell(.played(earcon, side: side))
                if isDry {
                    inbox.put(.played)
                } else {
                    player.play(earcon, side: side, tilt: tilt, now: moment.now)
                }
            case .dropped(let what, let why): tell(.dropped(what, why))
            }
        }
    }
}
