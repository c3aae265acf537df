internal import Geometry

/// One thing, looked at closely until it is confirmed, rejected, or set aside.
extension Finder {
    /// How many pictures from one pose must miss a thing before another pose is tried.
    private static let pictures = 3
    /// A thing that looks smaller than this, in picture widths and heights, looks like any other.
    private static let smallest = 0.05
    /// How long an answer may take before the face shows that the search waits, in seconds.
    private static let thought: Seconds = 1
    /// Two looks are different if their poses differ by this angle at least, in radians.
    private static let otherLook = Double.degrees(5)

    /// Asks the verifier until two pictures have matched. Returns whether there is more to do at once.
    mutating func verify(_ focus: FinderFocus, now: Seconds) -> Bool {
        guard let thing = things[focus.thing], !thing.verdicts.isSetAside(now: now) else { return leave(now: now) }
        let needed = settings.mutant == .trustsOneLook ? 1 : Verdicts.needed
        if thing.verdicts.matches.count >= needed {
            let isThere = settings.mutant == .keepsLost || thing.isSeen(within: Self.freshness, now: now)
            if isThere { return celebrate(thing, "the verifier has confirmed it twice", now: now) }
            note(.verifying, "it was confirmed; looking at it once more")
            return see(thing, now: now)
        }
        if let request = desk.book.open(about: thing.id) {
            note(.verifying, "waiting for the verifier")
            if now - request.asked >= Self.thought { show(.thinking) }
            if stance?.thing != thing.id { turn(to: settings.eye.pose(toward: thing.bearing), for: thing.id, now: now) }
            return false
        }
        guard desk.book.hasLeft else {
            giveUp("\(settings.mostRequests) questions to the verifier were not enough", now: now)
            return false
        }
        guard desk.allows(now: now) else {
            let seconds = max(1, Int((desk.breaker.next - now).rounded(.up)))
            note(.blocked, "the verifier fails: \(desk.breaker.problem ?? ""); again in \(seconds) s")
            show(.thinking)
            if stance?.thing != thing.id { turn(to: settings.eye.pose(toward: thing.bearing), for: thing.id, now: now) }
            return false
        }
        note(.verifying, "something may be it")
        guard let box = thing.box, thing.isSeen(within: Self.freshness, now: now),
            box.time > focus.asked || settings.mutant == .paysTwice, !box.isCut || stance?.thing == thing.id
        else { return see(thing, now: now) }
        guard max(box.rect.width, box.rect.height) >= Self.smallest else { return tooSmall(thing, now: now) }
        guard let request = desk.ask(about: thing, now: now) else { return false }
        self.focus?.asked = request.picture
        self.focus?.attempts = 0
        actions.append(.ask(request))
        return true
    }

    /// Makes sure without a verifier: the detector must give the label in two looks. Returns whether there is more to do
    /// at once.
    mutating func confirm(_ focus: FinderFocus, now: Seconds) -> Bool {
        guard let thing = things[focus.thing], !thing.verdicts.isSetAside(now: now) else { return leave(now: now) }
        note(.verifying, "something may be it")
        let isOther = stance.map { ($0.target - thing.seenFrom).magnitude >= Self.otherLook && $0.thing == thing.id }
        guard isOther == true || settings.mutant == .trustsOneLook, let stance, stance.pictures >= 2,
            let named = thing.labels.last(where: wish.names), named >= stance.since,
            thing.labels.median(where: wish.names) >= 0.5,
            settings.mutant == .keepsLost || thing.isSeen(within: Self.freshness, now: now)
        else { return see(thing, now: now) }
        guard let box = thing.box, max(box.rect.width, box.rect.height) >= Self.smallest else {
            return tooSmall(thing, now: now)
        }
        return celebrate(thing, "the detector says so in two looks; no verifier was asked", now: now)
    }

    /// Turns the head so that the next picture shows a thing, or sets it aside if no pose does. Returns whether there is
    /// more to do at once.
    private mutating func see(_ thing: Thing, now: Seconds) -> Bool {
        if let stance, stance.thing == thing.id, !isLate(stance, now: now) {
            // Without a verifier, pictures that show it under another label are of no use either.
            let isUseless = !settings.hasVerifier || thing.misses > 0 || thing.box == nil
            guard stance.pictures >= Self.pictures, isUseless else { return false }
        }
        let middle = settings.eye.pose(toward: thing.bearing).clamped(to: settings.range)
        var poses = [middle]
        if settings.hasVerifier {
            let aside = PanTilt.degrees(pan: 8, tilt: 0), above = PanTilt.degrees(pan: 0, tilt: 8)
            poses += [thing.seenFrom, middle + aside, middle - aside, middle - above, middle + above]
        } else {
            // A look that differs a little from the first one still shows what the first one did.
            let little = PanTilt(pan: Self.otherLook * 1.2, tilt: 0)
            poses += [thing.seenFrom + little, thing.seenFrom - little]
            poses += aside(thing.width, thing.height).map { middle + $0 }
            // From where it was named before, it is named again.
            if isInPlace(thing) { poses = (settings.memory?.looks ?? []) + poses }
            poses.removeAll { ($0.clamped(to: settings.range) - thing.seenFrom).magnitude < Self.otherLook }
        }
        guard let attempts = focus?.attempts, attempts < poses.count else {
            setAside(thing, now: now)
            return leave(now: now)
        }
        focus?.attempts += 1
        turn(to: poses[attempts], for: thing.id, now: now)
        return false
    }

    private mutating func tooSmall(_ thing: Thing, now: Seconds) -> Bool {
        if stance?.thing != thing.id { return see(thing, now: now) }
        guard settings.mutant != .hidesSmall else {
            setAside(thing, now: now)
            return leave(now: now)
        }
        let words = "something that may be the \(wish.label) is too small to tell, \(PlaceWords.of(thing.bearing))"
        note(.verifying, words + "; bring the camera nearer, or zoom in")
        say(words, matters: true, now: now)
        setAside(thing, now: now)
        return leave(now: now)
    }

    private mutating func setAside(_ thing: Thing, now: Seconds) { things[thing.id]?.verdicts.setAside(now: now) }

    /// Goes on with the search, from wherever the head is. Returns true: there is more to do at once.
    private mutating func leave(now: Seconds) -> Bool {
        if let stance, stance.pictures > 0 { complete(now: now) }
        (focus, stance) = (nil, nil)
        note(.searching, "that was not it; looking on")
        show(.curious)
        return true
    }

    /// Receives an answer of the verifier.
    mutating func receive(_ answer: VerifierAnswer, now: Seconds) {
        guard let (request, word) = desk.receive(answer, now: now) else {
            let isLateMatch = if case .verdict(_, _, .match, _) = answer { true } else { false }
            if settings.mutant == .takesLateAnswers, isLateMatch, let any = things.all.first {
                _ = celebrate(any, "late", now: now)
            }
            return
        }
        guard let word else { return }
        guard things[request.thing] != nil else {
            // The answer is about a thing that is not tracked any more: only a look at that place can confirm it.
            if word == .match { plan.expect(at: request.bearing) }
            return
        }
        things[request.thing]?.verdicts.receive(word, picture: request.picture, now: now)
    }
}
