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
    private let right = Locked(MovingRight())

    /// The right to move the dock, from the first motion on until the program switches system tracking on, or ends.
    private struct MovingRight: Sendable {
        var lease: DockLease?
        /// The number of calls that may begin a motion at the moment.
        var users = 0
        /// Whether the program had the right, or was about to get it, when it closed the connection.
        var wasInUse = false

        var isHeld: Bool { lease?.isHeld ?? false }
    }

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
    /// - Returns: how the program left it.
    func run(onChange: @escaping @Sendable (AccessorySnapshot) -> Void) async -> DockAccessoryManager.Ending {
        onChange(snapshot)
        let change = { @Sendable [self] (new: AccessoryReading?) in
            let now = cposix_monotonic_now()
            view.withLock { view in
                if let new { view.update(new, now: now) }
                // Readings and the end of a connection arrive in two tasks, so neither says whether it is connected now.
                if case .connected = dock.connection { view.isConnected = true } else { view.isConnected = false }
            }
            onChange(snapshot)
        }
        await withTaskGroup { group in
            group.addTask { [dock] in
                guard let updates = try? dock.updates(.accessory) else { return }
                for await update in updates { change(update.value) }
            }
            group.addTask { [dock] in
                for await connection in dock.connections {
                    // A new connection begins with a reading.
                    if case .disconnected = connection { change(nil) }
                }
            }
            await group.waitForAll()
        }
        return .left(hasStopped: await hasStopped())
    }

    /// Closes the connection. The daemon then ends what the program moved, and nothing can refuse that.
    func requestEnd() {
        right.withLock { $0.wasInUse = $0.lease != nil || $0.users > 0 }
        dock.close()
    }

    /// Waits until the daemon has taken the right to move from the closed connection, and with it ended what the program
    /// moved. Returns whether that was seen within a few seconds; it is not while another program has the right.
    private func hasStopped() async -> Bool {
        guard right.withLock({ $0.wasInUse }) else { return true }
        guard let other = try? Dock(connectingTo: dock.path, timeout: 1) else { return false }
        defer { other.close() }
        let deadline = cposix_monotonic_now() + Self.longestEnd
        while cposix_monotonic_now() < deadline {
            guard let status = try? await other.call("status", timeout: 1) else { return false }
            if status["lease"]?.bool == false { return true }
            try? await Task.sleep(for: Self.pause)
        }
        return false
    }

    /// How long the end of the lease is waited for, in seconds, and the time between two looks.
    private static let longestEnd: Seconds = 2, pause = Duration.milliseconds(50)

    // MARK: the right to move

    /// Carries out `body` with the right to move the dock. If the daemon refuses it, and the right was not there before,
    /// it is given back. After any other error the motion may have begun, so the right stays: without it the motion would
    /// outlive the program.
    func moving<Value>(_ body: () async throws(DockError) -> Value) async throws(DockError) -> Value {
        let wasHeld = right.withLock { right in
            right.users += 1
            return right.isHeld
        }
        defer { right.withLock { $0.users -= 1 } }
        if !wasHeld {
            let new = try await dock.control(patience: Self.patience)
            // Two calls may have acquired it. The first one's counts; the daemon knows only one.
            right.withLock { if !$0.isHeld { $0.lease = new } }
        }
        do throws(DockError) {
            return try await body()
        } catch {
            let isUnknown = [.timeout, .protocolError, .notConnected].contains(error.code)
            if !wasHeld, !isUnknown { release(users: 1) }
            throw error
        }
    }

    /// Gives the right to move the dock back, and stops nothing. It stays if more than so many calls use it.
    func release(users: Int = 0) {
        let lease = right.withLock { right -> DockLease? in
            guard right.users <= users else { return nil }
            defer { right.lease = nil }
            return right.lease
        }
        lease?.release()
    }
}
