internal import Glibc
internal import PlainText

/// Text for standard output and standard error, unbuffered, so that a reader at a pipe gets each line at once.
public enum TextOutput {
    /// Writes a text. Everything that a terminal would interpret, except line feeds, is escaped: text from outside may not
    /// have been made safe where it came in. Returns false if its reader is gone or the disk is full.
    @discardableResult
    public static func put(_ text: String, to descriptor: Int32 = 1) -> Bool {
        draw(ForeignText.guarded(text), to: descriptor)
    }

    /// Writes a text that may have commands for a terminal. The caller makes text from outside in it safe. Returns false
    /// in the same cases as `put`.
    @discardableResult
    public static func draw(_ text: String, to descriptor: Int32 = 1) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Another program has made the terminal non-blocking.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&room, 1, 5000) > 0 else { return false }
                continue
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Returns whether a short line can be written without a wait for its reader.
    public static func hasRoom(_ descriptor: Int32) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&room, 1, 0) > 0
    }

    /// Returns whether a descriptor is a terminal.
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
