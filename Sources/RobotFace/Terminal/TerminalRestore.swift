internal import CPosix
internal import Glibc
internal import Synchronization

/// The data to restore a terminal, in memory that a signal handler may access.
private struct RestoreRecord {
    var descriptor: Int32
    var settings: termios
    /// The channel to the keeper; -1 if there is none.
    var keeper: Int32
    var count: Int
    var bytes: UnsafeMutablePointer<UInt8>
}

/// The address of the record while a terminal is in use, otherwise 0.
private let restoreRecord = Atomic<UInt>(0)

/// The sequence that switches off everything that entering switched on, in this order. CAN first ends an incomplete
/// sequence.
private let restoreSequence: StaticString =
    "\u{18}\u{1b}[?2026l\u{1b}[<u\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?1004l\u{1b}[?2004l\u{1b}[?7h\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

/// Restores one terminal. The record is never freed, because a signal handler may be reading it. This costs some
/// hundred bytes each time a terminal is taken over.
struct TerminalRestore: Sendable {
    private let address: UInt
    private let keeper: Int32

    /// Records the terminal on `descriptor`. Called before its settings are changed to `taken`. `flags`: the file
    /// status flags to restore after a kill, or -1 if there are none. A separate process restores the terminal if this
    /// one is killed.
    static func arm(descriptor: Int32, settings: termios, taken: termios, flags: Int32) -> TerminalRestore {
        let count = restoreSequence.utf8CodeUnitCount
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        bytes.initialize(from: restoreSequence.utf8Start, count: count)
        let record = UnsafeMutablePointer<RestoreRecord>.allocate(capacity: 1)
        var found = settings, raw = taken
        let keeper = cposix_terminal_keeper_start(descriptor, &found, &raw, flags, bytes, count)
        record.initialize(
            to: RestoreRecord(descriptor: descriptor, settings: settings, keeper: keeper, count: count, bytes: bytes))
        let address = UInt(bitPattern: record)
        restoreRecord.store(address, ordering: .releasing)
        if keeper >= 0 { _ = cposix_terminal_keeper_tell(keeper, true) }
        return TerminalRestore(address: address, keeper: keeper)
    }

    /// Restores the terminal.
    func run() { restoreTerminal(address) }

    /// Forgets the terminal, so that a later crash does not change it.
    func disarm() {
        _ = restoreRecord.compareExchange(expected: address, desired: 0, ordering: .acquiringAndReleasing)
        if keeper >= 0 {
            _ = cposix_terminal_keeper_tell(keeper, false)
            close(keeper)
        }
    }
}

/// Restores the terminal: leaves the alternate screen, shows the cursor, switches off the modes, and restores the line
/// settings. It is safe in a signal handler, and does nothing if no terminal is in use.
public func restoreTerminalInSignalHandler() {
    restoreTerminal(restoreRecord.load(ordering: .acquiring))
}

private func restoreTerminal(_ address: UInt) {
    guard let record = UnsafeMutablePointer<RestoreRecord>(bitPattern: address) else { return }
    let descriptor = record.pointee.descriptor
    var sent = 0
    // The descriptor is non-blocking. A terminal that accepts nothing must not delay a dying process for long.
    for _ in 0..<20 where sent < record.pointee.count {
        let count = write(descriptor, record.pointee.bytes + sent, record.pointee.count - sent)
        if count > 0 {
            sent += count
            continue
        }
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&ready, 1, 10) < 0, errno != EINTR { break }
    }
    tcsetattr(descriptor, TCSANOW, &record.pointee.settings)
    if record.pointee.keeper >= 0 { _ = cposix_terminal_keeper_tell(record.pointee.keeper, false) }
}

/// Resets a terminal, for example after a program was killed: it switches off everything that a face switches on, and
/// sets the line settings of a new terminal. Returns false, with errno, if it is not a terminal.
public func resetTerminal(_ descriptor: Int32) -> Bool {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    settings.c_iflag |= tcflag_t(BRKINT | ICRNL | IXON | IMAXBEL)
    settings.c_iflag &= ~tcflag_t(INLCR | IGNCR | ISTRIP | INPCK)
    settings.c_oflag |= tcflag_t(OPOST | ONLCR)
    settings.c_lflag |= tcflag_t(ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK)
    settings.c_lflag &= ~tcflag_t(ECHONL | NOFLSH | TOSTOP)
    let count = restoreSequence.utf8CodeUnitCount
    guard write(descriptor, restoreSequence.utf8Start, count) == count else { return false }
    return tcsetattr(descriptor, TCSADRAIN, &settings) == 0
}
