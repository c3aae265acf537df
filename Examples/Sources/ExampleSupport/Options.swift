internal import Glibc

/// The words behind a program's name: `--name value`, nothing else.
public struct Options: Sendable {
    private var values: [String: String] = [:]
    private let usage: String

    /// Reads the command line; ends the program with its usage where a name is not known or a value is missing.
    public init(known: Set<String>, usage: String) {
        self.usage = usage
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            let name = String(word.dropFirst(2))
            guard word.hasPrefix("--"), known.contains(name), let value = words.popFirst() else { refuse(word) }
            values[name] = value
        }
    }

    /// The value of a name; nil: it was not given.
    public func text(_ name: String) -> String? { values[name] }

    /// The value of a name as a number above 0; nil: it was not given.
    public func number(_ name: String) -> Double? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), number > 0, number < 1e7 else { refuse("--\(name) \(text)") }
        return number
    }

    /// Ends the program: its command line does not say what it needs.
    public func refuse(_ what: String) -> Never { fail("\(what): \(usage)", status: 64) }
}

/// Ends the program before anything has begun.
public func fail(_ reason: String, status: Int32) -> Never {
    put(reason, to: 2)
    exit(status)
}

/// Writes a line to standard output, at once also where that is a pipe, and from any thread.
public func say(_ line: String) { put(line, to: 1) }

/// Past the C library's buffers: flushing those waits for whoever reads standard input. A line for a reader who takes none
/// is dropped, since nobody who drives a dock may wait for a screen.
private func put(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 100) != 0 else { return }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
        if count < 0, errno != EINTR { return }  // nobody is there any more
        sent += max(0, count)
    }
}
