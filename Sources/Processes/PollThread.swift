internal import CPosix
public import Geometry
public import Glibc
internal import Synchronization

/// The work of a thread between two waits; all functions are called on that thread.
public protocol PolledWork: AnyObject {
    /// Does everything that is due; false if the work is finished.
    func turn() -> Bool
    /// The latest time for the next `turn`, CLOCK_MONOTONIC, or nil if there is none.
    var deadline: Seconds? { get }
    /// The descriptors to wait for, in the order in which `handle` reads them.
    var waits: [pollfd] { get }
    /// Processes the events: the same list, with the results of the poll.
    func handle(_ waits: [pollfd])
    /// Ends the work. This is the last call, whatever the reason for the end.
    func end()
}

/// A thread that waits for descriptors and for time, and works in between.
public final class PollThread: @unchecked Sendable {
    // Unchecked: only the owner's thread uses `thread` (start, stop), and only the new thread uses `make`. Everything
    // else is constant or protected by its lock.

    private let name: String
    private let timer: Int32
    private let bell: Int32
    private let isStopping = Mutex(false)
    private var thread: pthread_t?
    private var make: (@Sendable () -> any PolledWork)?

    /// Creates a thread that is not running yet; `name` has at most 15 characters. The result is nil if the system has
    /// no descriptors left.
    public init?(name: String) {
        self.name = name
        (timer, bell) = (cposix_timer_create(), cposix_wake_create())
        guard timer >= 0, bell >= 0 else { return nil }
    }

    deinit {
        stop()
        for open in [timer, bell] where open >= 0 { close(open) }
    }

    /// Starts the thread, once; `make` creates its work. False if the system has no thread left; then `make` was not
    /// called.
    @discardableResult
    public func start(_ make: @escaping @Sendable () -> any PolledWork) -> Bool {
        guard thread == nil, self.make == nil else { return true }
        self.make = make
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        guard pthread_create(&id, nil, pollThreadMain, me.toOpaque()) == 0 else {
            me.release()
            return false
        }
        thread = id
        return true
    }

    /// Ends the work, and waits for that. Idempotent.
    public func stop() {
        guard let id = thread else { return }
        thread = nil
        isStopping.withLock { $0 = true }
        wake()
        pthread_join(id, nil)
    }

    /// Makes the thread turn at once, after a change that it cannot detect by waiting.
    public func wake() { cposix_wake_ring(bell) }

    fileprivate func run() {
        cposix_thread_name(name)
        cposix_thread_blocks_pipe_signal()
        guard let work = make?() else { return }
        while !isStopping.withLock({ $0 }), work.turn() {
            // A time in the past means now; 0 would disarm the timer.
            cposix_timer_arm(timer, work.deadline.map { max($0, 1e-6) } ?? 0)
            var waits = work.waits
            let count = waits.count
            waits.append(pollfd(fd: timer, events: Int16(POLLIN), revents: 0))
            waits.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
            while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
            _ = cposix_counter_take(timer)
            _ = cposix_counter_take(bell)
            work.handle(Array(waits[..<count]))
        }
        work.end()
    }
}

/// The entry point of the new thread, called from C.
private func pollThreadMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<PollThread>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
