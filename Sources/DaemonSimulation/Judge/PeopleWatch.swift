internal import Companion
internal import DockControl
internal import Geometry

/// What people may do whatever programs want: everybody stops, and what a person has latched no program releases.
struct PeopleWatch {
    /// When somebody's stop or emergency stop last became a command.
    private var stoppedAt: Seconds = -1
    /// Since when it is known that a person has latched the dock; nil: nobody has, or it was released.
    private var latchedByHand: Seconds?
    /// The dock's button has latched it, and the loop has not read that yet.
    private var isUnread = false
    /// When a program last asked for the release.
    private var releaseAskedAt: Seconds = -1
    /// Somebody on this side wants it latched.
    private var isLatchedHere = false
    /// The dock's button is in, or was, and the dock has not said so yet.
    private var buttonIsNews = false
    private var isGreeted = false, saidStopped = false
    /// A person stopped the dock, and no person has given it back or set the mode since.
    private var stopHolds = false

    /// A hand at the dock's own button counts as a person who latches.
    static let buttonIsHand = true
    /// So many stops wait that one may go for the newest.
    static let mostWaiting = 128
    /// What the loop knows its session knows so much later, seconds.
    static let publishing: Seconds = 0.06

    /// A command was admitted; what is wrong, nil: nothing.
    mutating func commanded(_ command: MotionCommand, by asker: Asker?, at time: Seconds) -> String? {
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

    /// The daemon was started again: a stop without a latch does not outlive it.
    mutating func restarted() { stopHolds = false }

    /// Keys were pressed, or words were typed: whether a stop among them has become a command.
    mutating func heard(_ what: Happening, at time: Seconds) -> String? {
        switch what {
        case .words("release"):
            stopHolds = false
            return nil
        case .key(.stop), .key(.emergency), .words("stop"), .words("estop"):
            return stoppedAt == time ? nil : "\(what): it did not become a command"
        default: return nil
        }
    }

    /// What came of a command, with so many others waiting; what is wrong, nil: nothing.
    mutating func answered(
        _ command: MotionCommand, by asker: Asker?, _ answer: MotionAnswer, waiting: Int, at time: Seconds
    ) -> (rule: Rule, text: String)? {
        switch answer {
        case .failure(let error):
            guard command.isStop, waiting < Self.mostWaiting else { return nil }
            return (.anybodyStops, "\(command) is refused: \(error.message)")
        case .success where command == .emergencyStop:
            if asker == .keys || asker == .words { latchedByHand = latchedByHand ?? time }
        // Where nothing is latched as far as the daemon knows, nothing is released.
        case .success(let receipt) where command == .clear && receipt.text == "nothing is latched": break
        case .success where command == .clear:
            defer { (latchedByHand, isLatchedHere, isUnread) = (nil, false, false) }
            // Asked for before, it finds nothing latched, or what it meant.
            guard let latchedByHand, case .client(let client) = asker, releaseAskedAt > latchedByHand else {
                return nil
            }
            return (.handKeepsLatch, "program \(client) has released what a person latched")
        case .success: break
        }
        return nil
    }

    /// A program was told what came of its wish.
    func told(_ wish: ProgramWish, isDone: Bool, waiting: Int) -> String? {
        guard !isDone, wish == .stop || wish == .emergencyStop, waiting < Self.mostWaiting else { return nil }
        return "a program's \(wish) is refused"
    }

    // MARK: the dock's own button

    mutating func pressedButton() { buttonIsNews = true }

    /// The dock has said whether an emergency stop has latched it.
    mutating func reported(isStopped: Bool) {
        guard isGreeted else { return }
        defer { saidStopped = isStopped }
        guard buttonIsNews, isStopped else { return }
        buttonIsNews = false
        // Where somebody here had pulled one before, the button is not told apart from that.
        if !saidStopped, !isLatchedHere, Self.buttonIsHand { isUnread = true }
    }

    /// The loop has taken a turn: it has read what the dock said.
    mutating func turned(at time: Seconds) {
        guard isUnread else { return }
        isUnread = false
        latchedByHand = latchedByHand ?? time + Self.publishing
    }

    /// Another port, or another greeting: what the dock says counts from its answer on.
    mutating func greets() {
        isGreeted = false
        buttonIsNews = buttonIsNews || isUnread
        isUnread = false
    }

    /// It has answered the greeting.
    mutating func greeted() { (isGreeted, saidStopped) = (true, false) }
}

extension MotionCommand {
    fileprivate var isStop: Bool { self == .stop || self == .emergencyStop }

    /// A program must not get this through while a person's stop holds.
    fileprivate var setsGoing: Bool {
        switch self {
        case .setMode, .chevron, .velocity, .orient, .home, .animate, .torque, .setLimits, .setSpeed: true
        default: false
        }
    }
}
