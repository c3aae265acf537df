import Glibc

/// The current input for the trap handler. One thread writes it, and that thread's signal handler reads it.
nonisolated(unsafe) private var current: (start: UnsafePointer<UInt8>, count: Int)?
nonisolated(unsafe) private var handoff: (program: UnsafeMutablePointer<CChar>, path: UnsafeMutablePointer<CChar>)?
nonisolated(unsafe) private var currentTarget: UnsafeMutablePointer<CChar>?

/// Runs inputs and returns their failures.
enum Runner {
    /// Returns the failure of an input, or nil. A trap ends the process after its input was saved.
    static func check(_ target: any Target.Type, _ input: [UInt8]) -> String? {
        input.withUnsafeBufferPointer { bytes in
            current = bytes.baseAddress.map { ($0, bytes.count) }
            defer { current = nil }
            return target.check(input)
        }
    }

    /// Makes a trap save its input in `path` and start `--shrink`, with async-signal-safe calls only.
    static func catchTraps(program: String, path: String) {
        handoff = (strdup(program), strdup(path))
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in Runner.keepAndShrink() }
            // SA_RESETHAND and SA_NODEFER: a second trap ends the process.
            action.sa_flags = Int32(bitPattern: 0x8000_0000 | 0x4000_0000)
            sigaction(signal, &action, nil)
        }
    }

    static func begin(_ target: any Target.Type) {
        free(currentTarget)
        currentTarget = strdup(target.name)
    }

    /// Resident memory, KiB.
    static var residentMemory: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, 128, file) != nil else { return 0 }
        let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(getpagesize()) / 1024
    }

    fileprivate static func keepAndShrink() {
        guard let current, let handoff, let currentTarget else { _exit(70) }
        let file = open(handoff.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = write(file, current.start, current.count)
        close(file)
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<CChar>?.self, capacity: 5) { arguments in
            arguments[0] = handoff.program
            arguments[1] = shrinkWord
            arguments[2] = currentTarget
            arguments[3] = handoff.path
            arguments[4] = nil
            if let words = arguments.baseAddress { execv(handoff.program, words) }
        }
        _exit(70)
    }
}

nonisolated(unsafe) private let shrinkWord: UnsafeMutablePointer<CChar> = strdup("--shrink")
