public import Geometry

/// What others answer: people's eyes, the disk, encoders.
extension RecorderMachine {
    /// The sign is shown, or the daemon has refused it for this reason.
    public mutating func shown(_ sign: Sign, problem: String? = nil, now: Seconds) -> [Action] {
        let isNews = self.sign.answered(sign, problem: problem, now: now)
        // Only without this sign a recording must not go on.
        guard let problem, sign == .recording else { return refresh(now) }
        let words = "nothing is recorded, because it cannot be shown: \(problem)"
        return (isNews ? [.say(words, isWarning: true)] : []) + end(.stopped) + refresh(now)
    }

    /// The connection to the daemon is a new one. It does not show our state yet.
    public mutating func connected(now: Seconds) -> [Action] {
        sign.forget()
        return refresh(now)
    }

    /// There is room for a chunk, or there is none for this reason.
    public mutating func hasRoom(problem: String?, now: Seconds) -> [Action] {
        var actions: [Action] = []
        if let problem, room.problem != problem {
            actions.append(.say("nothing is recorded: \(problem)", isWarning: true))
        } else if problem == nil, room.problem != nil {
            actions.append(.say("there is room again", isWarning: false))
        }
        room.answered(problem, now: now)
        if let problem { actions += end(.disk(problem)) }
        return actions + refresh(now)
    }

    /// A chunk's file cannot be written.
    public mutating func diskFailed(_ id: Int, _ reason: String, now: Seconds) -> [Action] {
        id == chunk ? hasRoom(problem: reason, now: now) : []
    }

    /// A person has deleted the file of an open chunk. The first frame that is taken after that begins another one.
    public mutating func wasDeleted(_ id: Int, now: Seconds) -> [Action] {
        guard id == chunk else { return [] }
        span.forget(before: now)
        return end(.deleted)
    }

    /// An encoder has made its first fragment.
    public mutating func encoderWorked(now: Seconds) -> [Action] {
        trouble.worked()
        return refresh(now)
    }

    /// An encoder has failed.
    /// - Parameters:
    ///   - id: the number of its chunk; nil if it had none yet.
    ///   - reason: what has happened.
    ///   - hasWorked: whether it had made a fragment.
    ///   - sent: the exposure of the last frame that it got. Later ones may be taken again.
    public mutating func encoderFailed(
        _ id: Int?, _ reason: String, hasWorked: Bool, sent: Seconds?, now: Seconds
    ) -> [Action] {
        let before = trouble.problem
        trouble.failed(reason, hasWorked: hasWorked, now: now)
        var actions: [Action] = [.say("the encoder has failed: \(reason)", isWarning: true)]
        // The same failure every few seconds would fill the log.
        if before != nil { actions = [] }
        if id == chunk {
            actions += end(.encoder(reason))
            if let sent { plan.rewind(to: sent) }
        }
        if id == nil { isWarm = false }
        return actions + refresh(now)
    }
}
