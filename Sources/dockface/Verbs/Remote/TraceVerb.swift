import ArgumentParser
import Companion
import DockClient
import DockControl
import DockTypes
import Files
import Glibc
import PlainText

/// `dockface trace`: writes the last 30 seconds of the running daemon to a file.
struct TraceVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Write the running daemon's last 30 seconds to a file: wire, poses, rectangles, commands.",
        usage: "dockface trace [--output FILE] [--json] [--socket PATH]",
        discussion: """
            The file holds rectangles and never images. After a fault the daemon writes a trace by itself. For example:
              dockface replay $(dockface trace)
              dockface trace --output - | grep '"k":"state"'
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Copy the trace to this file; - is standard output.", valueName: "file")
    )
    var output: String?

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let report = Report(isJSON: remote.json)
        do {
            let client = try ControlClient(path: remote.socket)
            switch try client.ask("trace") {
            case .failure(let refusal): throw report.refusal(refusal)
            case .success(let result):
                guard let path = result["path"]?.string else {
                    throw DockError(
                        .protocolError, "the daemon did not report the file's path",
                        hint: "check that it has the same version")
                }
                if let output {
                    let bytes = try FileBytes.read(path)
                    // Output to a terminal is escaped; a file or a program gets every byte.
                    if output == "-", isTerminal(1) {
                        return try FileBytes.printEscaped(String(decoding: bytes, as: UTF8.self))
                    }
                    try FileBytes.write(bytes, to: output)
                    if output == "-" { return }
                }
                report.success(result) { _ in ForeignText.line(output ?? path) }
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }
}

/// Reading and writing files as bytes, for the verbs.
enum FileBytes {
    /// The size limit of input files, in bytes.
    static let sizeLimit = 64 << 20

    /// Reads a file; the path `-` means standard input.
    /// - Throws: `configuration` if it is not a regular file or is too large, else the system's error.
    static func read(_ path: String, atMost largest: Int = sizeLimit) throws(DockError) -> [UInt8] {
        // Non-blocking, because opening a pipe waits for a writer.
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { if descriptor != 0 { close(descriptor) } }
        var status = stat()
        guard path == "-" || fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else {
            throw DockError(.configuration, "\(path) is not a regular file", hint: "pipe it in, with - as the file")
        }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes += part[..<count]
            guard bytes.count <= largest else {
                throw DockError(
                    .configuration, "\(path) is larger than \(largest >> 20) MiB", hint: "check the file name")
            }
        }
    }

    /// Writes a file; the path `-` means standard output.
    /// - Throws: `permission` or `cannotOpen` with the system's error.
    static func write(_ bytes: [UInt8], to path: String) throws(DockError) {
        guard path == "-" else { return try OutputFile.write(bytes, to: path) }
        guard writeAll(bytes) else { throw failure("write", path) }
    }

    /// Prints text, escaped for a terminal.
    /// - Throws: as `write`.
    static func printEscaped(_ text: String) throws(DockError) {
        try write(Array((ForeignText.guarded(text) + "\n").utf8), to: "-")
    }

    /// Replaces a file atomically, readable by all users: a reader sees either the old file or the new one. A device or
    /// a pipe is written to directly.
    /// - Throws: as `write`.
    static func replace(_ path: String, with bytes: [UInt8]) throws(DockError) {
        try path == "-" ? write(bytes, to: path) : OutputFile.replace(path, with: bytes)
    }

    private static func failure(_ verb: String, _ path: String) -> DockError {
        let code = errno, message = "cannot \(verb) \(path): \(String(cString: strerror(code)))"
        let isForbidden = code == EACCES || code == EPERM
        return DockError(
            isForbidden ? .permission : .configuration, message,
            hint: isForbidden ? "check its permissions" : "name another file")
    }
}
