internal import ControlProtocol
public import Geometry

/// What a voice says and plays, and when, as a pure value: it receives events and the time, and returns orders.
///
/// One sentence at a time. A high one ends another of less urgency. Sounds are short, and play beside a sentence; a sentence
/// does not begin while one plays.
public struct VoiceMachine: Sendable, Equatable {
    private let settings: VoiceSettings
    private var queue = SpeechQueue(), memory = SpeechMemory(), sounds = SoundGate()
    /// The sentence that is being spoken, since when, and whether it is to end.
    private var current: (sentence: Utterance, since: Seconds, isEnding: Bool)?
    private var orders: [VoiceOrder] = []

    /// Creates a voice that has not spoken.
    public init(_ settings: VoiceSettings) { self.settings = settings }

    /// Whether both are the same.
    public static func == (a: VoiceMachine, b: VoiceMachine) -> Bool {
        a.settings == b.settings && a.queue == b.queue && a.memory == b.memory && a.sounds == b.sounds
            && a.current?.sentence == b.current?.sentence && a.current?.isEnding == b.current?.isEnding
    }

    /// Handles an event. Returns what to do.
    public mutating func handle(_ event: VoiceEvent, at moment: VoiceMoment) -> [VoiceOrder] {
        switch event {
        case .say(let text, let urgency): receive(text, urgency, at: moment)
        case .sound(let name, let direction): receive(sound: name, direction, at: moment)
        case .spoken: current = nil
        case .played: sounds.ended()
        case .stopped: hush()
        case .tick: break
        }
        advance(at: moment)
        defer { orders = [] }
        return orders
    }

    /// Whether nothing sounds and nothing waits.
    public var isIdle: Bool { current == nil && queue.next == nil && sounds.isIdle }

    /// When `tick` is due next, or nil if only other events matter.
    public var deadline: Seconds? {
        let spoken = current.flatMap { $0.isEnding ? nil : $0.since + SpeechRules.longest }
        let turn = current == nil && !sounds.isPlaying && queue.next != nil ? memory.free : nil
        return [spoken, turn, queue.expiry, sounds.deadline].compactMap { $0 }.min()
    }

    private mutating func receive(_ text: String, _ urgency: CueUrgency, at moment: VoiceMoment) {
        guard let plain = SpokenText.of(text) else { return drop(text, .empty) }
        guard settings.speaks else { return drop(plain, .off) }
        guard !isQuiet(moment) else { return drop(plain, .night) }
        let words = settings.viewpoint.sentence(plain)
        guard !memory.repeats(words, urgency, now: moment.now), !queue.contains(words) else {
            return drop(words, .repeated)
        }
        if let victim = queue.add(Utterance(words, urgency, arrival: moment.now)) { drop(victim.text, .noRoom) }
    }

    private mutating func receive(sound name: String, _ direction: PanTilt?, at moment: VoiceMoment) {
        guard let earcon = Earcon.named(name) else { return drop(name, .unknown) }
        guard settings.sounds else { return drop(name, .off) }
        guard !isQuiet(moment) else { return drop(name, .night) }
        let side = direction.map(settings.viewpoint.side) ?? 0, tilt = direction?.tilt ?? 0
        let sound = PlacedSound(earcon: earcon, side: side, tilt: tilt.isFinite ? tilt : 0, arrival: moment.now)
        if let victim = sounds.add(sound, now: moment.now) { drop(victim.earcon.name, .tooSoon) }
    }

    private mutating func hush() {
        for sentence in queue.takeAll() { drop(sentence.text, .stopped) }
        silence()
    }

    private mutating func silence() {
        guard let sentence = current, !sentence.isEnding else { return }
        current?.isEnding = true
        orders.append(.silence)
    }

    private mutating func advance(at moment: VoiceMoment) {
        let now = moment.now
        for sentence in queue.takeExpired(now: now) { drop(sentence.text, .late) }
        if isQuiet(moment) {
            for sentence in queue.takeAll() { drop(sentence.text, .night) }
        }
        if let late = sounds.takeLate(now: now) { drop(late.earcon.name, .late) }
        if let sound = sounds.next(now: now) {
            orders.append(.play(sound.earcon, side: sound.side, tilt: sound.tilt))
        }
        if let current {
            let isOverdue = now >= current.since + SpeechRules.longest
            let gives = queue.next.map { $0.urgency == .high && current.sentence.urgency != .high } ?? false
            if isOverdue || gives { silence() }
        } else if let next = queue.next, !sounds.isPlaying,
            next.urgency == .high || now >= memory.free, let sentence = queue.takeNext()
        {
            memory.began(sentence.text, now: now)
            current = (sentence, now, false)
            orders.append(.speak(sentence))
        }
    }

    private func isQuiet(_ moment: VoiceMoment) -> Bool { settings.night?.contains(moment.minute) ?? false }

    private mutating func drop(_ what: String, _ why: VoiceDrop) { orders.append(.dropped(what, why)) }
}
