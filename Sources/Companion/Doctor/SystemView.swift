internal import Glibc

/// What the doctor sees of a machine: its files, under a folder, so that a test can show it another machine.
public struct SystemView: Sendable {
    /// "" for this machine; a folder that holds `proc`, `sys` and `dev` of another.
    public var root: String
    /// Names and values of the environment.
    public var environment: [String: String]

    /// This machine.
    public init() {
        root = ""
        environment = [:]
        for name in ["TERM", "COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "TMUX", "SSH_CONNECTION", "NO_COLOR"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
    }

    /// Another machine.
    public init(root: String, environment: [String: String]) {
        self.root = root
        self.environment = environment
    }

    /// The first line of a small file; nil: there is none, or it may not be read.
    func line(_ path: String) -> String? {
        guard let file = fopen(root + path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
    }

    /// The names in a folder; empty: there is none, or it may not be read.
    func names(_ path: String) -> [String] {
        guard let handle = opendir(root + path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Where a link leads, as it is written there.
    func target(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 512)
        let count = readlink(root + path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }
    func isWritable(_ path: String) -> Bool { access(root + path, R_OK | W_OK) == 0 }

    /// The name of the group that a file belongs to, or its number.
    func group(of path: String) -> String? {
        var status = stat()
        guard stat(root + path, &status) == 0 else { return nil }
        return getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? String(status.st_gid)
    }

    /// Programs that run, by number.
    var processes: [(id: String, name: String)] {
        names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { id in line("/proc/\(id)/comm").map { (id, $0) }
        }
    }

    /// Who has a device open. Only root sees the programs of others.
    func holders(of device: String) -> [(id: String, name: String)] {
        processes.filter { process in
            names("/proc/\(process.id)/fd").contains { target("/proc/\(process.id)/fd/\($0)") == root + device }
        }
    }
}
