internal import Glibc

/// A terminal that shows images until a key ends them. It is taken over and restored like the terminal of the face,
/// whatever ends the program.
public final class PictureScreen {
    private var session: TerminalSession
    private var handlers: CrashHandlers?

    /// Opens the controlling terminal without changing anything.
    /// - Throws: `TerminalError` if there is none.
    public init() throws(TerminalError) {
        var options = TerminalOptions()
        options.mouse = false
        session = try TerminalSession(options)
    }

    /// The descriptor for `poll`. It is readable when keys were pressed.
    public var keys: Int32 { session.input }

    /// The size of the terminal in cells.
    public var size: (columns: Int, rows: Int) {
        let size = session.size()
        return (size.columns, size.rows)
    }

    /// Takes over the terminal. Returns false if its settings cannot be changed.
    public func begin() -> Bool {
        handlers = CrashHandlers.install()
        return session.enter(asking: false)
    }

    /// Sends an image, unless the terminal has not accepted the previous one yet.
    /// - Returns: false if the terminal is gone.
    public func draw(_ fill: (inout [UInt8]) -> Void) -> Bool {
        if session.isBusy, session.flush() != 0 { return false }
        guard !session.isBusy else { return true }
        session.write(fill)
        return session.flush() == 0
    }

    /// Reads the keys that were pressed. Returns whether one of them was q, Ctrl-C or Ctrl-D.
    public func readsEnd() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256), ends = false
        while true {
            let count = read(session.input, &bytes, bytes.count)
            guard count > 0 else { return ends || count == 0 }
            ends = ends || bytes[..<count].contains { [0x71, 0x51, 0x03, 0x04].contains($0) }
        }
    }

    /// Restores the terminal.
    public func end() {
        session.leave()
        handlers?.remove()
        handlers = nil
    }
}
