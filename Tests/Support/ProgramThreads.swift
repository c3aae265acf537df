internal import Glibc

/// The threads of the program.
extension Program {
    /// Their ids, by name if one is given.
    private func threads(_ name: String?) -> [Int32] {
        let all = TestSupport.threads(of: "\(id)")
        guard let name else { return all }
        return all.filter { smallFile("/proc/\(id)/task/\($0)/comm") == name + "\n" }
    }

    /// Gives real-time priority to the threads of this name, if the system allows that.
    public func giveRealTime(to name: String, priority: Int32) {
        var parameters = sched_param()
        parameters.sched_priority = priority
        for thread in threads(name) { sched_setscheduler(thread, SCHED_FIFO, &parameters) }
    }

    /// How long each of its threads, or of those with this name, has waited for a core, in seconds, by id. Empty if the
    /// kernel does not count it.
    public func coreWaits(of name: String? = nil) -> [Int32: Double] {
        var waits: [Int32: Double] = [:]
        for thread in threads(name) { waits[thread] = coreWait("/proc/\(id)/task/\(thread)/schedstat") }
        return waits
    }
}

/// The ids of the threads of a process: a number, or `self`.
func threads(of process: String) -> [Int32] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
        let number = withUnsafeBytes(of: entry.pointee.d_name) {
            Int32(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
        }
        if let number { found.append(number) }
    }
    return found
}

/// How long the calling thread has waited for a core, in seconds.
public func ownCoreWait() -> Double { coreWait("/proc/thread-self/schedstat") ?? 0 }

/// The second number of a `schedstat` is the time on a run queue, ns (Documentation/scheduler/sched-stats.rst).
private func coreWait(_ path: String) -> Double? {
    let words = smallFile(path)?.split(separator: " ") ?? []
    return words.count > 1 ? Double(words[1]).map { $0 / 1e9 } : nil
}

/// The first line or two of a file in /proc.
private func smallFile(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
        let count = read(file, buffer.baseAddress, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
