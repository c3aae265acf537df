internal import DockSimulator
internal import Geometry

/// The line between a daemon and a simulated dock in real time: a pseudo-terminal, and what the daemon has written to it.
final class LiveLine {
    /// The bytes that the daemon has written.
    private(set) var log = HostLog()
    /// Number of bytes to the daemon that were lost because the terminal was full.
    private(set) var lostBytes = 0
    private var terminal: DockTerminal
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// - Throws: `SimulatorError` if no terminal is available.
    init() throws(SimulatorError) { terminal = try DockTerminal() }

    deinit {
        buffer.deallocate()
        terminal.close()
    }

    /// The terminal's end from which the daemon's output is read, and the path of the other one.
    var descriptor: Int32 { terminal.master }
    var path: String { terminal.path }

    /// Passes on the bytes that the daemon has written. Returns whether a set-point was among them.
    func read(_ use: (UnsafeRawBufferPointer) -> Void) -> Bool {
        let before = log.setpoints
        terminal.read(into: buffer) { bytes in
            log.append(bytes)
            use(bytes)
        }
        return log.setpoints > before
    }

    /// Writes bytes to the daemon.
    func write(_ bytes: [UInt8], now: Seconds) {
        if !bytes.isEmpty { lostBytes += terminal.write(bytes, now: now) }
    }
}
