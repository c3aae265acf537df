internal import CPosix
public import Geometry
public import Glibc
internal import Synchronization

/// What a thread does between two waits; all of it is called on that thread.
public protocol PolledWork: AnyObject {
    /// Does what is due; false: the work is over.
    func turn() -> Bool
    /// When `turn` has something to do at the latest, CLOCK_MONOTONIC; nil: not by itself.
    var deadline: Seconds? { get }
    /// What to wait for, in the order in which `take` reads it.
    var waits: [pollfd] { get }
    /// Takes in what came: the same list, with what the system found.
    func take(_ waits: [pollfd])
    /// The last call, however it ends.
    func end()
}

/// A thread that waits for descriptors and for time, and does its work in between.
public final class PollThread: @unchecked Sendable {
    // Unchecked: `thread` is touched by the owner's thread only (start, stop); `make` by the new thread only; all else is constant or
    // behind its lock.

    private let name: String
    private let timer: Int32
    private let bell: Int32
    private let isStopping = Mutex(false)
    private var thread: pthread_t?
    private var make: (@Sendable () -> any PolledWork)?

    /// A thread that does not run yet; `name` has at most 15 characters. Nil if the system has no descriptors left.
    public init?(name: String) {
        self.name = name
        (timer, bell) = (cposix_timer_create(), cposix_wake_create())
        guard timer >= 0, bell >= 0 else { return nil }
    }

    deinit {
        stop()
        for open in [timer, bell] where open >= 0 { close(open) }
    }

    /// Starts it, once: `make` gives it its work. False: the system has no thread left, and `make` was not called.
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

    /// Lets it turn at once: something has changed that it cannot wait for.
    public func wake() { cposix_wake_ring(bell) }

    fileprivate func run() {
        cposix_thread_name(name)
        cposix_thread_blocks_pipe_signal()
        guard let work = make?() else { return }
        while !isStopping.withLock({ $0 }), work.turn() {
            // A moment that has passed is now; 0 would disarm.
            cposix_timer_arm(timer, work.deadline.map { max($0, 1e-6) } ?? 0)
            var waits = work.waits
            let count = waits.count
            waits.append(pollfd(fd: timer, events: Int16(POLLIN), revents: 0))
            waits.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
            while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
            _ = cposix_counter_take(timer)
            _ = cposix_counter_take(bell)
            work.take(Array(waits[..<count]))
        }
        work.end()
    }
}

/// C calls this on the new thread.
private func pollThreadMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<PollThread>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
