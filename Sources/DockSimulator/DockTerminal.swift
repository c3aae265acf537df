internal import CPosix
internal import Glibc

/// The dock's end of a pseudo-terminal.
///
/// The client's end is held open too, so that reads stay quiet without a client, and a client can come and go.
package struct DockTerminal {
    /// Readable when the client has written.
    package private(set) var master: Int32 = -1
    /// The device of the client's end.
    package private(set) var path = ""
    /// Whether the device is gone although it was not unplugged. It is then no longer polled.
    package private(set) var isBroken = false
    private var slave: Int32 = -1
    /// The speed of a terminal that no host has set to another one. It stands for every speed.
    private static let anySpeed = (code: B50, value: Int32(50))
    /// Since when bytes have been unread, seconds.
    private var unreadSince: Double?

    /// Before a write, unread bytes older than this are discarded, because only the newest matter, seconds.
    static let longestUnread = 0.25

    /// A new pseudo-terminal.
    package init() throws(SimulatorError) {
        var name = [CChar](repeating: 0, count: 128)
        guard cposix_open_pty(&master, &slave, &name, name.count) == 0 else { throw .noPseudoTerminal(reason: errno) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = termios()
        if tcgetattr(slave, &settings) == 0, cfsetspeed(&settings, speed_t(Self.anySpeed.code)) == 0 {
            tcsetattr(slave, TCSANOW, &settings)
        }
        cposix_set_nonblocking(master, true)
    }

    /// The speed to which the client has set the terminal, bits per second; nil if it has set none.
    package var lineSpeed: Int? {
        let speed = cposix_line_speed(slave)
        return speed <= 0 || speed == Self.anySpeed.value ? nil : Int(speed)
    }

    /// Reads everything that the client has written.
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

    /// Writes what the kernel accepts. The rest is lost, as in a full buffer. Returns the number of lost bytes.
    package mutating func write(_ bytes: [UInt8], now: Double) -> Int {
        // At a real port, a client's TIOCEXCL ends with the last close. Here the end is held open, so it would outlive
        // the client and keep the next one out. Locks (flock) are not touched.
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

    /// Closes both ends, so that the client sees a hang-up.
    package mutating func close() {
        if slave >= 0 { Glibc.close(slave) }
        if master >= 0 { Glibc.close(master) }
        slave = -1
        master = -1
    }
}
