internal import CPosix
internal import DockControl
internal import Glibc
internal import Processes
internal import RobotFace

/// The session's terminal: face, keys, words, Ctrl-Z.
extension CompanionSession {
    /// Whether the process has a terminal for a face and keys.
    public static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return isatty(1) == 1 || isatty(2) == 1
    }

    /// The descriptor for command words, which is standard input. It is -1 if standard input carries the detections, if
    /// it is a terminal whose keys the face reads, or if another program owns the process.
    var wordsDescriptor: Int32 {
        if configuration.detections == .standardInput || !configuration.host.ownsProcess { return -1 }
        return terminal.hasFace && isatty(0) == 1 ? -1 : 0
    }

    func openScreen() throws {
        var options = TerminalOptions()
        options.style = configuration.face.style
        options.depth = configuration.face.depth
        options.glyphs = configuration.face.glyphs
        options.graphics = configuration.face.graphics
        options.calm = configuration.face.calm
        options.synchronizes = configuration.face.synchronizes
        options.seed = configuration.face.seed
        options.expression = configuration.face.expression
        let face = try FaceScreen(
            options: options, onInput: { [weak self] in self?.receive(input: $0) },
            onEnd: { [weak self] _ in self?.end(.over) })
        terminal.face.withLock { $0 = face }
    }

    /// Handles Ctrl-Z: the dock stops, the terminal is restored, and only then is the process suspended. Restoring the
    /// terminal takes time, during which the driver still writes to the dock. The stop is therefore sent once more, as
    /// the last message on the wire.
    func suspend() {
        stopAndWait()
        let face = terminal.face.withLock { $0 }
        face?.suspend()
        LineLog.release()
        stopAndWait()
        terminal.suspension.halt()
        if face != nil { LineLog.holdForTerminal() }
        face?.resume()
    }

    /// Waits until the stop is written, at most half a second.
    private func stopAndWait() {
        let stopped = cposix_wake_create()
        call(.motion(.stop), from: .keys) { _ in cposix_wake_ring(stopped) }
        var wait = pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)
        // After a timeout the descriptor stays open, because the loop may still signal it.
        if poll(&wait, 1, 500) > 0 { close(stopped) }
    }

    /// Takes the terminal back after the process was suspended without warning. The shell has used the terminal since
    /// then.
    func reclaimTerminal() {
        let face = terminal.face.withLock { $0 }
        face?.suspend()
        face?.resume()
    }
}
