internal import DockControl
internal import Files
internal import Glibc

/// The doctor's view of a machine: its files below a folder, so that a test can simulate another machine.
public struct SystemView: Sendable {
    /// The root folder: "" for this machine, otherwise a folder with `proc`, `sys` and `dev` of another one.
    public var root: String
    /// The environment variables.
    public var environment: [String: String]

    /// Creates a view of this machine.
    public init() {
        root = ""
        environment = ProcessEnvironment.values(
            "TERM", "COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "TMUX", "SSH_CONNECTION", "NO_COLOR")
    }

    /// Creates a view of another machine.
    public init(root: String, environment: [String: String]) {
        self.root = root
        self.environment = environment
    }

    /// Returns the first line of a small file, or nil if it does not exist or cannot be read.
    func line(_ path: String) -> String? {
        guard let file = fopen(root + path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
    }

    /// Returns the names in a folder; empty if the folder does not exist or cannot be read.
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

    /// Returns the target of a link, unresolved.
    func target(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 512)
        let count = readlink(root + path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }
    func isWritable(_ path: String) -> Bool { access(root + path, R_OK | W_OK) == 0 }

    /// Returns who may open a device, or nil if it does not exist.
    func deviceAccess(to path: String) -> DeviceAccess? { DeviceAccess(at: root + path) }

    /// The running programs, with their process IDs.
    var processes: [(id: String, name: String)] {
        names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { id in line("/proc/\(id)/comm").map { (id, $0) }
        }
    }

    /// Returns the programs that have a device open, by any link to it. Only root sees the programs of other users.
    ///
    /// The program that created a pseudo-terminal is the device itself, so it does not count as a holder.
    func holders(of device: String) -> [(id: String, name: String)] {
        let real = root + (self.device(device) ?? device)
        let number = real.hasPrefix(root + "/dev/pts/") ? real.dropFirst(root.count + 9) : nil
        return processes.filter { process in
            let open = names("/proc/\(process.id)/fd").map { ($0, target("/proc/\(process.id)/fd/\($0)")) }
            guard open.contains(where: { $0.1 == real }) else { return false }
            return !open.contains { descriptor, path in
                guard let number, let path, path.hasSuffix("/ptmx") else { return false }
                return text("/proc/\(process.id)/fdinfo/\(descriptor)").contains("tty-index:\t\(number)\n")
            }
        }
    }

    /// Returns the device to which a path leads, through links, or nil if there is none.
    func device(_ path: String) -> String? {
        // A simulated machine consists of plain files and has no device nodes.
        guard !root.isEmpty else { return RigPresence.device(at: path) }
        guard let found = realPath(of: root + path) else { return nil }
        return found.hasPrefix(root) ? String(found.dropFirst(root.count)) : nil
    }

    /// Returns whether this machine has a connection to this port of any host.
    func isConnected(toPort port: UInt16) -> Bool {
        let hex = String(port, radix: 16, uppercase: true)
        let ending = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        return ["/proc/net/tcp", "/proc/net/tcp6"].contains { file in
            text(file).split(separator: "\n").contains { line in
                // Number, local address, remote address, state; 01 is an open connection.
                let parts = line.split(separator: " ", maxSplits: 4)
                return parts.count > 3 && parts[2].hasSuffix(ending) && parts[3] == "01"
            }
        }
    }

    /// Returns the text of a file, up to 256 KiB; "" if there is none.
    func text(_ path: String) -> String {
        guard let file = fopen(root + path, "re") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 256 << 10 {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
