internal import Geometry

/// What the buttons do.
extension PadDriver {
    /// Acts on the buttons that were pressed or let go.
    mutating func pressed(_ now: PadButtons, before: PadButtons, now time: Seconds) -> [PadIntent] {
        let chord = PadSettings.emergencyChord
        var intents: [PadIntent] = []
        let isChord = chord.allSatisfy(now.contains)
        if isChord, !chord.allSatisfy(before.contains) {
            pad?.isChordUsed = true
            intents += act(.emergencyStop, of: .start, now: time)
        }
        for button in now.subtracting(before) where !chord.contains(button) && button != settings.deadMan {
            intents += act(settings.actions[button] ?? .none, of: button, now: time)
        }
        // The two buttons of the chord act when they are let go, because only then it is clear that one was meant.
        for button in before.subtracting(now)
        where chord.contains(button) && button != settings.deadMan && pad?.isChordUsed == false {
            intents += act(settings.actions[button] ?? .none, of: button, now: time)
        }
        if !chord.contains(where: now.contains) { pad?.isChordUsed = false }
        return intents
    }

    private mutating func act(_ action: PadAction, of button: PadButton, now: Seconds) -> [PadIntent] {
        switch action {
        case .none: return []
        case .stop, .emergencyStop: return stop(action, now: now)
        case .word(let line): return word(line, now: now)
        case .nextAnimation:
            guard !settings.animations.isEmpty else { return [] }
            let name = settings.animations[animation % settings.animations.count]
            let intents = motion("animate \(name)", needsManual: false, of: button, now: now)
            if intents.contains(where: { if case .word = $0 { true } else { false } }) { animation += 1 }
            return intents
        case .motion(let line, let needsManual): return motion(line, needsManual: needsManual, of: button, now: now)
        case .handBack(let line):
            guard isArmedAtRest else { return [.note(.holdDeadMan(settings.deadMan))] }
            let intents = word(line, now: now)
            if !intents.isEmpty {
                yield()
                daemon?.isManual = false
                modeSettlesAt = now + Self.lag
            }
            return intents
        }
    }

    /// Whether a button may move the head: the dead-man is held, and the sticks do not.
    private var isArmedAtRest: Bool { deadMan.isArmed && wanted == .zero }

    private mutating func stop(_ action: PadAction, now: Seconds) -> [PadIntent] {
        // A button that chatters must not fill the connection. Nothing has moved since the stop before.
        let isRepeated = action == .stop && now < lastPersonalStop + Self.stopPause && !hasTurned && now >= motionEnd
        yield()
        guard !isRepeated else { return [] }
        if action == .stop { lastPersonalStop = now }
        stopSettlesAt = now + Self.lag
        return [action == .stop ? .stop(isPersonal: true) : .emergencyStop]
    }

    private mutating func word(_ line: String, now: Seconds, movesHead: Bool = false) -> [PadIntent] {
        guard daemon != nil, now >= nextWord else { return [] }
        nextWord = now + Self.wordPause
        return [.word(line, movesHead: movesHead)]
    }

    private mutating func motion(
        _ line: String, needsManual: Bool, of button: PadButton, now: Seconds
    ) -> [PadIntent] {
        guard isArmedAtRest else { return [.note(.holdDeadMan(settings.deadMan))] }
        let word = word(line, now: now, movesHead: true)
        guard !word.isEmpty else { return [] }
        motionEnd = now + Self.unknownDuration
        return (needsManual ? manual(now: now) : []) + word
    }
}
