internal import CPosix
public import Geometry
internal import Glibc
internal import Synchronization

/// The guard as a process of its own (`dock-guard`, Sources/CPosix/guard.c): it outlives the daemon by the stop.
///
/// Best begun before the process has other threads. It ends with the process, however that ends.
public final class DockGuard: MotionGuard, Sendable {
    /// The daemon's end of its channel.
    public let descriptor: Int32
    /// How many threads the process had when this was begun; 0: not known.
    public let threadsAtStart: Int
    /// Its process id; 0: none. In a renewed guard another one.
    public var process: Int32 { child.load(ordering: .relaxed) }
    private let child: Atomic<Int32>
    private let isGone = Atomic<Bool>(false)
    private let isBegun = Atomic<Bool>(false)
    /// Killed, and not reaped yet: one that hangs in the kernel ends when it can.
    private let abandoned = Mutex<[Int32]>([])
    private let isClosed = Atomic<Bool>(false)

    /// Starts the process, and waits until it stands.
    /// - Throws: `DockError.cannotOpen` if no process or no descriptor can be had.
    public init() throws(DockError) {
        var channel: Int32 = -1, threads: Int32 = 0
        let id = cposix_guard_start(&channel, &threads)
        guard id > 0 else {
            throw DockError(
                .cannotOpen, "the guard does not start: \(PortFailure.text(errno))",
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

    /// Nothing has said that it is gone.
    public var isAlive: Bool { !isGone.load(ordering: .relaxed) }
    /// Another process was begun and has not reported yet.
    public var isAwaited: Bool { isBegun.load(ordering: .relaxed) }
    /// More than so many that were killed and do not end are not left behind.
    private static let mostAbandoned = 8

    /// Gives it a duplicate of the port.
    public func watch(_ link: any ByteLink, stop: [UInt8]) { watch(descriptor: link.descriptor, stop: stop) }

    /// Gives it a duplicate of a descriptor, non-blocking and raw; stop bytes 1...256, timeout 0.05...10 s.
    public func watch(descriptor port: Int32, stop: [UInt8], timeout: Seconds = GuardPulse.timeout) {
        heed(cposix_guard_watch(descriptor, port, stop, stop.count, timeout))
    }

    /// One heartbeat.
    public func beat(moving: Bool, now: Seconds) {
        heed(cposix_guard_beat(descriptor, moving, now))
        _ = reap()
    }

    /// It closes its duplicate of the port.
    public func release() { heed(cposix_guard_release(descriptor)) }

    /// What it did.
    public func takeIntervention() -> GuardIntervention? {
        // One whose channel has closed is often not quite at its end then.
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
            // Its first: it stands.
            isGone.store(false, ordering: .relaxed)
            isBegun.store(false, ordering: .relaxed)
        }
    }

    /// Begins another process in place of one that is gone or does not listen, and waits for nothing: it is alive when it has
    /// reported. Takes about as long as a `fork` of this process.
    public func renew() -> Bool {
        guard !isClosed.load(ordering: .relaxed) else { return false }
        isBegun.store(false, ordering: .relaxed)
        // None is there where the last attempt came to nothing: it is made again.
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

    /// Ends the process and waits for that, one second at most. If it still holds a port, it stops the dock first. Idempotent;
    /// not while a loop uses it.
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
                // One that hangs in the kernel is not waited for: it ends when it can, and is the system's then.
                _ = cposix_child_end(id)
                return
            }
            _ = poll(nil, 0, 1)
        }
    }

    /// Ends those that are left behind, without waiting; how many are left still.
    private func reap() -> Int {
        abandoned.withLock { abandoned in
            if !abandoned.isEmpty { abandoned.removeAll { cposix_child_end($0) } }
            return abandoned.count
        }
    }

    /// Full (it has read nothing for a second) is as bad as gone; both show the same way.
    private func heed(_ result: Int32) { if result != 0 { isGone.store(true, ordering: .relaxed) } }
}
