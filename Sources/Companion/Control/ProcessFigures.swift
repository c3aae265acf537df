internal import CPosix
internal import Glibc

/// The resources that this process uses, from /proc.
struct ProcessFigures: Sendable, Equatable {
    /// The processor time since the process started, in seconds.
    var processorTime = 0.0
    /// The resident memory, in bytes.
    var residentMemory = 0
    /// The number of open descriptors, and their limit.
    var openDescriptors = 0, mostDescriptors = 0
    /// The number of threads.
    var threads = 0

    /// Returns the present figures of this process. A value that cannot be read is 0.
    static func own() -> ProcessFigures {
        var figures = ProcessFigures()
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            for time in [usage.ru_utime, usage.ru_stime] {
                figures.processorTime += Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
            }
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.mostDescriptors = Int(clamping: limit.rlim_cur)
        }
        // The count excludes the descriptor that reads the folder.
        figures.openDescriptors = max(0, names(in: "/proc/self/fd") - 1)
        figures.threads = names(in: "/proc/self/task")
        // The fields are in pages: whole program, resident, ...
        if let words = firstLine(of: "/proc/self/statm")?.split(separator: " "), words.count > 1 {
            figures.residentMemory = (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        }
        return figures
    }

    private static func names(in folder: String) -> Int {
        guard let handle = opendir(folder) else { return 0 }
        defer { closedir(handle) }
        var count = 0
        while readdir(handle) != nil { count += 1 }
        return max(0, count - 2)
    }

    private static func firstLine(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self) : nil
    }
}
