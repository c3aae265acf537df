internal import CPosix
internal import Glibc

/// A system call that failed in the test itself; says which.
public struct SupportError: Error, CustomStringConvertible {
    /// What was requested and the result.
    public let description: String

    init(_ what: String, errno reason: Int32? = nil) {
        description = what + (reason.map { ": " + String(cString: strerror($0)) } ?? "")
    }
}

/// Bytes that arrive on a descriptor, kept from the first to the last.
struct Inlet {
    let descriptor: Int32
    private(set) var bytes: [UInt8] = []
    /// The other side has closed.
    private(set) var isEnded = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = cposix_set_nonblocking(descriptor, true)
    }

    /// It was closed from this side.
    private(set) var isClosed = false

    /// Stops reading.
    mutating func close() {
        (isClosed, isEnded) = (true, true)
        Glibc.close(descriptor)
    }

    /// Reads what is available.
    mutating func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnded {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if count < 0, errno == EINTR {
                continue
            } else {
                isEnded = count == 0 || errno != EAGAIN
                return
            }
        }
    }
}

/// A pipe, both ends close-on-exec.
func makePipe() throws -> (read: Int32, write: Int32) {
    var read: Int32 = -1, write: Int32 = -1
    guard cposix_pipe(&read, &write) == 0 else { throw SupportError("no pipe", errno: errno) }
    return (read, write)
}

/// Seconds of CLOCK_MONOTONIC.
public func monotonicNow() -> Double { cposix_monotonic_now() }

/// Checks a condition a thousand times a second, for at most `seconds`. Returns whether it became true.
public func eventually(_ seconds: Double = 10, _ isSo: () throws -> Bool) rethrows -> Bool {
    let end = monotonicNow() + seconds
    while monotonicNow() < end {
        if try isSo() { return true }
        usleep(1000)
    }
    return try isSo()
}
