internal import CPosix
internal import ControlProtocol
internal import DockClient
internal import DockControl
internal import DockTypes
internal import Geometry
internal import Processes

/// A daemon that already runs, as the run of a manager. The manager is a program like others: people's keys and words
/// come first, and what it moves stops with its connection.
final class DaemonRun: DockRun {
    let dock: Dock
    let view: Locked<DaemonView>
    /// The right to move the dock, from the first motion on until the detector steers again or the manager is closed.
    private let lease = Locked<DockLease?>(nil)

    /// How long the lease is renewed without a sign of life, in seconds. A motion lasts at most 60 s; a velocity and
    /// custom tracking end by themselves after less than a second. So the lease needs no sign of life: it says whose
    /// turn it is, and ends with the process.
    private static let patience: Seconds = 3600

    /// Connects to a daemon, or returns nil if none runs that this user may use.
    /// - Parameter socket: its path; nil is the default.
    /// - Throws: `timeout`, `protocolError` or `busy` if one runs that does not answer as it should.
    init?(socket: String?) throws(DockError) {
        do throws(DockError) {
            dock = try Dock(connectingTo: socket)
        } catch {
            if error.code == .notConnected || error.code == .permission { return nil }
            throw error
        }
        // A program that observes the manager may read what is set at once.
        let answer = try ControlClient(path: dock.path).call("status", timeout: 2)
        view = Locked(DaemonView(StatusReading(json: answer)?.accessory ?? AccessoryReading()))
    }

    var snapshot: AccessorySnapshot {
        let now = cposix_monotonic_now()
        return view.withLock { $0.snapshot(now: now) }
    }

    /// Follows the daemon until it is closed. `onChange` gets what is known of the dock whenever that changes.
    /// - Returns: how the program has left it.
    func run(onChange: @escaping @Sendable (AccessorySnapshot) -> Void) async -> DockAccessoryManager.Ending {
        onChange(snapshot)
        let change = { @Sendable [self] (change: (inout DaemonView) -> Void) in
            view.withLock { change(&$0) }
            onChange(snapshot)
        }
        await withTaskGroup { group in
            group.addTask { [dock] in
                guard let updates = try? dock.updates(.accessory) else { return }
                for await update in updates {
                    let now = cposix_monotonic_now()
                    change { $0.update(update.value, now: now) }
                }
            }
            group.addTask { [dock] in
                for await connection in dock.connections {
                    // A new connection begins with a reading.
                    if case .disconnected = connection { change { $0.isConnected = false } }
                }
            }
            await group.waitForAll()
        }
        return .left(hasStopped: await hasStopped())
    }

    /// Closes the connection. The daemon then ends what the program moved, and nothing can refuse that.
    func requestEnd() { dock.close() }

    /// Waits until the daemon has taken the right to move from the closed connection, and with it ended what the program
    /// moved. Returns whether that was seen within two seconds.
    private func hasStopped() async -> Bool {
        guard lease.withLock({ $0 }) != nil else { return true }
        guard let other = try? Dock(connectingTo: dock.path) else { return false }
        defer { other.close() }
        for _ in 0..<Self.looks {
            guard let status = try? await other.status() else { return false }
            if !status.isLeased { return true }
            try? await Task.sleep(for: Self.pause)
        }
        return false
    }

    /// How often the end of the lease is looked for, and the time between.
    private static let looks = 40, pause = Duration.milliseconds(50)

    // MARK: lease

    /// Carries out `body` with the right to move the dock. If it fails and the right was not there before, it is given
    /// back.
    func moving<Value>(_ body: () async throws(DockError) -> Value) async throws(DockError) -> Value {
        let held = lease.withLock { $0 }
        if let held, held.isHeld { return try await body() }
        let new = try await dock.control(patience: Self.patience)
        do throws(DockError) {
            let value = try await body()
            lease.withLock { $0 = new }
            return value
        } catch {
            new.release()
            throw error
        }
    }

    /// Gives the right to move the dock back, and stops nothing.
    func release() {
        let held = lease.withLock { lease in
            defer { lease = nil }
            return lease
        }
        held?.release()
    }
}
