import ArgumentParser
import Companion
import DockControl
import Glibc
import PlainText

/// `dockface trace`: the running daemon writes down its last half minute.
struct TraceVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Have the running daemon write its last half minute to a file: wire, poses, rectangles, commands.",
        usage: "dockface trace [--output FILE] [--json] [--socket PATH]",
        discussion: """
            The file holds rectangles and never pictures. On a fault the daemon writes one by itself. For example:
              dockface replay $(dockface trace)
              dockface trace --output - | grep '"k":"state"'
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("Copy it there; - is standard output.", valueName: "file"))
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
                    throw DockError(.protocolError, "the daemon did not say where", hint: "is it of the same version?")
                }
                if let output {
                    let bytes = try FileBytes.read(path)
                    // A person who looks at it in a terminal gets lines; a file or a program gets every byte.
                    if output == "-", isTerminal(1) {
                        return try FileBytes.say(String(decoding: bytes, as: UTF8.self))
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

/// Files as bytes, for verbs.
enum FileBytes {
    /// More than this is no file of ours, bytes.
    static let largest = 64 << 20

    /// - Throws: `configuration`, `permission`: what the system says, or that it is no regular file; - is standard input.
    static func read(_ path: String, atMost largest: Int = largest) throws(DockError) -> [UInt8] {
        // Not blocking: the open of a pipe would wait for its writer.
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { if descriptor != 0 { close(descriptor) } }
        var status = stat()
        guard path == "-" || fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else {
            throw DockError(.configuration, "\(path) is no regular file", hint: "pipe it in, with - as the file")
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
                    .configuration, "\(path) is larger than \(largest >> 20) MiB", hint: "is it the right file?")
            }
        }
    }

    /// - Throws: `permission`, `cannotOpen`: what the system says; - is standard output.
    static func write(_ bytes: [UInt8], to path: String) throws(DockError) {
        guard path == "-" else { return try OutputFile.write(bytes, to: path) }
        guard writeAll(bytes) else { throw failure("write", path) }
    }

    /// Prints lines for people.
    /// - Throws: as `write`.
    static func say(_ text: String) throws(DockError) {
        try write(Array((ForeignText.guarded(text) + "\n").utf8), to: "-")
    }

    /// Puts a file in its place at once, for everybody to read: who reads finds the old one or the new one. A device or a pipe
    /// is written to.
    /// - Throws: as `write`.
    static func replace(_ path: String, with bytes: [UInt8]) throws(DockError) {
        try path == "-" ? write(bytes, to: path) : OutputFile.replace(path, with: bytes)
    }

    private static func failure(_ verb: String, _ path: String) -> DockError {
        let code = errno, message = "cannot \(verb) \(path): \(String(cString: strerror(code)))"
        let isForbidden = code == EACCES || code == EPERM
        return DockError(
            isForbidden ? .permission : .configuration, message,
            hint: isForbidden ? "it belongs to somebody else" : "name another file")
    }
}
