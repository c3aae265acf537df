import CPosix
import Glibc

/// A pseudo-terminal that discards its input as fast as it can, on a separate thread.
final class SwallowingTerminal {
    let descriptor: Int32
    private let other: Int32

    init?() {
        var master: Int32 = -1, slave: Int32 = -1
        var path = [CChar](repeating: 0, count: 64)
        guard cposix_open_pty(&master, &slave, &path, path.count) == 0, cposix_make_raw(slave) == 0 else { return nil }
        (other, descriptor) = (master, slave)
        var thread = pthread_t()
        pthread_create(&thread, nil, swallow, UnsafeMutableRawPointer(bitPattern: UInt(other)))
        pthread_detach(thread)
    }

    /// Writes everything.
    func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            if count <= 0 { return }
            sent += count
        }
    }
}

private func swallow(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let descriptor = Int32(truncatingIfNeeded: UInt(bitPattern: context))
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    while read(descriptor, buffer, 1 << 16) > 0 {}
    return nil
}

/// CPU time of the calling thread, in seconds.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
