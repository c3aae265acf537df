internal import CPosix
internal import Glibc

/// The dock's end of a pseudo-terminal.
///
/// The client's end is held open too: reading stays quiet while nobody is there, and a client can come and go.
package struct DockTerminal {
    /// Readable when the client has written.
    package private(set) var master: Int32 = -1
    /// The device of the client's end.
    package private(set) var path = ""
    /// Whether the device is gone although nobody pulled it; it is not listened to any more.
    package private(set) var isBroken = false
    private var slave: Int32 = -1
    /// Since when bytes stand unread.
    private var unreadSince: Double?

    /// Unread bytes older than this are thrown away before new ones are written: nobody reads, and the newest count.
    static let longestUnread = 0.25

    /// A new pseudo-terminal.
    package init() throws(SimulatorError) {
        var name = [CChar](repeating: 0, count: 128)
        guard cposix_open_pty(&master, &slave, &name, name.count) == 0 else { throw .noPseudoTerminal(reason: errno) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        cposix_set_nonblocking(master, true)
    }

    /// Everything that the client has written.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Void) {
        while true {
            let count = Glibc.read(master, buffer.baseAddress, buffer.count)
            if count > 0 {
                use(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } else if count == 0 || errno != EINTR {
                isBroken = count == 0 || errno != EAGAIN
                return
            }
        }
    }

    /// Writes what the kernel takes; the rest is lost, as in a full buffer. How many bytes were lost.
    package mutating func write(_ bytes: [UInt8], now: Double) -> Int {
        // A client's TIOCEXCL ends with its last close at a real port; here it would outlive it and keep the next one
        // out, because the end is held open. Locks (flock) are not touched.
        _ = ioctl(slave, UInt(TIOCNXCL), 0)
        dropUnread(now: now)
        let count = bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
        return bytes.count - max(count, 0)
    }

    private mutating func dropUnread(now: Double) {
        var waiting = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLIN) != 0 else {
            unreadSince = nil
            return
        }
        let since = unreadSince ?? now
        unreadSince = since
        guard now - since > Self.longestUnread else { return }
        tcflush(slave, TCIFLUSH)
        unreadSince = nil
    }

    /// Closes both ends: the client sees a hang-up.
    package mutating func close() {
        if slave >= 0 { Glibc.close(slave) }
        if master >= 0 { Glibc.close(master) }
        slave = -1
        master = -1
    }
}
