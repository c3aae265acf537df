internal import CPosix
internal import Synchronization

/// A value behind a lock. It is a `Mutex` that the thread sanitizer can see: it does not know the futex behind it.
final class Guarded<Value>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Does something with the value, which nobody else touches meanwhile; short, and never waits for another lock's owner.
    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return try mutex.withLock { value throws(Failure) in
            cposix_tsan_acquire(address)
            defer { cposix_tsan_release(address) }
            return try body(&value)
        }
    }
}
