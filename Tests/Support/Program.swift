internal import CPosix
internal import Glibc

/// The built program as a process: with pipes, or on its own terminal. Killed on deinit.
///
/// Every wait also reads all its output, so that it never blocks for lack of a reader.
public final class Program {
    /// How it ended.
    public enum Ending: Equatable, Sendable {
        /// With a status.
        case exit(Int32)
        /// By a signal.
        case signal(Int32)
    }

    /// How it is started.
    public struct Setup {
        /// Its controlling terminal; nil: none.
        public var terminal: Terminal?
        /// Standard input is a pipe for `write`, not the terminal or /dev/null.
        public var hasInput = true
        /// Standard error is a pipe, not the terminal.
        public var hasErrors = true
        /// Its standard output is not read.
        public var ignoresOutput = false
        /// Added to its environment.
        public var environment: [String: String] = [:]
        /// The path of a program other than `dockface`.
        public var path: String?

        /// Three pipes.
        public init() {}
    }

    /// Process id.
    public let id: Int32
    private var input: Int32
    private var inlets: [Inlet]
    private let terminal: Terminal?
    private let reads: Bool
    private var ending: Ending?
    private var spoken = 0

    /// The default runtime folder for the programs of these tests.
    private static let runtime: String = {
        let path = "/tmp/dockface-test-\(getpid())-run"
        mkdir(path, 0o700)
        return path
    }()

    /// Starts `dockface`, or the program of the set-up, with arguments.
    public init(_ arguments: [String], _ setup: Setup = Setup()) throws {
        let path = try setup.path ?? Place.program("dockface")
        terminal = setup.terminal
        reads = !setup.ignoresOutput
        let (inputEnd, ownInput) = setup.hasInput ? try makePipe() : (-1, -1)
        let (output, outputEnd) = setup.terminal == nil ? try makePipe() : (setup.terminal?.far ?? -1, -1)
        let (errors, errorsEnd) = setup.hasErrors ? try makePipe() : (-1, -1)
        defer { for end in [inputEnd, outputEnd, errorsEnd] where end >= 0 { close(end) } }
        input = ownInput
        inlets = [Inlet(output), Inlet(errors)]
        var environment = [
            "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "HOME": "/nonexistent", "LANG": "C.UTF-8",
            // Not the settings, the socket and the latches of the user who runs the tests.
            "DOCKFACE_CONFIG": "none", "XDG_RUNTIME_DIR": Self.runtime,
        ]
        environment["LD_LIBRARY_PATH"] = getenv("LD_LIBRARY_PATH").map { String(cString: $0) }
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment.merge(setup.environment) { $1 }
        id = try spawn(
            path, arguments, environment: environment,
            descriptors: [inputEnd, outputEnd, errorsEnd], terminal: setup.terminal?.path)
        if ownInput >= 0 { _ = cposix_set_nonblocking(ownInput, true) }
    }

    deinit {
        if ending == nil {
            kill(id, SIGKILL)
            var status: Int32 = 0
            waitpid(id, &status, 0)
        }
        closeInput()
        closeOutput()
        if inlets[1].descriptor >= 0 { close(inlets[1].descriptor) }
    }

    // MARK: output

    /// The text on standard output; on a terminal, everything sent to it.
    public var output: String { String(decoding: inlets[0].bytes, as: UTF8.self) }
    /// The bytes of it.
    public var outputBytes: [UInt8] { inlets[0].bytes }
    /// The text on standard error.
    public var errors: String { String(decoding: inlets[1].bytes, as: UTF8.self) }

    /// Makes `news` and `ask` look only at later output.
    public func forget() {
        pump(0)
        spoken = inlets[0].bytes.count
    }

    /// The text on standard output since `forget`, or since the last answer.
    public var news: String { String(decoding: inlets[0].bytes[spoken...], as: UTF8.self) }

    /// The next whole line of standard output.
    public func line(within seconds: Double = 10) -> String? {
        var end: Int?
        _ = wait(seconds) {
            end = inlets[0].bytes[spoken...].firstIndex(of: 0x0A)
            return end != nil
        }
        guard let end else { return nil }
        defer { spoken = end + 1 }
        return String(decoding: inlets[0].bytes[spoken..<end], as: UTF8.self)
    }

    // MARK: input

    /// Writes to its standard input, reading meanwhile. False if it took too long or the program does not read any
    /// more.
    @discardableResult
    public func write(_ bytes: [UInt8], within seconds: Double = 10) -> Bool {
        let end = monotonicNow() + seconds
        var sent = 0
        while sent < bytes.count, monotonicNow() < end {
            let count = bytes.withUnsafeBytes {
                Glibc.write(input, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            if count > 0 { sent += count } else if errno != EAGAIN { return false } else { pump(0.005) }
        }
        return sent == bytes.count
    }

    /// Writes a line to its standard input.
    @discardableResult
    public func tell(_ line: String) -> Bool { write(Array((line + "\n").utf8)) }

    /// Writes a line, and returns the next line of its output.
    public func ask(_ line: String, within seconds: Double = 10) -> String {
        forget()
        tell(line)
        return self.line(within: seconds) ?? "(no answer; \(errors.suffix(300)))"
    }

    /// Ends its standard input.
    public func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// The pipe to its standard input, for a thread that writes while this one reads; valid until `closeInput`.
    public var inputDescriptor: Int32 { input }

    /// Closes the reading end of its standard output, if that is a pipe.
    public func closeOutput() {
        guard terminal == nil, !inlets[0].isClosed else { return }
        inlets[0].close()
    }

    /// Types on its terminal.
    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        if let terminal { _ = Glibc.write(terminal.far, bytes, bytes.count) }
    }

    /// Sends it a signal.
    public func signal(_ number: Int32) { kill(id, number) }

    // MARK: waiting

    /// Waits until a condition holds, for at most `seconds`; `meanwhile` is called every 50 ms.
    @discardableResult
    public func wait(_ seconds: Double = 10, meanwhile: () -> Void = {}, until isSo: () -> Bool) -> Bool {
        let end = monotonicNow() + seconds
        var next = monotonicNow()
        while true {
            pump(0)
            if isSo() { return true }
            let now = monotonicNow()
            if now >= end { return false }
            if now >= next {
                meanwhile()
                next = now + 0.05
            }
            pump(0.005)
        }
    }

    /// Waits for its end and reads the rest; nil: it still runs.
    public func end(within seconds: Double = 10) -> Ending? {
        _ = wait(seconds) { hasEnded }
        pump(0)
        return ending
    }

    /// Whether it is over.
    public var hasEnded: Bool {
        guard ending == nil else { return true }
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return false }
        ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
        return true
    }

    /// Whether it has been halted by a signal, as by Ctrl-Z.
    public var isHalted: Bool {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG | WUNTRACED) == id && status & 0xFF == 0x7F
    }

    /// Memory in use, bytes.
    public var memory: Int {
        guard let file = fopen("/proc/\(id)/statm", "re") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, 128, file) != nil else { return 0 }
        let line = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    private func pump(_ seconds: Double) {
        var waits = inlets.map { inlet in
            pollfd(fd: inlet.isEnded ? -1 : inlet.descriptor, events: Int16(POLLIN), revents: 0)
        }
        if !reads { waits[0].fd = -1 }
        if terminal?.far == -1 { waits[0].fd = -1 }
        let count = poll(&waits, 2, Int32(seconds * 1000))
        guard count > 0 else { return }
        for index in 0..<2 where waits[index].fd >= 0 && waits[index].revents != 0 { inlets[index].read() }
    }
}
