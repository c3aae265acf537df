internal import Companion
internal import DockControl
internal import Geometry

/// What people can do whatever programs request: everyone can stop, and no program releases what a person latched.
struct PeopleWatch {
    /// When a stop or emergency stop last became a command.
    private var stoppedAt: Seconds = -1
    /// Since when a person's latch is known; nil if there is none, or if it was released.
    private var latchedByHand: Seconds?
    /// The dock's button has latched it, and the loop has not read that yet.
    private var isUnread = false
    /// When a program last requested a clear.
    private var releaseAskedAt: Seconds = -1
    /// An emergency stop was requested on the daemon's side.
    private var isLatchedHere = false
    /// The dock's button was pressed, and the dock has not reported it yet.
    private var buttonIsNews = false
    private var isGreeted = false, saidStopped = false
    /// A person stopped the dock, and no person has released it or set the mode since.
    private var stopHolds = false

    /// A press of the dock's own button counts as a latch by a person.
    static let buttonIsHand = true
    /// From this number of waiting commands on, a stop may be dropped in favour of the newest.
    static let mostWaiting = 128
    /// Delay until the session knows what the loop knows, seconds.
    static let publishing: Seconds = 0.06

    /// A command was admitted. Returns what is wrong, or nil.
    mutating func commanded(_ command: MotionCommand, by asker: RequestOrigin?, at time: Seconds) -> String? {
        if command == .clear, case .client = asker { releaseAskedAt = time }
        if command.isStop { stoppedAt = time }
        if command == .emergencyStop { isLatchedHere = true }
        switch asker {
        case .keys?, .words?:
            if command.isStop { stopHolds = true } else if case .setMode = command { stopHolds = false }
        case .client(let client)?:
            if stopHolds, command.setsGoing {
                return "\(command) of program \(client) is admitted after a person's stop"
            }
        case nil: break
        }
        return nil
    }

    /// The daemon was restarted. A stop without a latch does not outlive it.
    mutating func restarted() { stopHolds = false }

    /// Keys were pressed, or words were typed. Checks that a stop among them has become a command.
    mutating func heard(_ what: ScenarioEvent, at time: Seconds) -> String? {
        switch what {
        case .words("release"):
            stopHolds = false
            return nil
        case .key(.stop), .key(.emergency), .words("stop"), .words("estop"):
            return stoppedAt == time ? nil : "\(what): it did not become a command"
        default: return nil
        }
    }

    /// Takes the result of a command while `waiting` others wait. Returns what is wrong, or nil.
    mutating func answered(
        _ command: MotionCommand, by asker: RequestOrigin?, _ answer: MotionAnswer, waiting: Int, at time: Seconds
    ) -> (rule: Rule, text: String)? {
        switch answer {
        case .failure(let error):
            guard command.isStop, waiting < Self.mostWaiting else { return nil }
            return (.anyoneCanStop, "\(command) is rejected: \(error.message)")
        case .success where command == .emergencyStop:
            if asker == .keys || asker == .words { latchedByHand = latchedByHand ?? time }
        // If the daemon knows of no latch, it releases none.
        case .success(let receipt) where command == .clear && receipt.text == "nothing is latched": break
        case .success where command == .clear:
            defer { (latchedByHand, isLatchedHere, isUnread) = (nil, false, false) }
            // A clear requested before the latch finds no latch, or the one that it meant.
            guard let latchedByHand, case .client(let client) = asker, releaseAskedAt > latchedByHand else {
                return nil
            }
            return (.onlyPersonClearsPersonsLatch, "program \(client) released what a person latched")
        case .success: break
        }
        return nil
    }

    /// A program received the result of its request.
    func programAnswered(_ wish: ProgramWish, isDone: Bool, waiting: Int) -> String? {
        guard !isDone, wish == .stop || wish == .emergencyStop, waiting < Self.mostWaiting else { return nil }
        return "a program's \(wish) is rejected"
    }

    // MARK: the dock's own button

    mutating func pressedButton() { buttonIsNews = true }

    /// The dock has reported whether an emergency stop has latched it.
    mutating func reported(isStopped: Bool) {
        guard isGreeted else { return }
        defer { saidStopped = isStopped }
        guard buttonIsNews, isStopped else { return }
        buttonIsNews = false
        // After an emergency stop on the daemon's side, the button cannot be distinguished from that one.
        if !saidStopped, !isLatchedHere, Self.buttonIsHand { isUnread = true }
    }

    /// The loop has finished a turn, so it has read the dock's report.
    mutating func turned(at time: Seconds) {
        guard isUnread else { return }
        isUnread = false
        latchedByHand = latchedByHand ?? time + Self.publishing
    }

    /// The port is lost, or it is another one, or a handshake begins: reports count only after the dock has answered it.
    mutating func greets() {
        isGreeted = false
        buttonIsNews = buttonIsNews || isUnread
        isUnread = false
    }

    /// The dock has answered the greeting.
    mutating func greeted() { (isGreeted, saidStopped) = (true, false) }
}

extension MotionCommand {
    fileprivate var isStop: Bool { self == .stop || self == .emergencyStop }

    /// A program must not succeed with this while a person's stop holds.
    fileprivate var setsGoing: Bool {
        switch self {
        case .setMode, .chevron, .velocity, .orient, .home, .animate, .torque, .setLimits, .setSpeed: true
        default: false
        }
    }
}
