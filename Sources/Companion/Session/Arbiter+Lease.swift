internal import DockControl
internal import DockTypes
internal import Geometry

/// The lease: one program may write until it is silent for too long or its connection ends.
extension Arbiter {
    /// Makes a program the one writer.
    /// - Returns: whether it already held the lease, which is then only renewed.
    mutating func acquire(_ client: Int, now: Seconds) throws(DockError) -> Bool {
        if let lease, lease.client != client {
            throw DockError(.busy, "another program has control", hint: "wait until that program releases it or ends")
        }
        let isRenewed = lease != nil
        if lease == nil { lease = Lease(client: client, until: 0) }
        renew(client, now: now)
        return isRenewed
    }

    /// Renews the lease of a program, which any of its requests keeps alive.
    mutating func renew(_ client: Int, now: Seconds) {
        newestClient = max(newestClient, client)
        guard lease?.client == client else { return }
        lease?.until = now + Self.leaseTime
    }

    /// Releases the program's lease. Motion that it started continues to its end.
    mutating func release(_ client: Int) { if lease?.client == client { lease = nil } }

    /// Takes the lease from a program that is silent for too long.
    mutating func expire(now: Seconds) -> Lease? {
        guard let lost = lease, now >= lost.until, !SafetyMutant.keepsDeadLease.isOn else { return nil }
        lease = nil
        return lost
    }

    /// Handles the end of the program's connection.
    mutating func disconnected(_ client: Int) -> Lease? {
        if case .stoppedByProgram(client, newest: nil) = holder {
            holder = .stoppedByProgram(client, newest: newestClient)
        }
        guard let lost = lease, lost.client == client, !SafetyMutant.keepsDeadLease.isOn else { return nil }
        lease = nil
        return lost
    }

    /// Returns whether this program holds the lease.
    func isLeased(to asker: RequestOrigin) -> Bool { lease.map { .client($0.client) == asker } ?? false }

    /// Records whether the program with the lease steers by its own observations.
    mutating func tracks(_ isTracking: Bool) { lease?.isTracking = isTracking }
}
