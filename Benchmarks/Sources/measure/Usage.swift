import CMeasure
import Glibc

/// What a process has used up to now.
struct Usage {
    /// When, nanoseconds of CLOCK_MONOTONIC.
    var time: Int64 = 0
    /// CPU time, user and system, nanoseconds.
    var cpu: Int64 = 0
    /// How often its threads went to sleep by themselves.
    var sleeps = 0
    /// Memory that is really there, MB (10^6 bytes).
    var resident = 0.0

    /// Of a process that is alive.
    init(of process: pid_t) throws(Failure) {
        time = measure_now()
        cpu = measure_cpu(process)
        guard cpu >= 0 else { throw Failure("a program under measurement has ended by itself") }
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

    /// The number behind a word at the beginning of a line.
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
