internal import DockTypes
internal import Geometry

/// The requested motion under way, the numbers of motions, and the ended motions that have not been reported yet.
struct MotionLedger: Sendable {
    /// A requested motion under way.
    struct Active: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            /// A velocity or a move.
            case manual(ManualMotion)
            /// A motion script, and the mode that is restored after it.
            case script(ScriptRun, before: TrackingMode)
        }
        /// The number of the motion, or nil for a pulse of a chevron key, which needs none.
        var id: MotionID?
        /// The program that requested it, or nil if there is none.
        var program: ProgramID?
        var name: String
        var start: Seconds
        var duration: Seconds
        var kind: Kind
        /// The time since which a limit has blocked it.
        var blockedSince: Seconds?

        /// The pose where it ends, in radians, or nil if it has none.
        var end: PanTilt? {
            switch kind {
            case .script(let run, _): run.end
            case .manual(.move(let move)): move.to
            case .manual(.turn): nil
            }
        }
    }

    /// The motion under way, or nil if there is none.
    private(set) var active: Active?
    /// The pose where the last motion was to end, in radians, or nil if it did not get there or the head has been moved
    /// since. The head rests a little beside it, and an animation that began at the measured pose would add its own
    /// error. A series of animations would drift.
    private(set) var restingPlace: PanTilt?
    private var ended: [EndedMotion] = []
    private var nextID = 1

    /// The maximum number of ended motions that wait to be reported.
    static let bound = 64

    /// Begins a motion with a new number.
    mutating func begin(_ name: String, _ kind: Active.Kind, now: Seconds, duration: Seconds) -> MotionID {
        let id = MotionID(nextID)
        nextID += 1
        restingPlace = nil
        active = Active(id: id, name: name, start: now, duration: duration, kind: kind)
        return id
    }

    /// Begins the pulse of a chevron key, which has no number.
    mutating func beginPulse(_ motion: ManualMotion, now: Seconds, duration: Seconds) {
        restingPlace = nil
        active = Active(id: nil, name: "chevron", start: now, duration: duration, kind: .manual(motion))
    }

    /// Records the program that requested a motion, if it is still under way.
    mutating func assign(_ motion: MotionID, to program: ProgramID?) {
        if active?.id == motion { active?.program = program }
    }

    /// Ends the motion under way. Returns it, or nil if there was none.
    mutating func end(_ outcome: MotionOutcome) -> Active? {
        guard let over = active else { return nil }
        active = nil
        restingPlace = outcome == .completed ? over.end : nil
        if let id = over.id {
            if ended.count == Self.bound { ended.removeFirst() }
            ended.append(EndedMotion(id: id, name: over.name, outcome: outcome))
        }
        return over
    }

    /// Records that something other than a requested motion moves the head.
    mutating func headWasMoved() { restingPlace = nil }

    /// Records whether a limit blocks the motion. Returns since when it has been blocked, or nil if it is not blocked.
    mutating func noteBlocked(_ isBlocked: Bool, now: Seconds) -> Seconds? {
        let since = isBlocked ? active?.blockedSince ?? now : nil
        active?.blockedSince = since
        return since
    }

    /// Returns the ended motions that have not been reported yet.
    mutating func drainEnded() -> [EndedMotion] {
        guard !ended.isEmpty else { return [] }
        defer { ended = [] }
        return ended
    }
}
