internal import Glibc

/// The command-line options: `--name value` pairs only.
public struct Options: Sendable {
    private var values: [String: String] = [:]
    private let usage: String

    /// Reads the command line. Exits with the usage text if a name is unknown or a value is missing.
    public init(known: Set<String>, usage: String) {
        self.usage = usage
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            let name = String(word.dropFirst(2))
            guard word.hasPrefix("--"), known.contains(name), let value = words.popFirst() else { refuse(word) }
            values[name] = value
        }
    }

    /// The value of an option; nil if it was not given.
    public func text(_ name: String) -> String? { values[name] }

    /// The value of an option as a number above 0; nil if it was not given.
    public func number(_ name: String) -> Double? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), number > 0, number < 1e7 else { refuse("--\(name) \(text)") }
        return number
    }

    /// Exits with the usage text, because the command line is incomplete or wrong.
    public func refuse(_ what: String) -> Never { fail("\(what): \(usage)", status: 64) }
}

/// Exits before anything has started.
public func fail(_ reason: String, status: Int32) -> Never {
    put(reason, to: 2)
    exit(status)
}

/// Writes a line to standard output. The line is not buffered, even on a pipe. Safe from any thread.
public func say(_ line: String) { put(line, to: 1) }

/// This bypasses the C library's buffers, because flushing them waits for a thread that reads standard input. If the
/// reader does not accept a line, the line is dropped: a program that controls a dock must not wait for a screen.
private func put(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 100) != 0 else { return }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
        if count < 0, errno != EINTR { return }  // the reader is gone
        sent += max(0, count)
    }
}
