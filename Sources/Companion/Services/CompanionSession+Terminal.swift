internal import CPosix
internal import DockControl
internal import Glibc
internal import RobotFace

/// The terminal's side of a session: face, keys, words, Ctrl-Z.
extension CompanionSession {
    /// Whether the process has a terminal for a face and keys.
    public static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return isatty(1) == 1 || isatty(2) == 1
    }

    /// Standard input, unless the detections come on it, or a person types there whose keys the face reads.
    var wordsDescriptor: Int32 {
        if configuration.detections == .standardInput || !configuration.ownsProcess { return -1 }
        return hasFace && isatty(0) == 1 ? -1 : 0
    }

    func openScreen() throws {
        var options = TerminalOptions()
        options.style = configuration.style
        options.depth = configuration.depth
        options.glyphs = configuration.glyphs
        options.graphics = configuration.graphics
        options.calm = configuration.calmFace
        options.synchronizes = configuration.synchronizesFace
        options.seed = configuration.seed
        options.expression = configuration.expression
        let face = try FaceScreen(
            options: options, onInput: { [weak self] in self?.take(input: $0) },
            onEnd: { [weak self] _ in self?.end(.over) })
        screen.withLock { $0 = face }
    }

    /// Ctrl-Z: the dock stops, the terminal is given back, and only then the process is halted. A terminal takes its time, in which the
    /// driver talks on with the dock: the stop comes once more, and is the last on the wire.
    func suspend() {
        stopAndWait()
        let face = screen.withLock { $0 }
        face?.suspend()
        LineLog.release()
        stopAndWait()
        suspension.halt()
        if face != nil { LineLog.holdForTerminal() }
        face?.resume()
    }

    /// Until the stop is written, half a second at most.
    private func stopAndWait() {
        let stopped = cposix_wake_create()
        call(.motion(.stop), from: .keys) { _ in cposix_wake_ring(stopped) }
        var wait = pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)
        // A loop that has not answered may still ring.
        if poll(&wait, 1, 500) > 0 { close(stopped) }
    }

    /// The process was halted without warning: the shell has had the terminal since.
    func takeTerminal() {
        let face = screen.withLock { $0 }
        face?.suspend()
        face?.resume()
    }
}
