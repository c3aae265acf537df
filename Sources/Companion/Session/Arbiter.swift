internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Geometry

/// Decides which person or program may write. There are one writer and many readers, and people precede programs.
///
/// Precedence: stop and emergency stop (any client, always) > keys > command words > the holder of the lease > other
/// programs. Automatic motion (animation, tracking, gestures) ranks below them and is handled by the director.
struct Arbiter: Sendable, Equatable {
    /// A program's right to write. It expires if the program is silent for too long.
    struct Lease: Sendable, Equatable {
        var client: Int
        var until: Seconds
        /// Whether the program set mode custom.
        var isTracking = false

        /// What the loop must end when this lease is lost.
        var lost: LostLease { LostLease(ProgramID(client), endsTracking: isTracking) }
    }

    /// The current holder of the dock.
    enum Holder: Sendable, Equatable {
        /// A person who moved the dock or switched its torque off. This ends when the mode is set.
        case person(RequestOrigin)
        /// A person who stopped the dock. This ends when a person gives the dock back.
        case stoppedByPerson(RequestOrigin)
        /// A program that stopped the dock. This ends when it sets the mode or a person gives the dock back. `newest`
        /// is nil while the program is connected; the stop then binds all other programs. After its connection ends,
        /// the stop still binds the programs that were connected then: those with numbers up to this one.
        case stoppedByProgram(Int, newest: Int?)
    }

    /// The state before a takeover of the dock or a change of the mode.
    private struct Takeover: Equatable {
        let number: Int
        let holder: Holder?
        var wasReleased: Bool
        /// People's motions that lost their protection when the mode was set.
        var freed: Set<MotionID>
        var isRefused = false
    }

    var lease: Lease?
    var holder: Holder?
    /// The highest client number that has sent a request.
    var newestClient = 0
    /// Whether a person requested the emergency stop or pressed the dock's own button, so that no program may clear it.
    private var isLatchedByHand = false
    /// Whether a program requested it, so that a latch that the dock reports is not attributed to a person.
    private var isLatchedByProgram = false
    /// The number of emergency stops that were admitted but not yet executed by the loop.
    private var emergencies = 0
    /// Whether a person switched the torque off, so that no program may switch it on, not even after a mode change.
    private var isReleasedByHand = false
    /// The number of takeovers and mode changes so far.
    private(set) var takeovers = 0
    /// The newest takeovers, so that `takeBack` can undo those that were refused.
    private var history: [Takeover] = []
    /// People's motions in progress, which programs cannot replace.
    private var personal: Set<MotionID> = []
    /// The number of people's motions that were admitted but not yet answered.
    private var expected = 0
    private var lastHand: Seconds = -.infinity
    private var lastKey: Seconds = -.infinity

    /// The life of a lease after the last request, in seconds.
    static let leaseTime: Seconds = 2
    /// The time after the last key or a person's stop during which no program may set the mode, in seconds.
    static let handTime: Seconds = 2
    /// The time for which command words wait after the last key that turned the dock, in seconds.
    static let keyTime: Seconds = 0.7
    /// The maximum number of takeovers that wait for their answers.
    private static let mostHistory = 64

    /// Admits a command. A person whose command takes the dock over becomes its holder.
    /// - Returns: the reason for a refusal, or nil if admitted.
    mutating func admit(_ command: Command, from asker: RequestOrigin, now: Seconds) -> DockError? {
        let kind = command.kind
        if let refusal = refusal(command, kind, from: asker, now: now) { return refusal }
        if command == .motion(.emergencyStop) { emergencies += 1 }
        switch (asker, kind) {
        case (.client(let id), .stop):
            if command == .motion(.emergencyStop) { isLatchedByProgram = true }
            stopped(by: id)
        case (.client(let id), .mode):
            // A mode change does not end the stop of another program whose connection has ended.
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

    private func refusal(_ command: Command, _ kind: MethodKind, from asker: RequestOrigin, now: Seconds) -> DockError?
    {
        guard case .client(let id) = asker else {
            guard asker == .words, kind == .motion, now - lastKey <= Self.keyTime else { return nil }
            return DockError(.busy, "the keys control the dock", hint: "wait until no key is pressed")
        }
        guard kind != .stop || SafetyMutant.stopNeedsLease.isOn, kind != .free, kind != .read else { return nil }
        if let lease, lease.client != id {
            return DockError(.busy, "another program has control", hint: "wait until that program releases it or ends")
        }
        switch kind {
        case .mode:
            if let refusal = stopped(against: id) { return refusal }
            guard now - lastHand > Self.handTime else {
                return DockError(
                    .busy, "a person is operating the dock", hint: "try again two seconds after the last action")
            }
        case .clear:
            guard !isLatchedByHand || id == Self.library || SafetyMutant.programClears.isOn else {
                return DockError(
                    .busy, "a person triggered the emergency stop", hint: "type `dockface clear`, or press C twice")
            }
        case .torque where isReleasedByHand && command == .motion(.torque(true)) && id != Self.library:
            return DockError(.busy, "a person switched the torque off", hint: "type `torque on`")
        case .motion, .torque, .tuning:
            if let refusal = held(against: id) { return refusal }
            if kind == .motion, expected > 0 || !personal.isEmpty {
                return DockError(.busy, "a person's motion is in progress", hint: "wait until it ends")
            }
        case .person where id != Self.library && command == .quit:
            return DockError(.busy, "only a person can end the daemon", hint: "type `dockface quit`")
        case .person where id != Self.library:
            return DockError(.busy, "only a person can give the dock back", hint: "type `dockface release`, or press g")
        // No command is of the last three kinds.
        case .person, .write, .stop, .free, .read, .topics, .pictures, .words: break
        }
        return nil
    }

    /// The number of the program in this process. An application that embeds the session counts as a person.
    static let library = 0

    private func held(against id: Int) -> DockError? {
        if SafetyMutant.ignoresPeople.isOn { return nil }
        if let refusal = stopped(against: id) { return refusal }
        guard case .person(let asker) = holder else { return nil }
        let who = asker == .keys ? "the keys control" : "command words control"
        return DockError(.busy, "\(who) the dock", hint: "take it over with setTrackingMode (or `mode`)")
    }

    /// Returns the refusal if a stop binds this program, or nil if no stop does.
    private func stopped(against id: Int) -> DockError? {
        switch holder {
        case .stoppedByPerson:
            if SafetyMutant.stopExpires.isOn { return nil }
            return DockError(
                .busy, "a person stopped the dock", hint: "a person can give it back: `dockface release`, or the key g")
        case .stoppedByProgram(let other, let newest):
            guard other != id, newest.map({ id <= $0 }) ?? true else { return nil }
            return DockError(
                .busy, "another program stopped the dock",
                hint: "wait until it sets the mode, or give the dock back: `dockface release`, or the key g")
        case .person, nil: return nil
        }
    }

    /// Records that a program stopped the dock. A program that is bound by an earlier stop does not take over that
    /// stop.
    private mutating func stopped(by id: Int) {
        switch holder {
        case .person, .stoppedByPerson: break
        case .stoppedByProgram where stopped(against: id) != nil: break
        case .stoppedByProgram, nil: holder = .stoppedByProgram(id, newest: nil)
        }
    }

    /// Gives the dock back, at a person's request. Requests of programs are admitted again at once.
    mutating func giveBack() {
        free()
        lastHand = -.infinity
    }

    /// The kind of stop that holds the dock, or nil if none does.
    var stop: SessionStatus.StopHold? {
        switch holder {
        case .stoppedByPerson: .person
        case .stoppedByProgram: .program
        case .person, nil: nil
        }
    }

    /// Records that the mode was set. The dock no longer has a holder.
    private mutating func free() {
        note(freed: personal)
        holder = nil
        personal = []
    }

    /// Records that a person moved or stopped the dock, or switched its torque, and now holds it.
    mutating func tookOver(_ asker: RequestOrigin, now: Seconds) {
        if asker == .keys { (lastKey, lastHand) = (now, now) }
        note(freed: [])
        // A person who moves the dock after a stop does not end that stop.
        if case .stoppedByPerson = holder { holder = .stoppedByPerson(asker) } else { holder = .person(asker) }
        lease?.isTracking = false
    }

    private mutating func note(freed: Set<MotionID>) {
        takeovers += 1
        if history.count == Self.mostHistory { history.removeFirst() }
        history.append(
            Takeover(number: takeovers, holder: holder, wasReleased: isReleasedByHand, freed: freed))
    }

    /// Undoes a takeover or mode change that was refused. The previous holder has the dock again, unless a later
    /// takeover or mode change was accepted.
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

    /// Records the answer to a person's motion: it began (its number) or was refused (nil).
    mutating func answered(_ motion: MotionID?) {
        expected = max(0, expected - 1)
        if let motion { personal.insert(motion) }
    }

    /// Records that the torque was switched off in an earlier run, so that only a person may switch it on.
    mutating func releasedBefore() { isReleasedByHand = true }

    /// Records that the dock switched its torque off by itself. Only a person may switch it on, even if an earlier
    /// takeover is undone.
    mutating func letGo() {
        isReleasedByHand = true
        for index in history.indices { history[index].wasReleased = true }
    }

    /// Records that the latch is from an earlier run. Only a person may clear it, whatever its origin.
    mutating func latchedBefore() { isLatchedByHand = true }

    /// Records the dock's report that an emergency stop latched it. If no program requested one, a person pressed the
    /// dock's button.
    mutating func latchedByDock() { if !isLatchedByProgram { isLatchedByHand = true } }

    /// Records that the loop has executed an emergency stop.
    mutating func emergencyStopped() { emergencies = max(0, emergencies - 1) }

    /// Records that a clear has released the latch. An emergency stop that was requested meanwhile remains.
    mutating func cleared() {
        if emergencies == 0 { (isLatchedByHand, isLatchedByProgram) = (false, false) }
    }

    /// Records that a motion ended.
    mutating func ended(_ motion: MotionID) {
        personal.remove(motion)
        for index in history.indices { history[index].freed.remove(motion) }
    }

    /// The current holder, for `status`.
    var control: SessionStatus.Control? {
        switch holder {
        case .person(.keys), .stoppedByPerson(.keys): .keys
        case .person, .stoppedByPerson: .words
        case .stoppedByProgram, nil: lease == nil ? nil : .lease
        }
    }
}
