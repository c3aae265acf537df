/// The number of a program at the daemon: of its connection. Never used twice in a run.
public struct ProgramID: Sendable, Hashable {
    /// As the session counts connections.
    public let value: Int

    /// The program with this number.
    public init(_ value: Int) { self.value = value }
}

/// A program that lost its lease, because it is gone or fell silent. Everything that it moves has to end.
public struct LostLease: Sendable, Hashable {
    /// Which program.
    public var program: ProgramID
    /// It steered by its own observations, so mode custom ends with it.
    public var endsTracking: Bool

    /// A program, and whether mode custom ends with it.
    public init(_ program: ProgramID, endsTracking: Bool) {
        self.program = program
        self.endsTracking = endsTracking
    }
}

/// What the loop ended because a lease was lost.
public struct LeaseEnding: Sendable, Equatable {
    /// Which program lost it.
    public var program: ProgramID
    /// The motion of its that was under way; nil: none was.
    public var motion: EndedMotion?
    /// It steered in mode custom; the mode is manual now.
    public var endedTracking: Bool

    /// A program and what ended.
    public init(program: ProgramID, motion: EndedMotion?, endedTracking: Bool) {
        self.program = program
        self.motion = motion
        self.endedTracking = endedTracking
    }
}

extension MotionDirector {
    /// Ends whatever a program moves that lost its lease, also what it began before it had one.
    mutating func end(_ lost: LostLease) -> LeaseEnding {
        var ending = LeaseEnding(program: lost.program, motion: nil, endedTracking: false)
        if let active, active.program == lost.program {
            if let id = active.id { ending.motion = EndedMotion(id: id, name: active.name, outcome: .leaseLost) }
            end(.leaseLost)
        }
        if lost.endsTracking, mode == .custom {
            mode = .manual
            pursuit.reset()
            ending.endedTracking = true
        }
        return ending
    }
}
