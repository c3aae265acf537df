internal import DockTypes

/// The number of a program's connection to the daemon. A run never uses a number twice.
public struct ProgramID: Sendable, Hashable {
    /// The number that the session has assigned to the connection.
    public let value: Int

    /// Creates the number of a program.
    public init(_ value: Int) { self.value = value }
}

/// A program that lost its lease because it ended or went silent. All its motion must end.
public struct LostLease: Sendable, Hashable {
    /// The program.
    public var program: ProgramID
    /// Whether the program steered by its own observations, so that mode `custom` ends with its lease.
    public var endsTracking: Bool

    /// Creates a lost lease of a program, and states whether mode `custom` ends with it.
    public init(_ program: ProgramID, endsTracking: Bool) {
        self.program = program
        self.endsTracking = endsTracking
    }
}

/// The motion that the loop ended because a lease was lost.
public struct LeaseEnding: Sendable, Equatable {
    /// The program that lost it.
    public var program: ProgramID
    /// The program's motion that was under way, or nil if there is none.
    public var motion: EndedMotion?
    /// Whether the program steered in mode `custom`. If so, the mode is now `manual`.
    public var endedTracking: Bool

    /// Creates the result for a program that lost its lease.
    public init(program: ProgramID, motion: EndedMotion?, endedTracking: Bool) {
        self.program = program
        self.motion = motion
        self.endedTracking = endedTracking
    }
}

extension MotionDirector {
    /// Ends the motion of a program that lost its lease, including motion that it began before it had one.
    mutating func end(_ lost: LostLease) -> LeaseEnding {
        var ending = LeaseEnding(program: lost.program, motion: nil, endedTracking: false)
        if let active, active.program == lost.program {
            if let id = active.id { ending.motion = EndedMotion(id: id, name: active.name, outcome: .leaseLost) }
            end(.leaseLost)
        }
        pursuit.forgetExpectation(of: lost.program)
        if lost.endsTracking, mode == .custom {
            mode = .manual
            pursuit.reset()
            ending.endedTracking = true
        }
        return ending
    }
}
