import CMeasure
import Glibc

/// The resources that a process has used so far.
struct Usage {
    /// Time of the sample, nanoseconds of CLOCK_MONOTONIC.
    var time: Int64 = 0
    /// CPU time, user and system, nanoseconds.
    var cpu: Int64 = 0
    /// Voluntary context switches of its threads.
    var sleeps = 0
    /// Resident memory, MB (10^6 bytes).
    var resident = 0.0

    /// Reads the usage of a running process.
    init(of process: pid_t) throws(Failure) {
        time = measure_now()
        cpu = measure_cpu(process)
        guard cpu >= 0 else { throw Failure("a program under measurement exited early") }
        resident = Double(Self.field("VmRSS:", of: "/proc/\(process)/status") ?? 0) * 1024 / 1e6
        guard let threads = opendir("/proc/\(process)/task") else { throw .system("/proc") }
        defer { closedir(threads) }
        while let entry = readdir(threads) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            sleeps += Self.field("voluntary_ctxt_switches:", of: "/proc/\(process)/task/\(name)/status") ?? 0
        }
    }

    /// The number after a word at the start of a line.
    private static func field(_ word: String, of path: String) -> Int? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(word) else { continue }
            return text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        return nil
    }
}
