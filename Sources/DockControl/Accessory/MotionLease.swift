/// The number of a lease: a program's right to be the one writer. Numbers grow and are never used twice in a run.
public struct LeaseID: Sendable, Hashable {
    /// Counts from 1.
    public let value: Int

    /// The lease with this number.
    public init(_ value: Int) { self.value = value }
}

/// A lease whose program is gone or fell silent. Everything that moves under it has to end.
public struct LostLease: Sendable, Hashable {
    /// Which lease.
    public var lease: LeaseID
    /// Its program steered by its own observations, so mode custom ends with it.
    public var endsTracking: Bool

    /// A lease, and whether mode custom ends with it.
    public init(_ lease: LeaseID, endsTracking: Bool) {
        self.lease = lease
        self.endsTracking = endsTracking
    }
}

/// What the loop ended because a lease was lost.
public struct LeaseEnding: Sendable, Equatable {
    /// Which lease.
    public var lease: LeaseID
    /// The motion that was under way under it; nil: none was.
    public var motion: EndedMotion?
    /// It steered in mode custom; the mode is manual now.
    public var endedTracking: Bool

    /// A lease and what ended with it.
    public init(lease: LeaseID, motion: EndedMotion?, endedTracking: Bool) {
        self.lease = lease
        self.motion = motion
        self.endedTracking = endedTracking
    }
}

extension MotionDirector {
    /// Ends whatever moves under a lease that was lost.
    mutating func end(_ lost: LostLease) -> LeaseEnding {
        var ending = LeaseEnding(lease: lost.lease, motion: nil, endedTracking: false)
        if let active, active.lease == lost.lease {
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
