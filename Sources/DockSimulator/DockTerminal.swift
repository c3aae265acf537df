internal import CPosix
internal import Glibc

/// The dock's end of a pseudo-terminal.
///
/// While nobody has written, the client's end is held open too, so that reading is quiet instead of an error. It is let
/// go with the client's first byte: then the client's close is seen as a hang-up, and the kernel forgets what the client
/// had set (TIOCEXCL among it) and not read, as a real port does.
struct DockTerminal {
    private(set) var master: Int32 = -1
    private(set) var path = ""
    private var slave: Int32 = -1
    /// Since when bytes stand unread at a held slave.
    private var unreadSince: Double?

    /// Unread bytes older than this are thrown away before new ones are written: nobody is there.
    static let longestUnread = 0.25

    init() throws(SimulatorError) {
        var name = [CChar](repeating: 0, count: 128)
        guard cposix_open_pty(&master, &slave, &name, name.count) == 0 else { throw .noPseudoTerminal(reason: errno) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        cposix_set_nonblocking(master, true)
    }

    /// Whether the client's end could not be opened again after a hang-up; to be tried again.
    var isHungUp: Bool { slave < 0 && hungUp }
    private var hungUp = false

    /// Everything that the client has written; notices its hang-up.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Void) {
        while true {
            let count = Glibc.read(master, buffer.baseAddress, buffer.count)
            if count > 0 {
                use(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                releaseSlave()
            } else if count < 0 && errno == EINTR {
                continue
            } else {
                if count == 0 || errno == EIO { holdSlave() }
                return
            }
        }
    }

    /// Opens the client's end again after a hang-up.
    mutating func holdSlave() {
        guard slave < 0 else { return }
        slave = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        // Another client can already have it for itself; its hang-up will come too.
        hungUp = slave < 0 && errno != EBUSY
        if slave >= 0 { cposix_make_raw(slave) }
        unreadSince = nil
    }

    private mutating func releaseSlave() {
        guard slave >= 0 else { return }
        Glibc.close(slave)
        slave = -1
        hungUp = false
    }

    /// Writes what the kernel takes; the rest is lost, as in a full buffer. How many bytes were lost.
    mutating func write(_ bytes: [UInt8], now: Double) -> Int {
        dropUnread(now: now)
        let count = bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
        return bytes.count - max(count, 0)
    }

    private mutating func dropUnread(now: Double) {
        guard slave >= 0 else { return }
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
    mutating func close() {
        releaseSlave()
        if master >= 0 { Glibc.close(master) }
        master = -1
    }
}
