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
        /// What it moved and still moves.
        var motions: Set<MotionID> = []
        /// It made the mode custom.
        var isTracking = false
    }

    private(set) var lease: Lease?
    /// The person who took the dock over and has it until somebody sets the mode.
    private(set) var holder: Asker?
    private var lastKey: Seconds = -.infinity

    /// A lease lives so long after the last request, seconds.
    static let leaseTime: Seconds = 2
    /// After the last key no program sets the mode for so long, seconds.
    static let handTime: Seconds = 2
    /// While keys turn the dock, words wait; seconds after the last key.
    static let keyTime: Seconds = 0.7

    /// Why the command is refused; nil: it may be carried out.
    mutating func admit(_ command: Command, from asker: Asker, now: Seconds) -> DockError? {
        let kind = command.kind
        guard kind != .always, kind != .read else { return nil }
        switch asker {
        case .keys:
            if kind == .mode { holder = nil }
        case .words:
            if kind == .motion, now - lastKey <= Self.keyTime {
                return DockError(.busy, "the keys have the dock", hint: "wait until nobody presses a key")
            }
            if kind == .mode { holder = nil }
        case .client(let id):
            if let lease, lease.client != id {
                return DockError(.busy, "another program has control", hint: "wait until it releases it, or ends")
            }
            if kind == .mode {
                guard now - lastKey > Self.handTime else {
                    return DockError(.busy, "somebody is at the keys", hint: "try again two seconds after the last key")
                }
                holder = nil
            } else if kind == .motion, let holder {
                return DockError(
                    .busy, "\(holder == .keys ? "the keys have" : "command words have") the dock",
                    hint: "setTrackingMode (or `mode`) gives it free")
            }
        }
        return nil
    }

    /// A person moved the dock, and keeps it.
    mutating func tookOver(_ asker: Asker, now: Seconds) {
        switch asker {
        case .keys: lastKey = now
        case .words: break
        case .client: return
        }
        holder = asker
        lease?.isTracking = false
    }

    // MARK: the lease

    /// A program becomes the one writer.
    /// - Returns: whether it had the lease already, and has only renewed it.
    mutating func acquire(_ client: Int, now: Seconds) throws(DockError) -> Bool {
        if let lease, lease.client != client {
            throw DockError(.busy, "another program has control", hint: "wait until it releases it, or ends")
        }
        let isRenewed = lease != nil
        if lease == nil { lease = Lease(client: client, until: 0) }
        renew(client, now: now)
        return isRenewed
    }

    /// Any request of a program keeps its lease alive.
    mutating func renew(_ client: Int, now: Seconds) {
        guard lease?.client == client else { return }
        lease?.until = now + Self.leaseTime
    }

    /// The program has done; what it moved goes on to its own end.
    mutating func release(_ client: Int) { if lease?.client == client { lease = nil } }

    /// Takes the lease from a program that is silent for too long.
    mutating func expire(now: Seconds) -> Lease? {
        guard let lost = lease, now >= lost.until else { return nil }
        lease = nil
        return lost
    }

    /// The program's connection has ended.
    mutating func gone(_ client: Int) -> Lease? {
        guard let lost = lease, lost.client == client else { return nil }
        lease = nil
        return lost
    }

    /// Whether this program has the lease.
    func isLeased(to asker: Asker) -> Bool { lease.map { .client($0.client) == asker } ?? false }

    /// A motion of the lease's began; false: the lease is lost already, and the motion must end.
    mutating func began(_ motion: MotionID, by asker: Asker) -> Bool {
        guard isLeased(to: asker) else { return false }
        lease?.motions.insert(motion)
        return true
    }

    /// A motion ended.
    mutating func ended(_ motion: MotionID) { lease?.motions.remove(motion) }

    /// The lease's program steers by its observations, or somebody else has changed the mode.
    mutating func tracks(_ isTracking: Bool) { lease?.isTracking = isTracking }

    /// Who has the dock, for `status`.
    var control: SessionStatus.Control? {
        switch holder {
        case .keys: .keys
        case .words: .words
        case .client, nil: lease == nil ? nil : .lease
        }
    }
}

extension Command {
    /// What a command means for precedence.
    enum Kind: Sendable { case always, read, mode, motion, write }

    var kind: Kind {
        switch self {
        // Ending a motion is a stop, of that one.
        case .motion(.stop), .motion(.emergencyStop), .motion(.cancel), .releaseControl, .acquireControl: .always
        case .status, .help, .watch, .preset(.list), .teach(.list): .read
        case .motion(.setMode), .setSystemTracking: .mode
        case .motion(.chevron), .motion(.velocity), .motion(.orient), .motion(.home), .animate, .preset(.go), .track:
            .motion
        default: .write
        }
    }
}
