public import Geometry

/// Whether there is a dock, and whether it may move.
public enum DockState: Sendable, Equatable {
    /// No port, and why.
    case detached(DetachReason)
    /// The port is open; the dock has not answered yet.
    case greeting
    /// It answered, is configured and may move.
    case ready
    /// It must not move until somebody clears it.
    case faulted(DockFault)
}

/// Why there is no dock.
public enum DetachReason: String, Sendable, Equatable {
    /// It was not there yet.
    case notFound
    /// It went away.
    case unplugged
    /// Another device came back at the same place.
    case otherDevice
    /// The port is open and nothing answers.
    case noAnswer
    /// The port is there, and another program has it.
    case portBusy
}

/// The dock's connection as a pure state machine: reports and port events in, what to do out.
public struct DockMachine: Sendable {
    /// What the loop has to do.
    public enum Action: Sendable, Equatable {
        /// Begin the conversation on the port.
        case begin
        /// Drop all motion, write the stop.
        case halt
        /// Drop all motion, write nothing: another dock is at the port.
        case leave
        /// Close the port and try again later.
        case close
        /// Forget where the dock was.
        case forgetPoses
    }

    /// The state now.
    public private(set) var state: DockState = .detached(.notFound)
    /// Which dock it is; another one is refused.
    public private(set) var identity: DockIdentity?
    /// When to try to open the port again; nil: it is open.
    public private(set) var retryAt: Seconds?
    /// Number of faults since the start.
    public private(set) var faults = 0
    /// Number of times the dock was lost.
    public private(set) var losses = 0

    private let arming: RigProfile.Arming
    private var greetedFrom: Seconds?
    private var attachedAt: Seconds?
    private var firstMotionAt: Seconds?
    private var backOff = Self.shortestBackOff
    private var otherPause = Self.otherDockPause
    private var hearsPorts = false

    static let shortestBackOff: Seconds = 0.25, longestBackOff: Seconds = 5
    /// The port is tried again this long after another dock was found there, seconds. The pause doubles with each try, because each try
    /// greets the dock, up to the longest pause.
    static let otherDockPause: Seconds = 1, longestOtherPause: Seconds = 30
    /// The longest pause where no system service announces ports, seconds: our own dock may come back unannounced.
    public static let longestUnheardPause: Seconds = 4
    /// Careful arming: hands away, then slowly.
    static let carefulWait: Seconds = 2, carefulTime: Seconds = 3, carefulShare = 0.25
    /// A dock that says nothing for so long after the greeting is not one, seconds.
    static let answerTime: Seconds = 3

    /// The dock on the port has said who it is, and it is ours; one that is latched need not be ready for that.
    public private(set) var isOurs = false
    /// ... at some time since the port was opened: it is still that one after a silence, or after a sleep of the machine.
    public private(set) var wasOurs = false

    /// With the policy for the first motion after attaching, and the fault that nobody has cleared since an earlier run.
    public init(arming: RigProfile.Arming, latched: DockFault? = nil) {
        self.arming = arming
        if let latched { state = .faulted(latched) }
    }

    /// The port is open; `isAnnounced`: when the port comes again, `portCame` says so.
    public mutating func portOpened(now: Seconds, isAnnounced: Bool = false) -> [Action] {
        hearsPorts = isAnnounced
        retryAt = nil
        attachedAt = nil
        firstMotionAt = nil
        isOurs = false
        wasOurs = false
        greetedFrom = now
        // Most likely it is still the other dock: that is told once.
        if case .faulted = state {} else if state != .detached(.otherDevice) { state = .greeting }
        return [.forgetPoses, .begin]
    }

    /// Time passes: a port on which nothing answers is told so, while the greeting goes on. True if that has just become so.
    public mutating func tick(now: Seconds) -> Bool {
        guard state == .greeting || (state == .detached(.otherDevice) && retryAt == nil), let greetedFrom,
            now - greetedFrom > Self.answerTime
        else { return false }
        state = .detached(.noAnswer)
        return true
    }

    /// The port could not be opened: there is none, or another program has it. True if the state is another one now.
    @discardableResult
    public mutating func portMissing(now: Seconds, isBusy: Bool = false) -> Bool {
        retryAt = now + backOff
        backOff = min(backOff * 2, Self.longestBackOff)
        guard case .detached(let before) = state, isBusy != (before == .portBusy) else { return false }
        state = .detached(isBusy ? .portBusy : identity == nil ? .notFound : .unplugged)
        return true
    }

    /// A port has appeared: perhaps it is ours.
    public mutating func portCame(now: Seconds) {
        otherPause = Self.otherDockPause
        guard let retryAt else { return }
        backOff = Self.shortestBackOff
        self.retryAt = min(retryAt, now)
    }

    /// Another device than ours is at the port; nothing was written to it. True if the state is another one now.
    public mutating func otherDeviceFound(now: Seconds) -> Bool {
        retryAt = now + Self.otherDockPause
        guard case .detached(let before) = state, before != .otherDevice else { return false }
        state = .detached(.otherDevice)
        return true
    }

    /// The port is gone.
    public mutating func portLost(now: Seconds, reason: DetachReason = .unplugged) -> [Action] {
        if case .detached = state {} else { losses += 1 }
        attachedAt = nil
        isOurs = false
        // A latch outlives the cable: the dock comes back latched.
        if case .faulted = state {} else { state = .detached(reason) }
        backOff = Self.shortestBackOff
        retryAt = now + backOff
        return [.halt, .close, .forgetPoses]
    }

    /// The dock said something.
    public mutating func take(_ report: DockReport, now: Seconds) -> [Action] {
        switch report {
        case .identified(let new):
            if let identity, identity.uid != new.uid, !SafetyMutant.takesAnyDock.isOn {
                attachedAt = nil
                isOurs = false
                // A latch outlives the visit of another dock, too.
                if case .faulted = state {} else { state = .detached(.otherDevice) }
                // Ours may be back soon; perhaps it is one that never stops by itself.
                retryAt = now + otherPause
                otherPause = min(2 * otherPause, hearsPorts ? Self.longestOtherPause : Self.longestUnheardPause)
                // What we may have turned is stopped; one that was only greeted gets nothing more.
                let wasReady = wasOurs
                wasOurs = false
                return wasReady ? [.halt, .close, .forgetPoses] : [.leave, .close, .forgetPoses]
            }
            otherPause = Self.otherDockPause
            identity = new
            isOurs = true
            wasOurs = true
            backOff = Self.shortestBackOff
            return []
        case .ready:
            if SafetyMutant.neverReady.isOn { return [] }
            attachedAt = now
            // After a reboot or a silence, too, the first motion is a slow one.
            if !SafetyMutant.armsOnce.isOn { firstMotionAt = nil }
            if case .faulted = state { return [] }
            state = .ready
            return []
        case .rebooted:
            attachedAt = nil
            greetedFrom = now
            if case .faulted = state, !SafetyMutant.forgetsLatch.isOn { return [.halt, .forgetPoses] }
            state = .greeting
            return [.halt, .forgetPoses]
        case .fault(let fault):
            guard state != .faulted(fault), !isOverheard(fault) else { return [] }
            // An emergency stop is more than any other latch.
            if case .faulted = state, fault != .emergencyStop { return [] }
            if fault != .emergencyStop { faults += 1 }
            state = .faulted(fault)
            return [.halt]
        case .faultCleared, .motion, .battery, .event, .released, .letGo, .refused, .disobeys:
            return []
        }
    }

    /// Two of the deliberate bugs.
    private func isOverheard(_ fault: DockFault) -> Bool {
        fault == .emergencyStop ? SafetyMutant.ignoresDockButton.isOn : SafetyMutant.ignoresDockFault.isOn
    }

    /// A dock that was ready says nothing any more: greet it again, and believe nothing of what was known.
    public mutating func wentSilent(now: Seconds) -> [Action] {
        guard state == .ready else { return [] }
        losses += 1
        return timeJumped(now: now)
    }

    /// Somebody pulled the emergency stop.
    public mutating func emergencyStop() { state = .faulted(.emergencyStop) }

    /// Somebody cleared the latch; true if there was one and its cause is over.
    public mutating func clear(deviceStillFaulted: Bool) -> Bool {
        guard case .faulted = state, !deviceStillFaulted else { return false }
        state = retryAt != nil ? .detached(.unplugged) : attachedAt == nil ? .greeting : .ready
        firstMotionAt = nil
        return true
    }

    /// Suspended, or the loop hung: what was known is old.
    public mutating func timeJumped(now: Seconds) -> [Action] {
        guard retryAt == nil else { return [] }
        attachedAt = nil
        isOurs = false
        greetedFrom = now
        if case .faulted = state {} else { state = .greeting }
        return [.halt, .forgetPoses, .begin]
    }

    /// Share of the speed (0...1) that arming allows at `now`; 0: not yet, or not at all.
    public mutating func speedShare(now: Seconds, wantsToMove: Bool) -> Double {
        guard state == .ready, let attachedAt else { return 0 }
        guard arming == .careful, !SafetyMutant.skipsArming.isOn else { return 1 }
        guard now - attachedAt >= Self.carefulWait else { return 0 }
        if firstMotionAt == nil, wantsToMove { firstMotionAt = now }
        return now - (firstMotionAt ?? now) < Self.carefulTime ? Self.carefulShare : 1
    }
}
