public import Geometry

/// Whether there is a dock, and whether it may move.
public enum DockState: Sendable, Equatable {
    /// There is no port, for this reason.
    case detached(DetachReason)
    /// The port is open; the dock has not answered yet.
    case greeting
    /// The dock answered, is configured and may move.
    case ready
    /// The dock must not move until a person clears the fault.
    case faulted(DockFault)
}

/// The reason why there is no dock.
public enum DetachReason: String, Sendable, Equatable {
    /// No port has been found yet.
    case notFound
    /// The port disappeared.
    case unplugged
    /// Another device appeared at the same port.
    case otherDevice
    /// The port is open, but no device answers.
    case noAnswer
    /// Another program holds the port.
    case portBusy
}

/// The dock's connection as a pure state machine: it takes reports and port events and returns actions.
public struct DockMachine: Sendable {
    /// An action that the loop must take.
    public enum Action: Sendable, Equatable {
        /// Begin the handshake on the port.
        case begin
        /// Drop all motion and write the stop.
        case halt
        /// Drop all motion and write nothing: another dock is at the port.
        case leave
        /// Close the port and try again later.
        case close
        /// Discard the known poses.
        case forgetPoses
    }

    /// The current state.
    public private(set) var state: DockState = .detached(.notFound)
    /// The identity of the dock. Any other dock is rejected.
    public private(set) var identity: DockIdentity?
    /// When to try to open the port again, or nil if it is open.
    public private(set) var retryAt: Seconds?
    /// The number of faults since the start.
    public private(set) var faults = 0
    /// The number of times the dock was lost.
    public private(set) var losses = 0

    private let arming: RigProfile.Arming
    private var greetedFrom: Seconds?
    private var attachedAt: Seconds?
    private var firstMotionAt: Seconds?
    private var backOff = Self.shortestBackOff
    private var otherPause = Self.otherDockPause
    private var reportsPortChanges = false

    static let shortestBackOff: Seconds = 0.25, longestBackOff: Seconds = 5
    /// The time until the port is tried again after another dock was found there, in seconds. Because each attempt
    /// greets that dock, the pause doubles with each attempt, up to the longest pause.
    static let otherDockPause: Seconds = 1, longestOtherPause: Seconds = 30
    /// The longest pause if no system service announces ports, in seconds. The daemon's own dock may then return
    /// unannounced.
    public static let longestUnheardPause: Seconds = 4
    /// The parameters of careful arming: a wait until hands are away (seconds), then a time at reduced speed (seconds),
    /// and the fraction of the speed.
    static let carefulWait: Seconds = 2, carefulTime: Seconds = 3, carefulShare = 0.25
    /// The time within which a device must answer the greeting to count as a dock, in seconds.
    static let answerTime: Seconds = 3

    /// Whether the device on the port has identified itself as the known dock. A latched dock need not be ready for
    /// that.
    public private(set) var isOurs = false
    /// Whether the dock has identified itself at some time since the port was opened. It is still the same dock after a
    /// silence or a sleep of the machine.
    public private(set) var wasOurs = false

    /// Creates the machine with the policy for the first motion after attaching, and with a fault from an earlier run
    /// that no person has cleared.
    public init(arming: RigProfile.Arming, latched: DockFault? = nil) {
        self.arming = arming
        if let latched { state = .faulted(latched) }
    }

    /// Reports that the port is open. If `isAnnounced`, `portAppeared` reports when the port appears again.
    public mutating func portOpened(now: Seconds, isAnnounced: Bool = false) -> [Action] {
        reportsPortChanges = isAnnounced
        retryAt = nil
        attachedAt = nil
        firstMotionAt = nil
        isOurs = false
        wasOurs = false
        greetedFrom = now
        // It is probably still the other dock, which has already been reported.
        if case .faulted = state {} else if state != .detached(.otherDevice) { state = .greeting }
        return [.forgetPoses, .begin]
    }

    /// Detects that no device answers within `answerTime`; the greeting continues. Returns true when the state changes
    /// to that.
    public mutating func tick(now: Seconds) -> Bool {
        guard state == .greeting || (state == .detached(.otherDevice) && retryAt == nil), let greetedFrom,
            now - greetedFrom > Self.answerTime
        else { return false }
        state = .detached(.noAnswer)
        return true
    }

    /// Reports that the port could not be opened: it does not exist, or another program holds it. Returns true if the
    /// state changed.
    @discardableResult
    public mutating func portMissing(now: Seconds, isBusy: Bool = false) -> Bool {
        retryAt = now + backOff
        backOff = min(backOff * 2, Self.longestBackOff)
        guard case .detached(let before) = state, isBusy != (before == .portBusy) else { return false }
        state = .detached(isBusy ? .portBusy : identity == nil ? .notFound : .unplugged)
        return true
    }

    /// Reports that a port has appeared, which may be the dock's.
    public mutating func portAppeared(now: Seconds) {
        otherPause = Self.otherDockPause
        guard let retryAt else { return }
        backOff = Self.shortestBackOff
        self.retryAt = min(retryAt, now)
    }

    /// Reports that another device is at the port and that nothing was written to it. Returns true if the state
    /// changed.
    public mutating func otherDeviceFound(now: Seconds) -> Bool {
        retryAt = now + Self.otherDockPause
        guard case .detached(let before) = state, before != .otherDevice else { return false }
        state = .detached(.otherDevice)
        return true
    }

    /// Reports that the port is gone.
    public mutating func portLost(now: Seconds, reason: DetachReason = .unplugged) -> [Action] {
        if case .detached = state {} else { losses += 1 }
        attachedAt = nil
        isOurs = false
        // A latch survives unplugging: the dock returns latched.
        if case .faulted = state {} else { state = .detached(reason) }
        backOff = Self.shortestBackOff
        retryAt = now + backOff
        return [.halt, .close, .forgetPoses]
    }

    /// Handles a report from the dock.
    public mutating func handle(_ report: DockReport, now: Seconds) -> [Action] {
        switch report {
        case .identified(let new):
            if let identity, identity.uid != new.uid, !SafetyMutant.takesAnyDock.isOn {
                attachedAt = nil
                isOurs = false
                // A latch also survives if another dock appears meanwhile.
                if case .faulted = state {} else { state = .detached(.otherDevice) }
                // The known dock may return soon, and it may have no deadman timer.
                retryAt = now + otherPause
                otherPause = min(2 * otherPause, reportsPortChanges ? Self.longestOtherPause : Self.longestUnheardPause)
                // A dock that this program may have turned is stopped. A dock that was only greeted gets nothing more.
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
            // The first motion is also slow after a reboot or a silence.
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
            guard state != .faulted(fault), !isIgnoredByMutant(fault) else { return [] }
            // An emergency stop replaces any other latch.
            if case .faulted = state, fault != .emergencyStop { return [] }
            if fault != .emergencyStop { faults += 1 }
            state = .faulted(fault)
            return [.halt]
        case .faultCleared, .motion, .battery, .lens, .event, .released, .letGo, .refused, .disobeys, .advice:
            return []
        }
    }

    /// Implements two of the deliberate bugs.
    private func isIgnoredByMutant(_ fault: DockFault) -> Bool {
        fault == .emergencyStop ? SafetyMutant.ignoresDockButton.isOn : SafetyMutant.ignoresDockFault.isOn
    }

    /// Reports that a ready dock has gone silent: the handshake is repeated, and everything known about the dock is
    /// discarded.
    public mutating func wentSilent(now: Seconds) -> [Action] {
        guard state == .ready else { return [] }
        losses += 1
        return timeJumped(now: now)
    }

    /// Latches an emergency stop.
    public mutating func emergencyStop() { state = .faulted(.emergencyStop) }

    /// Clears the latch. Returns true if there was one and its cause is over.
    public mutating func clear(deviceStillFaulted: Bool) -> Bool {
        guard case .faulted = state, !deviceStillFaulted else { return false }
        state = retryAt != nil ? .detached(.unplugged) : attachedAt == nil ? .greeting : .ready
        firstMotionAt = nil
        return true
    }

    /// Reports that the machine slept or the loop hung, so the known state is out of date.
    public mutating func timeJumped(now: Seconds) -> [Action] {
        guard retryAt == nil else { return [] }
        attachedAt = nil
        isOurs = false
        greetedFrom = now
        if case .faulted = state {} else { state = .greeting }
        return [.halt, .forgetPoses, .begin]
    }

    /// Returns the fraction of the speed (0...1) that arming allows at `now`; 0 means not yet, or not at all.
    /// `isTurning`: whether the last set-point that was written turned an axis.
    public mutating func speedShare(now: Seconds, isTurning: Bool) -> Double {
        guard state == .ready, let attachedAt else { return 0 }
        guard arming == .careful, !SafetyMutant.skipsArming.isOn else { return 1 }
        guard now - attachedAt >= Self.carefulWait else { return 0 }
        if firstMotionAt == nil, isTurning { firstMotionAt = now }
        return now - (firstMotionAt ?? now) < Self.carefulTime ? Self.carefulShare : 1
    }
}
