internal import CPosix
internal import Glibc
internal import Synchronization

/// What brings a terminal back to how it was found, in memory that a signal handler may touch.
private struct RestoreRecord {
    var descriptor: Int32
    var settings: termios
    var count: Int
    var bytes: UnsafeMutablePointer<UInt8>
}

/// Address of the record while a terminal is in use, else 0.
private let restoreRecord = Atomic<UInt>(0)

/// Leaves everything that entering switched on, in this order; CAN first ends a torn sequence.
private let restoreSequence: StaticString =
    "\u{18}\u{1b}[?2026l\u{1b}[<u\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?1004l\u{1b}[?2004l\u{1b}[?7h\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

/// Remembers how to restore the terminal on `descriptor`; called once before its settings are changed.
func armTerminalRestore(descriptor: Int32, settings: termios) {
    let count = restoreSequence.utf8CodeUnitCount
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    bytes.initialize(from: restoreSequence.utf8Start, count: count)
    let record = UnsafeMutablePointer<RestoreRecord>.allocate(capacity: 1)
    record.initialize(to: RestoreRecord(descriptor: descriptor, settings: settings, count: count, bytes: bytes))
    restoreRecord.store(UInt(bitPattern: record), ordering: .releasing)
}

/// Forgets the terminal. The record stays in memory, for a signal handler may be reading it: a hundred bytes a screen.
func disarmTerminalRestore() {
    restoreRecord.store(0, ordering: .releasing)
}

/// Brings the terminal back: leaves the alternate screen, shows the cursor, switches off what was switched on, and sets
/// the line settings as found. Safe in a signal handler; does nothing when no terminal is in use.
public func restoreTerminalInSignalHandler() {
    let record = UnsafePointer<RestoreRecord>(bitPattern: restoreRecord.load(ordering: .acquiring))
    guard let record else { return }
    let descriptor = record.pointee.descriptor
    var sent = 0
    // The descriptor does not block; a terminal that takes nothing must not hold a dying process for long.
    for _ in 0..<20 where sent < record.pointee.count {
        let count = write(descriptor, record.pointee.bytes + sent, record.pointee.count - sent)
        if count > 0 { sent += count; continue }
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&ready, 1, 10) < 0, errno != EINTR { break }
    }
    tcsetattr(descriptor, TCSANOW, &UnsafeMutablePointer(mutating: record).pointee.settings)
}
