import CMeasure
import Glibc

/// A program under measurement. Its input is a pipe; its output is a pipe, nothing, or a separate terminal.
final class Child {
    /// The target of its descriptor 1.
    enum Output {
        case pipe, nothing, terminal(String)
    }

    let process: pid_t
    /// Descriptor for writing to its input.
    let input: Int32
    /// Descriptor for reading its output; -1 without a pipe.
    let output: Int32
    private var hasEnded = false

    init(_ arguments: [String], output kind: Output = .nothing) throws(Failure) {
        var (read, input): (Int32, Int32) = (-1, -1), (output, write): (Int32, Int32) = (-1, -1)
        guard measure_pipe(&read, &input) == 0 else { throw .system("pipe") }
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        var terminal: String?
        switch kind {
        case .pipe: guard measure_pipe(&output, &write) == 0 else { throw .system("pipe") }
        case .nothing: write = dup(nothing)
        case .terminal(let path): terminal = path
        }
        var pointers = arguments.map { strdup($0) } + [nil]
        process = measure_spawn(&pointers, read, write, nothing, terminal)
        let reason = errno
        for pointer in pointers { free(pointer) }
        for descriptor in [read, write, nothing] where descriptor >= 0 { close(descriptor) }
        (self.input, self.output) = (input, output)
        errno = reason
        guard process > 0 else { throw .system(arguments[0]) }
    }

    deinit {
        stop()
        close(input)
        if output >= 0 { close(output) }
    }

    /// Ends the program: SIGTERM, then SIGKILL after 3 s.
    func stop() {
        guard !hasEnded else { return }
        hasEnded = true
        var status: Int32 = 0
        kill(process, SIGTERM)
        for _ in 0..<300 {
            if waitpid(process, &status, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
    }

    /// Reads the next line of its output.
    func line() throws(Failure) -> String {
        var bytes: [UInt8] = [], byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
        guard byte == 0x0A else { throw Failure("a program exited without any output") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
