internal import DockControl
internal import Geometry

/// Who may write, of people and programs: one writer, many readers, and people before programs.
///
/// Precedence: stop and emergency stop (anybody, always) > keys > command words > whoever holds the lease > other programs.
/// What moves by itself (animation, tracking, gestures) ranks below; that is the director's part.
struct Arbiter: Sendable, Equatable {
    /// A program that writes, until it is silent for too long.
    struct Lease: Sendable, Equatable {
        var client: Int
        var until: Seconds
        /// It made the mode custom.
        var isTracking = false

        /// What the loop has to end when this lease is lost.
        var lost: LostLease { LostLease(ProgramID(client), endsTracking: isTracking) }
    }

    /// Who has the dock.
    enum Holder: Sendable, Equatable {
        /// A person who moved it or let go of it, until anyone sets the mode.
        case person(Asker)
        /// A person who stopped it, until a person gives it back.
        case stoppedByPerson(Asker)
        /// A program that stopped it, until it sets the mode, or a person gives it back. `newest` is nil while the program is
        /// connected, and all others are bound. Once it is gone, those remain bound that were there: up to this number.
        case stoppedByProgram(Int, newest: Int?)
    }

    /// Somebody took the dock over, or set the mode: what was before.
    private struct Takeover: Equatable {
        let number: Int
        let holder: Holder?
        var wasReleased: Bool
        /// Motions of people that the setting of the mode made free.
        var freed: Set<MotionID>
        var isRefused = false
    }

    var lease: Lease?
    var holder: Holder?
    /// The highest number of a program that has asked for anything.
    var newestClient = 0
    /// A person pulled the emergency stop, or pressed the dock's own: no program releases it.
    private var isLatchedByHand = false
    /// A program pulled it: what the dock says of a latch is no person's then.
    private var isLatchedByProgram = false
    /// Emergency stops that were admitted, and that the loop has not carried out yet.
    private var emergencies = 0
    /// A person switched the torque off: no program switches it on, whoever sets the mode meanwhile.
    private var isReleasedByHand = false
    /// Counts takeovers, and settings of the mode.
    private(set) var takeovers = 0
    /// The newest of them, so that those that came to nothing can be taken back.
    private var history: [Takeover] = []
    /// Motions of people under way: nobody who ranks below them ends them.
    private var personal: Set<MotionID> = []
    /// Motions of people that were admitted and have not been answered yet.
    private var expected = 0
    private var lastHand: Seconds = -.infinity
    private var lastKey: Seconds = -.infinity

    /// A lease lives so long after the last request, seconds.
    static let leaseTime: Seconds = 2
    /// After the last key, and after a person's stop, no program sets the mode for so long, seconds.
    static let handTime: Seconds = 2
    /// While keys turn the dock, words wait; seconds after the last key.
    static let keyTime: Seconds = 0.7
    /// No more takeovers than this wait for their answers.
    private static let mostHistory = 64

    /// Why the command is refused; nil: it may be carried out, and a person who takes the dock over by it has it.
    mutating func admit(_ command: Command, from asker: Asker, now: Seconds) -> DockError? {
        let kind = command.kind
        if let refusal = refusal(command, kind, from: asker, now: now) { return refusal }
        if command == .motion(.emergencyStop) { emergencies += 1 }
        switch (asker, kind) {
        case (.client(let id), .stop):
            if command == .motion(.emergencyStop) { isLatchedByProgram = true }
            stopped(by: id)
        case (.client(let id), .mode):
            // Of those whom a stop binds that has outlived its program, none is freed by another.
            if case .stoppedByProgram(let other, newest: _?) = holder, other != id { break }
            free()
        case (.client, _): break
        case (_, .stop):
            tookOver(asker, now: now)
            holder = .stoppedByPerson(asker)
            lastHand = now
            if command == .motion(.emergencyStop) { isLatchedByHand = true }
        case (_, .mode):
            free()
            if asker == .keys { lastHand = now }
        case (_, .torque):
            tookOver(asker, now: now)
            lastHand = now
            isReleasedByHand = command == .motion(.torque(false))
        case (_, .motion):
            expected += 1
            if !command.isAnimation { tookOver(asker, now: now) }
        case (_, _): break
        }
        return nil
    }

    private func refusal(_ command: Command, _ kind: Command.Kind, from asker: Asker, now: Seconds) -> DockError? {
        guard case .client(let id) = asker else {
            guard asker == .words, kind == .motion, now - lastKey <= Self.keyTime else { return nil }
            return DockError(.busy, "the keys have the dock", hint: "wait until nobody presses a key")
        }
        guard kind != .stop || SafetyMutant.stopNeedsLease.isOn, kind != .free, kind != .read else { return nil }
        if let lease, lease.client != id {
            return DockError(.busy, "another program has control", hint: "wait until it releases it, or ends")
        }
        switch kind {
        case .mode:
            if let refusal = stopped(against: id) { return refusal }
            guard now - lastHand > Self.handTime else {
                return DockError(.busy, "a hand is at the dock", hint: "try again two seconds after the last of it")
            }
        case .clear:
            guard !isLatchedByHand || id == Self.library || SafetyMutant.programClears.isOn else {
                return DockError(.busy, "a person pulled the emergency stop", hint: "type `clear`, or press C twice")
            }
        case .torque where isReleasedByHand && command == .motion(.torque(true)) && id != Self.library:
            return DockError(.busy, "a person let go of the motors", hint: "type `torque on`")
        case .motion, .torque, .tuning:
            if let refusal = held(against: id) { return refusal }
            if kind == .motion, expected > 0 || !personal.isEmpty {
                return DockError(.busy, "a person's motion is under way", hint: "wait for its end")
            }
        case .person where id != Self.library && command == .quit:
            return DockError(.busy, "only a person ends the daemon", hint: "type `dockface quit`")
        case .person where id != Self.library:
            return DockError(.busy, "only a person gives the dock back", hint: "type `dockface release`, or press g")
        case .person, .write, .stop, .free, .read: break
        }
        return nil
    }

    /// The program in this very process: whoever embeds the session is its person.
    static let library = 0

    private func held(against id: Int) -> DockError? {
        if SafetyMutant.ignoresPeople.isOn { return nil }
        if let refusal = stopped(against: id) { return refusal }
        guard case .person(let asker) = holder else { return nil }
        let who = asker == .keys ? "the keys have" : "command words have"
        return DockError(.busy, "\(who) the dock", hint: "setTrackingMode (or `mode`) gives it free")
    }

    /// Why a stop binds this program; nil: none does.
    private func stopped(against id: Int) -> DockError? {
        switch holder {
        case .stoppedByPerson:
            if SafetyMutant.stopWearsOff.isOn { return nil }
            return DockError(
                .busy, "a person stopped the dock", hint: "a person gives it back: `dockface release`, or the key g")
        case .stoppedByProgram(let other, let newest):
            guard other != id, newest.map({ id <= $0 }) ?? true else { return nil }
            return DockError(
                .busy, "another program stopped the dock",
                hint: "it sets the mode, or a person gives the dock back: `dockface release`, or the key g")
        case .person, nil: return nil
        }
    }

    /// A program stopped the dock. Who is bound by an earlier stop does not inherit it.
    private mutating func stopped(by id: Int) {
        switch holder {
        case .person, .stoppedByPerson: break
        case .stoppedByProgram where stopped(against: id) != nil: break
        case .stoppedByProgram, nil: holder = .stoppedByProgram(id, newest: nil)
        }
    }

    /// A person gives the dock back: what programs ask for is admitted again, at once.
    mutating func giveBack() {
        free()
        lastHand = -.infinity
    }

    /// A stop holds the dock; who gave it.
    var stop: SessionStatus.StopHold? {
        switch holder {
        case .stoppedByPerson: .person
        case .stoppedByProgram: .program
        case .person, nil: nil
        }
    }

    /// Somebody set the mode: the dock is whoever's it shall be next.
    private mutating func free() {
        note(freed: personal)
        holder = nil
        personal = []
    }

    /// A person moved, freed or stopped the dock, and keeps it.
    mutating func tookOver(_ asker: Asker, now: Seconds) {
        if asker == .keys { (lastKey, lastHand) = (now, now) }
        note(freed: [])
        // Turning the dock by hand does not give it back.
        if case .stoppedByPerson = holder { holder = .stoppedByPerson(asker) } else { holder = .person(asker) }
        lease?.isTracking = false
    }

    private mutating func note(freed: Set<MotionID>) {
        takeovers += 1
        if history.count == Self.mostHistory { history.removeFirst() }
        history.append(
            Takeover(number: takeovers, holder: holder, wasReleased: isReleasedByHand, freed: freed))
    }

    /// What a person wanted, or the mode that somebody set, was refused: the dock is whose it was, unless somebody took it over
    /// or set the mode since and that came to something.
    mutating func takeBack(_ takeover: Int) {
        guard let index = history.firstIndex(where: { $0.number == takeover }) else { return }
        history[index].isRefused = true
        while let last = history.last, last.isRefused {
            holder = last.holder
            isReleasedByHand = last.wasReleased
            personal.formUnion(last.freed)
            history.removeLast()
        }
    }

    /// A person's motion was answered: it began, or it did not.
    mutating func answered(_ motion: MotionID?) {
        expected = max(0, expected - 1)
        if let motion { personal.insert(motion) }
    }

    /// The motors were let go of in an earlier run: a person takes hold again.
    mutating func releasedBefore() { isReleasedByHand = true }

    /// The dock let go of its motors by itself: a person takes hold again, whatever was refused to people before.
    mutating func letGo() {
        isReleasedByHand = true
        for index in history.indices { history[index].wasReleased = true }
    }

    /// The dock is latched since an earlier run: whoever did that, a person clears it.
    mutating func latchedBefore() { isLatchedByHand = true }

    /// The dock says that it is latched by an emergency stop. Where no program pulled one, a person pressed its button.
    mutating func latchedByDock() { if !isLatchedByProgram { isLatchedByHand = true } }

    /// The loop has carried out an emergency stop.
    mutating func emergencyStopped() { emergencies = max(0, emergencies - 1) }

    /// Somebody's clear has released the latch; not that of an emergency stop which was pulled meanwhile.
    mutating func cleared() {
        if emergencies == 0 { (isLatchedByHand, isLatchedByProgram) = (false, false) }
    }

    /// A motion ended.
    mutating func ended(_ motion: MotionID) {
        personal.remove(motion)
        for index in history.indices { history[index].freed.remove(motion) }
    }

    /// Who has the dock, for `status`.
    var control: SessionStatus.Control? {
        switch holder {
        case .person(.keys), .stoppedByPerson(.keys): .keys
        case .person, .stoppedByPerson: .words
        case .stoppedByProgram, nil: lease == nil ? nil : .lease
        }
    }
}
