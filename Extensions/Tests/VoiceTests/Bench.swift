import ControlProtocol
import Geometry

@testable import Voice

/// A voice in virtual time. Sentences and sounds take as long as the test says.
struct Bench {
    var machine: VoiceMachine
    var now: Seconds = 1000
    var minute = 12 * 60
    /// What was ordered, and when.
    private(set) var orders: [(time: Seconds, order: VoiceOrder)] = []

    init(_ change: (inout VoiceSettings) -> Void = { _ in }) {
        var settings = VoiceSettings()
        change(&settings)
        machine = VoiceMachine(settings)
    }

    mutating func handle(_ event: VoiceEvent) {
        orders += machine.handle(event, at: VoiceMoment(now: now, minute: minute)).map { (now, $0) }
    }

    mutating func say(_ text: String, _ urgency: CueUrgency = .normal) { handle(.say(text, urgency)) }

    /// Lets time pass. The machine is ticked only when it wants to be.
    mutating func pass(_ time: Seconds) {
        let end = now + time
        var rounds = 0
        while let due = machine.deadline, due <= end, rounds < 1000 {
            now = max(now, due)
            handle(.tick)
            rounds += 1
        }
        precondition(rounds < 1000, "the machine wants to be ticked without end")
        now = end
    }

    /// What was spoken.
    var spoken: [String] {
        orders.compactMap { if case .speak(let sentence) = $0.order { sentence.text } else { nil } }
    }
    /// What was played.
    var played: [String] {
        orders.compactMap { if case .play(let earcon, _, _) = $0.order { earcon.name } else { nil } }
    }
    /// Why something was left out, in order.
    var drops: [VoiceDrop] { orders.compactMap { if case .dropped(_, let why) = $0.order { why } else { nil } } }
    /// How often a sentence was ended.
    var silences: Int { orders.count { $0.order == .silence } }
    /// When the last order came.
    var latest: Seconds { orders.last?.time ?? -.infinity }
}
