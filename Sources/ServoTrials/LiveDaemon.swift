internal import CPosix
internal import DockControl
internal import DockTypes
internal import Glibc

/// The built daemon as a process: takes lines, and collects its output. No call waits for it. It is ended when this is
/// released.
final class LiveDaemon {
    /// Its output so far: its log, and its answers.
    private(set) var log: [String] = [], answers: [String] = []
    /// How it ended; nil: it is running.
    private(set) var ending: String?
    /// Whether it ended normally.
    var endedWell: Bool { ending == "exit 0" }

    private let id: pid_t
    private var input: Int32, output: Int32, errors: Int32
    private var pending: [UInt8] = [], said: [UInt8] = [], logged: [UInt8] = []
    private var isClosing = false

    /// Starts the daemon.
    /// - Throws: `DockError` if it does not start.
    init(_ program: String, _ arguments: [String]) throws(DockError) {
        // The reading end of each pipe comes first.
        var ends: [Int32] = []
        for _ in 0..<3 {
            var reading: Int32 = -1, writing: Int32 = -1
            guard cposix_pipe(&reading, &writing) == 0 else {
                let reason = String(cString: strerror(errno))
                for end in ends { close(end) }
                throw DockError(
                    .configuration, "cannot create a pipe: \(reason)", hint: "use fewer --jobs, or raise `ulimit -n`")
            }
            ends += [reading, writing]
        }
        defer { for end in [ends[0], ends[3], ends[5]] { close(end) } }
        (input, output, errors) = (ends[1], ends[2], ends[4])
        for end in [input, output, errors] { _ = cposix_set_nonblocking(end, true) }
        do throws(DockError) {
            id = try liveSpawn(program, arguments, [ends[0], ends[3], ends[5]])
        } catch {
            for end in [input, output, errors] { close(end) }
            throw error
        }
    }

    deinit {
        if ending == nil {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        for end in [input, output, errors] where end >= 0 { close(end) }
    }

    /// Sends lines to its standard input.
    func feed(_ bytes: [UInt8]) {
        pending += bytes
        pass()
    }

    /// Closes its standard input after all pending lines.
    func closeInput() {
        isClosing = true
        pass()
    }

    /// Asks it to stop its dock and exit.
    func end() { if ending == nil { kill(id, SIGTERM) } }

    /// Collects its output, and checks whether it is still running.
    func turn() {
        pass()
        var status: Int32 = 0
        // Its last output is in the pipe before it exits.
        if ending == nil, waitpid(id, &status, WNOHANG) == id {
            ending = status & 0x7F == 0 ? "exit \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
        }
        answers += Self.lines(of: output, &said)
        log += Self.lines(of: errors, &logged)
    }

    private func pass() {
        while input >= 0, !pending.isEmpty {
            let count = pending.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count > 0 { pending.removeFirst(count) } else if errno != EINTR { break }
        }
        if isClosing, pending.isEmpty, input >= 0 {
            close(input)
            input = -1
        }
    }

    private static func lines(of descriptor: Int32, _ rest: inout [UInt8]) -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096), lines: [String] = []
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { rest += buffer[..<count] }
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeFirst(end + 1)
        }
        return lines
    }
}
