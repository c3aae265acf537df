internal import CPosix
internal import Glibc

/// A terminal that is taken over and restored: line settings, alternate screen, modes, and the bytes that wait for
/// output.
struct TerminalSession: ~Copyable {
    let input: Int32, output: Int32
    private let ownsDescriptor: Bool
    private let mouse: Bool
    /// The means to restore the terminal, which is set while the terminal is taken over.
    private var restore: TerminalRestore?
    /// Whether the terminal supports the kitty keyboard protocol.
    private var hasKeyboard = false
    private var pending: [UInt8] = []
    private var sent = 0
    private var inputFlags: Int32 = 0, outputFlags: Int32 = 0

    /// Opens the terminal without changing anything.
    init(_ options: TerminalOptions) throws(TerminalError) {
        mouse = options.mouse
        if options.input != nil || options.output != nil {
            let given = options.input ?? options.output ?? -1
            input = given
            output = options.output ?? given
            ownsDescriptor = false
        } else {
            input = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            output = input
            ownsDescriptor = true
        }
        guard input >= 0, isatty(input) == 1, isatty(output) == 1 else {
            let reason = String(cString: strerror(errno))
            if ownsDescriptor, input >= 0 { close(input) }
            throw TerminalError(
                .noTerminal, "no terminal for the face (\(reason))",
                hint: "run dockface in a terminal window, or pass --headless to run without a face")
        }
        inputFlags = fcntl(input, F_GETFL)
        outputFlags = fcntl(output, F_GETFL)
        pending.reserveCapacity(1 << 16)
    }

    deinit {
        if ownsDescriptor { close(input) }
    }

    /// Whether bytes wait for output.
    var isBusy: Bool { sent < pending.count }

    /// Takes over the terminal. Returns false if its line settings cannot be changed.
    mutating func enter(asking questions: Bool, graphics: Bool = false) -> Bool {
        guard restore == nil else { return true }
        var found = termios()
        guard tcgetattr(output, &found) == 0 else { return false }
        var raw = found
        cfmakeraw(&raw)
        // Ctrl-C, Ctrl-Z and Ctrl-\ remain signals, because they must work whatever the program does.
        raw.c_lflag |= tcflag_t(ISIG)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        let restore = TerminalRestore.arm(
            descriptor: output, settings: found, taken: raw, flags: ownsDescriptor ? -1 : outputFlags)
        guard tcsetattr(output, TCSANOW, &raw) == 0 else {
            restore.disarm()
            return false
        }
        _ = cposix_set_nonblocking(input, true)
        _ = cposix_set_nonblocking(output, true)
        self.restore = restore
        pending.removeAll(keepingCapacity: true)
        sent = 0
        // This selects the alternate screen, no cursor, no wrap at the right edge, and focus and paste reports.
        send("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[0m\u{1b}[2J\u{1b}[?1004h\u{1b}[?2004h")
        if mouse { send("\u{1b}[?1000h\u{1b}[?1006h") }
        if hasKeyboard { send("\u{1b}[>3u") }
        if questions {
            // The questions are kitty graphics, cell size, kitty keyboard, RGB capability, and whether a 24-bit
            // background is kept. Device attributes come last, because every terminal answers them.
            if graphics { send("\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\") }
            send("\u{1b}[16t\u{1b}[?u\u{1b}P+q524742\u{1b}\\")
            send("\u{1b}[48;2;1;2;3m\u{1b}P$qm\u{1b}\\\u{1b}[0m\u{1b}[c")
        }
        return true
    }

    /// Makes the terminal report key releases, once it has confirmed that it can.
    mutating func useKeyboardProtocol() {
        guard !hasKeyboard, restore != nil else { return }
        hasKeyboard = true
        send("\u{1b}[>3u")
    }

    /// Restores the terminal.
    mutating func leave() {
        guard let restore else { return }
        self.restore = nil
        // A frame that is not written completely must not delay or swallow the next bytes.
        if isBusy { tcflush(output, TCOFLUSH) }
        pending.removeAll(keepingCapacity: true)
        sent = 0
        restore.run()
        // Late answers of the terminal must not end up as input of the shell.
        tcflush(input, TCIFLUSH)
        restore.disarm()
        if !ownsDescriptor {
            _ = fcntl(input, F_SETFL, inputFlags)
            _ = fcntl(output, F_SETFL, outputFlags)
        }
    }

    /// Queues text known at compile time.
    mutating func send(_ text: StaticString) { pending.append(sequence: text) }

    /// Queues a frame. It may only be called if no bytes wait.
    mutating func write(_ fill: (inout [UInt8]) -> Void) {
        pending.removeAll(keepingCapacity: true)
        sent = 0
        fill(&pending)
    }

    /// Writes the waiting bytes, as far as the terminal accepts them. Returns 0 or errno.
    mutating func flush() -> Int32 {
        while isBusy {
            let count = pending.withUnsafeBytes { bytes in
                Glibc.write(output, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                return 0
            } else if errno != EINTR {
                return errno
            }
        }
        pending.removeAll(keepingCapacity: true)
        sent = 0
        return 0
    }

    /// Returns the cells of the terminal, and the size of a cell in pixels (nil if it does not report that).
    func size() -> (columns: Int, rows: Int, cell: SIMD2<Double>?) {
        var columns: Int32 = 0, rows: Int32 = 0, width: Int32 = 0, height: Int32 = 0
        guard cposix_window_size(output, &columns, &rows, &width, &height) == 0, columns > 0, rows > 0 else {
            return (80, 24, nil)
        }
        guard width > 0, height > 0 else { return (Int(columns), Int(rows), nil) }
        let cell = SIMD2(Double(width) / Double(columns), Double(height) / Double(rows))
        return (Int(columns), Int(rows), cell)
    }
}
