internal import DockControl
internal import Geometry

/// The lease: one program writes, until it is silent for too long or its connection ends.
extension Arbiter {
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
        newestClient = max(newestClient, client)
        guard lease?.client == client else { return }
        lease?.until = now + Self.leaseTime
    }

    /// The program has done; what it moved goes on to its own end.
    mutating func release(_ client: Int) { if lease?.client == client { lease = nil } }

    /// Takes the lease from a program that is silent for too long.
    mutating func expire(now: Seconds) -> Lease? {
        guard let lost = lease, now >= lost.until, !SafetyMutant.keepsDeadLease.isOn else { return nil }
        lease = nil
        return lost
    }

    /// The program's connection has ended.
    mutating func gone(_ client: Int) -> Lease? {
        if case .stoppedByProgram(client, newest: nil) = holder {
            holder = .stoppedByProgram(client, newest: newestClient)
        }
        guard let lost = lease, lost.client == client, !SafetyMutant.keepsDeadLease.isOn else { return nil }
        lease = nil
        return lost
    }

    /// Whether this program has the lease.
    func isLeased(to asker: Asker) -> Bool { lease.map { .client($0.client) == asker } ?? false }

    /// The lease's program steers by its observations, or somebody else has changed the mode.
    mutating func tracks(_ isTracking: Bool) { lease?.isTracking = isTracking }
}
