internal import CPosix
public import DockTypes
internal import Glibc

/// A link over any descriptor: a pty, a socket, a gadget port. libserialport rejects these because it requires modem
/// lines.
public final class DescriptorLink: ByteLink {
    /// The descriptor for `poll`; -1 once closed.
    public private(set) var descriptor: Int32
    /// The path.
    public let name: String
    /// Always false, because a pty is not hardware.
    public let isHardware = false
    private var saved: termios?

    /// Opens a terminal device by path in raw mode, and locks out other programs. A pty has no speed. It only shows its
    /// other end the speed that was set, in bits per second.
    /// - Throws: `DockError`: `notConnected` (no such path), `permission`, `portBusy`, `cannotOpen`.
    public init(path: String, baud: Int) throws(DockError) {
        var settings = termios()
        descriptor = cposix_claim_terminal(path, &settings)
        guard descriptor >= 0 else { throw PortFailure.opening(path, errno == EWOULDBLOCK ? EBUSY : errno) }
        name = path
        guard cposix_make_raw(descriptor) == 0 else {
            let reason = errno
            Glibc.close(descriptor)
            throw PortFailure.opening(path, reason)
        }
        _ = cposix_set_line_speed(descriptor, Int32(clamping: baud))
        saved = settings
    }

    deinit { close() }

    /// Restores the terminal's settings and closes the terminal.
    public func close() {
        guard descriptor >= 0 else { return }
        if var saved { tcsetattr(descriptor, TCSANOW, &saved) }
        Glibc.close(descriptor)
        descriptor = -1
    }
}

/// The functions of a link over a terminal's descriptor: a pty or a serial port.
extension ByteLink {
    /// Reads the bytes that are available.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        DescriptorIO.read(descriptor, into: buffer)
    }

    /// Writes what the kernel accepts at once.
    public func write(_ bytes: [UInt8]) -> Bool { DescriptorIO.write(descriptor, bytes) }

    /// The number of bytes that the kernel holds.
    public var queued: Int { Int(max(0, cposix_output_queued(descriptor))) }

    /// Discards the queue and writes `bytes` within the time. The `close` of a serial port gives the device 50 ms to
    /// receive them.
    public func writeLast(_ bytes: [UInt8], within: Double) -> Bool {
        DescriptorIO.writeLast(descriptor, bytes, within: within)
    }
}

/// Reads and writes a non-blocking descriptor, in the same way for ptys and serial ports.
enum DescriptorIO {
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        return .hangUp  // with VMIN = 1 a read of 0 is not an empty read; EIO is a pty without its other end
    }

    static func write(_ descriptor: Int32, _ bytes: [UInt8], isSocket: Bool = false) -> Bool {
        guard !bytes.isEmpty else { return true }
        return bytes.withUnsafeBytes { put(descriptor, $0, isSocket) } == bytes.count
    }

    /// Writes to a descriptor. A socket whose peer is gone must not terminate the program that embeds dockface.
    private static func put(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ isSocket: Bool) -> Int {
        isSocket
            ? send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Writes the last bytes, and blocks for at most `within` seconds.
    static func writeLast(_ descriptor: Int32, _ bytes: [UInt8], within: Double, isSocket: Bool = false) -> Bool {
        guard descriptor >= 0 else { return false }
        if !isSocket { _ = cposix_discard_output(descriptor) }
        let deadline = cposix_monotonic_now() + within
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                put(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...]), isSocket)
            }
            if count > 0 {
                sent += count
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
            let left = deadline - cposix_monotonic_now()
            guard left > 0 else { return false }
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&wait, 1, Int32((left * 1000).rounded(.up)))
            if wait.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return false }
        }
        return true
    }
}
