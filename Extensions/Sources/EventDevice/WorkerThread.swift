internal import Glibc

/// A thread of its own, for work that waits for descriptors.
public enum WorkerThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread. Returns false if the system has none left; the work is not called then.
    public static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var id = pthread_t()
        let work = Unmanaged.passRetained(Work(run))
        let status = pthread_create(
            &id, nil,
            { raw in
                if let raw { Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            work.release()
            return false
        }
        pthread_detach(id)
        return true
    }

    /// Waits until one of the descriptors is readable, or the time in seconds is over; nil waits without end. Returns
    /// those that are readable or at their end.
    public static func wait(_ descriptors: [Int32], for time: Double?) -> Set<Int32> {
        var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Rounded up, so that a deadline is over when the wait is.
        let milliseconds = time.map { Int32(min(3_600_000, max(0, ($0 * 1000).rounded(.up)))) } ?? -1
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return [] }
        return Set(waits.filter { $0.revents != 0 }.map(\.fd))
    }
}
