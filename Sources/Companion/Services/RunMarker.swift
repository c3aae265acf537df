internal import Geometry
internal import Glibc

/// A small file that stands while a dock is driven, and goes with every orderly end: one whose process is gone tells the
/// next run that the last one died.
struct RunMarker: Sendable {
    let path: String

    /// For a port, beside the control socket.
    init(port: String, folder: String) {
        let name = port.utf8.map { byte in
            let isPlain = byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            return isPlain ? String(UnicodeScalar(byte)) : "-"
        }.joined()
        path = folder + "/running" + (name.hasPrefix("-") ? "" : "-") + name.suffix(100)
    }

    /// The one of a port, in the user's folder.
    init(port: String) {
        let socket = ControlSocketPath.default(
            environment: getenv("XDG_RUNTIME_DIR").map { ["XDG_RUNTIME_DIR": String(cString: $0)] } ?? [:],
            uid: getuid())
        self.init(port: port, folder: String(socket.prefix(upTo: socket.lastIndex(of: "/") ?? socket.endIndex)))
    }

    /// Whether the last run on this port died: there is a marker, and its process is gone.
    var tellsOfCrash: Bool {
        guard let text = try? StoredFile.read(path) else { return false }
        let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
        guard words.count >= 2, let process = Int32(words[0]) else { return true }
        // The number may be another process's by now: that one began at another time.
        return Self.birth(of: process) != words[1]
    }

    /// Makes the marker of this process; without a folder for it there is none.
    func set() { try? StoredFile.write("\(getpid()) \(Self.birth(of: getpid()) ?? "?")\n", to: path) }

    /// An orderly end.
    func remove() { unlink(path) }

    /// When a process began, in the kernel's ticks since boot; nil: there is none.
    static func birth(of process: Int32) -> String? {
        guard let text = try? StoredFile.read("/proc/\(process)/stat") else { return nil }
        // The name in parentheses may hold anything; after its last one stand state (3rd) to start time (22nd).
        guard let end = text.lastIndex(of: ")") else { return nil }
        let rest = text[text.index(after: end)...].split(separator: " ")
        guard rest.count > 19, rest[0] != "Z" else { return nil }
        return String(rest[19])
    }
}
