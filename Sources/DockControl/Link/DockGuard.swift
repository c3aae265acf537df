internal import CPosix
public import DockTypes
public import Geometry
internal import Glibc
internal import Synchronization

/// The guard as a separate process (`dock-guard`, Sources/CPosix/guard.c): it outlives the daemon in order to send the
/// stop.
///
/// It is best started before the process has other threads. It ends when this process ends, for whatever reason.
public final class DockGuard: MotionGuard, Sendable {
    /// The daemon's end of the guard's channel.
    public let descriptor: Int32
    /// The number of threads that the process had when the guard was started; 0 if unknown.
    public let threadsAtStart: Int
    /// The process ID; 0 if there is none. A renewed guard has another one.
    public var process: Int32 { child.load(ordering: .relaxed) }
    private let child: Atomic<Int32>
    private let isGone = Atomic<Bool>(false)
    private let isBegun = Atomic<Bool>(false)
    /// The processes that were killed and not reaped yet. A process that hangs in the kernel ends when it can.
    private let abandoned = Mutex<[Int32]>([])
    private let isClosed = Atomic<Bool>(false)

    /// Starts the process, and waits until it is ready.
    /// - Throws: `DockError.cannotOpen` if no process or no descriptor is available.
    public init() throws(DockError) {
        var channel: Int32 = -1, threads: Int32 = 0
        let id = cposix_guard_start(&channel, &threads)
        guard id > 0 else {
            throw DockError(
                .cannotOpen, "cannot start the guard: \(PortFailure.text(errno))",
                hint: "raise `ulimit -u` and `ulimit -n`, or end other programs")
        }
        descriptor = channel
        threadsAtStart = Int(threads)
        child = Atomic(id)
    }

    deinit {
        close()
        Glibc.close(descriptor)
    }

    /// Whether the guard is alive; false once it is known to be gone.
    public var isAlive: Bool { !isGone.load(ordering: .relaxed) }
    /// Whether a new process was started and has not reported yet.
    public var isAwaited: Bool { isBegun.load(ordering: .relaxed) }
    /// The maximum number of killed processes that may be left behind without having ended.
    private static let mostAbandoned = 8

    /// Gives the guard a duplicate of the port.
    public func watch(_ link: any ByteLink, stop: [UInt8]) { watch(descriptor: link.descriptor, stop: stop) }

    /// Gives the guard a duplicate of a descriptor, which must be non-blocking and raw. The stop has 1...256 bytes, and
    /// the timeout is 0.05...10 s.
    public func watch(descriptor port: Int32, stop: [UInt8], timeout: Seconds = GuardPulse.timeout) {
        recordResult(cposix_guard_watch(descriptor, port, stop, stop.count, timeout))
    }

    /// Sends one heartbeat.
    public func beat(moving: Bool, now: Seconds) {
        recordResult(cposix_guard_beat(descriptor, moving, now))
        _ = reap()
    }

    /// Makes the guard close its duplicate of the port.
    public func release() { recordResult(cposix_guard_release(descriptor)) }

    /// Returns the guard's next action, or nil if there is none.
    public func takeIntervention() -> GuardIntervention? {
        // A guard whose channel has closed has often not quite ended yet, so it is reaped here.
        _ = reap()
        while true {
            var report = cposix_guard_report()
            let result = cposix_guard_take(descriptor, &report)
            if result < 0 {
                isGone.store(true, ordering: .relaxed)
                isBegun.store(false, ordering: .relaxed)
            }
            guard result == 1 else { return nil }
            if report.number > 0 { return GuardIntervention(silence: report.age, wrote: report.wrote) }
            // Its first report shows that it is ready.
            isGone.store(false, ordering: .relaxed)
            isBegun.store(false, ordering: .relaxed)
        }
    }

    /// Starts another process in place of one that is gone or does not respond. It does not wait: the guard is alive
    /// once it has reported. The call takes about as long as a `fork` of this process.
    public func renew() -> Bool {
        guard !isClosed.load(ordering: .relaxed) else { return false }
        isBegun.store(false, ordering: .relaxed)
        // There is none if the last attempt failed, and this is another attempt.
        let old = child.exchange(0, ordering: .relaxed)
        if old > 0 { abandoned.withLock { $0.append(old) } }
        guard reap() <= Self.mostAbandoned else { return false }
        let id = cposix_guard_replace(descriptor)
        guard id > 0 else { return false }
        child.store(id, ordering: .relaxed)
        isGone.store(true, ordering: .relaxed)
        isBegun.store(true, ordering: .relaxed)
        return true
    }

    /// Ends the process and waits for its end, at most one second. If the guard still holds a port, it stops the dock
    /// first. Idempotent. It must not be called while a loop uses the guard.
    public func close() {
        isClosed.store(true, ordering: .relaxed)
        let id = child.exchange(0, ordering: .relaxed)
        isGone.store(true, ordering: .relaxed)
        isBegun.store(false, ordering: .relaxed)
        _ = reap()
        guard id > 0 else { return }
        cposix_guard_end(descriptor)
        let end = cposix_monotonic_now() + 1
        while waitpid(id, nil, WNOHANG) == 0 {
            guard cposix_monotonic_now() < end else {
                // Do not wait for a process that hangs in the kernel: it ends when it can, and the system reaps it.
                _ = cposix_child_end(id)
                return
            }
            _ = poll(nil, 0, 1)
        }
    }

    /// Reaps the processes that were left behind, without waiting. Returns how many remain.
    private func reap() -> Int {
        abandoned.withLock { abandoned in
            if !abandoned.isEmpty { abandoned.removeAll { cposix_child_end($0) } }
            return abandoned.count
        }
    }

    /// Records the result of a call. A full channel (the guard has read nothing for a second) is as bad as a closed
    /// one, and both have the same effect.
    private func recordResult(_ result: Int32) { if result != 0 { isGone.store(true, ordering: .relaxed) } }
}
