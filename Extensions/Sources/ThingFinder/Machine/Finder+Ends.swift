internal import Geometry

/// How a search finds, loses, pauses and ends.
extension Finder {
    /// A found thing that was not seen for this time is lost, in seconds.
    private static let loss: Seconds = 1
    /// How long a thing may be hidden by something else before it counts as lost, in seconds.
    private static let hidden: Seconds = 60
    /// How near the middle of the picture a found thing is pointed at, in radians.
    private static let pointing = Double.degrees(3)

    /// The thing was found. Returns whether there is more to do at once.
    mutating func celebrate(_ thing: Thing, _ why: String, now: Seconds) -> Bool {
        (found, focus) = (thing.id, nil)
        times.found = now
        for request in desk.dropAll() { actions.append(.drop(request)) }
        note(.found, why)
        show(.happy)
        say("The \(wish.label) is \(PlaceWords.of(thing.bearing)).", matters: true, now: now)
        actions.append(.remember(Remembrance(thing, named: wish, isVerified: settings.hasVerifier)))
        let middle = settings.eye.pose(toward: thing.bearing).clamped(to: settings.range)
        if stance.map({ ($0.target - middle).magnitude > Self.pointing }) ?? true {
            turn(to: middle, for: thing.id, now: now)
        }
        return false
    }

    /// Watches the found thing. Returns whether there is more to do at once.
    mutating func watch(_ id: Int, now: Seconds) -> Bool {
        guard settings.stays else {
            if now - times.found >= settings.showTime, let thing = things[id] {
                end(.found(thing.bearing), .found, reason, now: now)
            }
            return false
        }
        guard let thing = things[id] else { return lose(nil, now: now) }
        guard settings.mutant != .keepsLost, !thing.isSeen(within: Self.freshness, now: now) else {
            note(.found, "it is seen")
            return false
        }
        guard let stance, stance.pictures > 0 || isLate(stance, now: now) else { return false }
        if let hidden = thing.hiddenAt, now - hidden <= Self.loss, now - thing.lastSeen <= Self.hidden {
            note(.found, "something is in front of it")
            return false
        }
        guard now - max(thing.lastSeen, stance.since) >= Self.loss else { return false }
        // The detector may not see it where it is in the middle of the picture.
        let last = thing.lastFrom.clamped(to: settings.range)
        guard (stance.target - last).magnitude < LabelTally.sameLook else {
            note(.found, "looking from where it was seen")
            turn(to: last, for: id, now: now)
            return false
        }
        return lose(thing, now: now)
    }

    private mutating func lose(_ thing: Thing?, now: Seconds) -> Bool {
        (found, stance) = (nil, nil)
        note(.lost, "it is not where it was")
        say("I do not see the \(wish.label) any more.", matters: true, now: now)
        actions.append(.missed(wish.label))
        guard let thing else { return true }
        things[thing.id]?.verdicts.forgetMatches()
        plan.lost(at: thing.bearing, from: (trail.pose ?? .zero).clamped(to: settings.range))
        return true
    }

    /// Ends what has waited too long.
    mutating func expire(now: Seconds) {
        for request in desk.expire(now: now) { actions.append(.drop(request)) }
        if now - times.view > Self.blindness {
            block("no detector has answered for \(Int(Self.blindness)) s", now: now)
        } else if trail.pose == nil, now - times.begun > Self.blindness {
            block("the dock does not say where the head is", now: now)
        } else if now - times.begun >= settings.timeLimit, found == nil {
            let trouble = desk.breaker.problem.map { ", and the verifier fails: \($0)" } ?? ""
            giveUp("the time is over" + trouble, now: now)
        }
    }

    /// A person has the head, or it is gone. The search waits, without an end of its own.
    mutating func interrupt(_ why: String, now: Seconds) {
        guard phase.isActive else { return }
        // What was found stays found.
        if !settings.stays, let found, let thing = things[found] {
            end(.found(thing.bearing), .found, reason, now: now)
            return
        }
        for request in desk.dropAll() { actions.append(.drop(request)) }
        (stance, focus, found) = (nil, nil, nil)
        times.paused = now
        note(.paused, why)
    }

    /// A person wants the search to go on. Time in the pause does not count.
    mutating func resume(now: Seconds) {
        guard phase == .paused else { return }
        times.begun += now - times.paused
        times.view = now
        note(.searching, "looking round")
    }

    /// Ends the search without success.
    mutating func giveUp(_ why: String, now: Seconds) {
        guard settings.mutant != .losesWithoutEnd || times.found == 0 else { return }
        end(.givenUp(why), .givenUp, why, now: now)
    }

    /// Ends the search because something is missing.
    mutating func block(_ why: String, now: Seconds) { end(.blocked(why), .blocked, why, now: now) }

    /// Ends the search.
    mutating func end(_ outcome: FinderOutcome, _ phase: FinderPhase, _ why: String, now: Seconds) {
        guard self.outcome == nil else { return }
        for request in desk.dropAll() { actions.append(.drop(request)) }
        note(phase, why)
        switch outcome {
        case .givenUp:
            show(.sad)
            say("I have not found the \(wish.label).", matters: true, now: now)
        case .blocked: say("I cannot look for the \(wish.label).", matters: true, now: now)
        case .found, .cancelled: break
        }
        self.outcome = outcome
        actions.append(.end(outcome))
    }

    /// Sets the phase and its reason.
    mutating func note(_ phase: FinderPhase, _ reason: String) { (self.phase, self.reason) = (phase, reason) }

    /// Shows a mood, if it is new.
    mutating func show(_ mood: FinderMood) { if talk.shows(mood) { actions.append(.mood(mood)) } }

    /// Says a sentence, if it is time for one.
    mutating func say(_ text: String, matters: Bool, now: Seconds) {
        if talk.says(text, matters: matters, now: now) { actions.append(.say(text)) }
    }
}
