internal import CPosix
internal import Glibc

/// The far side of a terminal, which a terminal emulator holds. The near side is a program's controlling terminal.
public final class Terminal {
    /// The device of the near side.
    public let path: String
    var far: Int32
    private let near: Int32

    /// A terminal of that size, edited and echoing as a shell leaves it.
    public init(columns: Int = 80, rows: Int = 24) throws {
        var far: Int32 = -1, near: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        guard cposix_open_pty(&far, &near, &name, name.count) == 0 else {
            throw SupportError("no pseudo-terminal", errno: errno)
        }
        (self.far, self.near) = (far, near)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = termios()
        tcgetattr(near, &settings)
        settings.c_iflag |= tcflag_t(ICRNL | IXON)
        settings.c_oflag |= tcflag_t(OPOST | ONLCR)
        settings.c_lflag |= tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        tcsetattr(near, TCSANOW, &settings)
        resize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
        close(near)
    }

    /// Changes the size of the window.
    public func resize(columns: Int, rows: Int) { _ = cposix_set_window_size(far, Int32(columns), Int32(rows)) }

    /// Closes the window: the programs in it get a HUP.
    public func hangUp() {
        guard far >= 0 else { return }
        close(far)
        far = -1
    }

    /// The line settings, as bytes that can be compared.
    public var settings: [UInt32] {
        var found = termios()
        guard tcgetattr(near, &found) == 0 else { return [] }
        let characters = withUnsafeBytes(of: &found.c_cc) { Array($0) }
        return [found.c_iflag, found.c_oflag, found.c_cflag, found.c_lflag] + characters.map(UInt32.init)
    }

    /// Sets line settings of its own, as a program that takes over the terminal does. Returns them, as `settings`.
    public func change() -> [UInt32] {
        var found = termios()
        tcgetattr(near, &found)
        found.c_lflag ^= tcflag_t(ECHO)
        found.c_iflag ^= tcflag_t(IXOFF)
        tcsetattr(near, TCSANOW, &found)
        return settings
    }

    /// Whether lines are edited and echoed, as at a shell.
    public var isCooked: Bool {
        var found = termios()
        tcgetattr(near, &found)
        return found.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }
}
