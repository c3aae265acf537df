internal import Geometry

extension GestureReader {
    /// A shape has become certain.
    mutating func understand(_ shape: HandShape, _ hand: ReadHand?, now: Seconds) -> [GestureIntent] {
        guard let hand else { return [] }
        let time = hand.frame.time, follows = follows(shape, at: time)
        switch shape {
        case .palm:
            used(shape, at: time, now: now)
            guard hand.isBesideFace else { return [.note(.tooFar)] }
            phase = .ready(palm: time, closed: SeenTime())
            return [.cue(.ready), .note(.understood(.ready))]
        case .thumbUp, .thumbDown:
            guard hand.isBesideFace else { return [.note(.tooFar)] }
            guard follows else { return [.note(.another)] }
            used(shape, at: time, now: now)
            phase = .idle
            let isYes = shape == .thumbUp, cue = isYes ? GestureCue.yes : .nope
            return [.animate(isYes ? "yes" : "nope"), .cue(cue), .note(.understood(cue))]
        // These act as parts of others.
        case .fist, .pinch, .point, .victory, .none: return []
        }
    }

    /// After the palm, a hand that closes puts the clutch in.
    mutating func close(_ hand: ReadHand?, at time: Seconds, for credit: Seconds, now: Seconds) -> [GestureIntent] {
        guard case .ready(var palm, var closed) = phase else { return [] }
        if hand?.shape == .palm { palm = time }
        guard time - palm <= GestureRules.change else {
            phase = .idle
            return []
        }
        closed.update(hand?.shape.isClosed == true, for: credit, most: GestureRules.closing)
        phase = .ready(palm: palm, closed: closed)
        guard let hand, hand.shape.isClosed, closed.reaches(GestureRules.closing) else { return [] }
        phase = .idle
        guard hand.isBesideFace else { return [.note(.tooFar)] }
        guard let bearing = hand.bearing, let pose = hand.frame.pose else { return [.note(.noBearing)] }
        used(hand.shape, at: time, now: now)
        phase = .driving(HandDrive(reference: bearing, start: pose))
        return [.engage, .cue(.clutch), .note(.understood(.clutch))]
    }

    /// The head follows a closed hand.
    mutating func follow(_ drive: HandDrive, _ hand: ReadHand, for credit: Seconds, now: Seconds) -> [GestureIntent] {
        guard hand.shape != .palm else { return release(.opened) }
        var drive = drive
        drive.frame(after: credit)
        guard hand.shape.isClosed else {
            drive.doubt += credit
            phase = .driving(drive)
            // What the hand wants is not known, so the head must not go on.
            return drive.doubt > GestureRules.doubt ? release(.opened) : wait()
        }
        drive.doubt = 0
        guard let bearing = hand.bearing else { return release(.lost) }
        guard (bearing - drive.bearing).magnitude <= GestureRules.jump else { return release(.jumped) }
        drive.move(to: bearing)
        drive.isWaiting = false
        isUsed(now: now)
        phase = .driving(drive)
        return drive.hasMoved ? [.drag(drive.target)] : []
    }

    /// Stops a head that is dragged until the next frame that says where to.
    mutating func wait() -> [GestureIntent] {
        guard case .driving(var drive) = phase, drive.hasMoved, !drive.isWaiting else { return [] }
        drive.isWaiting = true
        phase = .driving(drive)
        return [.wait]
    }

    /// A palm that waves is greeted. Nothing moves.
    mutating func greet(_ hand: ReadHand?, at time: Seconds, now: Seconds) -> [GestureIntent] {
        guard let hand, hand.shape == .palm, hand.isBesideFace, wave.update(hand.joints, at: time) else { return [] }
        isUsed(now: now)
        return [.cue(.greet), .note(.understood(.greet))]
    }

    /// A finger that points steadily turns the head.
    mutating func point(_ hand: ReadHand?, at time: Seconds, for credit: Seconds, now: Seconds) -> [GestureIntent] {
        // A hand that closes may look like a finger for a moment.
        guard !isEngaged else { return [] }
        let target = hand?.shape == .point ? hand?.target : nil
        guard let place = pointing.update(target, for: credit), let hand else { return [] }
        pointing = SteadyPoint()
        guard hand.isBesideFace else { return [.note(.tooFar)] }
        guard follows(.point, at: time) else { return [.note(.another)] }
        guard let home = hand.frame.pose else { return [.note(.noBearing)] }
        used(.point, at: time, now: now)
        phase = .looking(until: now + GestureRules.look, home: home)
        return [.engage, .aim(place), .cue(.look), .note(.understood(.look))]
    }
}
