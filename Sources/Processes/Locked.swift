internal import CPosix
internal import Synchronization

/// A value behind a lock: a `Mutex` that the thread sanitizer can see, because it does not support the futex behind a
/// plain one.
package final class Locked<Value>: Sendable {
    private let mutex: Mutex<Value>

    /// Puts a value behind a lock.
    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with exclusive access to the value. It must be short, and must never wait for the owner of another
    /// lock.
    package func withLock<Result, Failure: Error>(
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
