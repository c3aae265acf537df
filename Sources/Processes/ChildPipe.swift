internal import CPosix
internal import Glibc

/// Our end of a pipe to or from a child. It never blocks, and is closed once.
public struct ChildPipe: Sendable {
    /// The descriptor to poll; -1 if closed.
    public private(set) var descriptor: Int32 = -1

    /// Creates a closed pipe.
    public init() {}

    /// Opens the pipe. Returns the child's end for `ChildProcess`; the caller closes it afterwards. The result is nil
    /// if the system has no descriptors left.
    /// - Parameter toChild: we write, and the child reads.
    /// - Parameter room: the requested capacity in bytes, if the system allows it; 0 for the default.
    public mutating func open(toChild: Bool, room: Int32 = 0) -> Int32? {
        var readEnd: Int32 = -1, writeEnd: Int32 = -1
        guard cposix_pipe(&readEnd, &writeEnd) == 0 else { return nil }
        descriptor = toChild ? writeEnd : readEnd
        _ = cposix_set_nonblocking(descriptor, true)
        if room > 0 { cposix_pipe_size(descriptor, room) }
        return toChild ? readEnd : writeEnd
    }

    /// Reads once, at most this many bytes; false at the end, and then the pipe is closed.
    public mutating func read(_ most: Int = 1 << 16, _ receive: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            let count = read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most)))
            if count > 0 { receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return descriptor >= 0
        }
    }

    /// Reads once into memory; returns the number of bytes. 0 means none for now, or that the pipe is now closed.
    public mutating func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
        while descriptor >= 0 {
            let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
            if count > 0 { return count }
            if count < 0, errno == EINTR { continue }
            if count == 0 || errno != EAGAIN { close() }
            return 0
        }
        return 0
    }

    /// Writes what fits. 0 means that nothing fits now, or that the reader is gone and the pipe is now closed.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        while descriptor >= 0 {
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno == EINTR { continue }
            if errno != EAGAIN { close() }
            return 0
        }
        return 0
    }

    /// Reads the remaining output, at most a megabyte, because a process that the child has started may write without
    /// end.
    public mutating func drain(_ receive: (UnsafeRawBufferPointer) -> Void) {
        for _ in 0..<16 {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard descriptor >= 0, poll(&wait, 1, 0) > 0, read(1 << 16, receive) else { return }
        }
    }

    /// Closes the pipe. Idempotent.
    public mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
