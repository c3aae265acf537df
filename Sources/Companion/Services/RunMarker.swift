internal import DockControl
internal import Glibc

/// Three small files of a port, beside the control socket. One stands while a dock is driven, and goes with every orderly end:
/// if its process is gone, the last run died. One stands while the dock is latched, and only `clear` takes it away; one while
/// somebody has let go of the motors, and only `torque on` does.
struct RunMarker: Sendable {
    /// The file of the run.
    let path: String
    /// The file of the latch, by all names of the port: another one must not forget the latch.
    let latchPaths: [String]
    /// The file that says that somebody let go of the motors, by the same names.
    let releasePaths: [String]

    /// What an earlier run kept that named the port as it stands in /dev: taken away with the others.
    private let oldPaths: [String]

    /// A fault that was not cleared, and since when, seconds of the wall clock.
    struct Latch: Sendable, Equatable {
        let fault: DockFault
        let since: Int

        /// Since when, for people, in local time.
        var date: String {
            var seconds = time_t(since), parts = tm(), text = [UInt8](repeating: 0, count: 32)
            localtime_r(&seconds, &parts)
            let count = text.withUnsafeMutableBytes { buffer in
                buffer.withMemoryRebound(to: CChar.self) {
                    $0.baseAddress.map { strftime($0, 32, "%Y-%m-%d %H:%M:%S", &parts) } ?? 0
                }
            }
            return String(decoding: text.prefix(count), as: UTF8.self)
        }
    }

    /// For a port, in a folder; `plugged` as for `PortNames`.
    init(port: String, folder: String, plugged: [PortInfo]? = nil) {
        let names = PortNames(port, plugged: plugged)
        let old = names.all.contains(names.device) ? [] : [names.device]
        oldPaths = old.flatMap {
            [Self.path("latched", port: $0, folder: folder), Self.path("released", port: $0, folder: folder)]
        }
        path = Self.path("running", port: names.best, folder: folder)
        latchPaths = names.all.map { Self.path("latched", port: $0, folder: folder) }
        releasePaths = names.all.map { Self.path("released", port: $0, folder: folder) }
    }

    private static func path(_ kind: String, port: String, folder: String) -> String {
        let name = port.utf8.map { byte in
            let isPlain = byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            return isPlain ? String(UnicodeScalar(byte)) : "-"
        }.joined()
        return folder + "/" + kind + (name.hasPrefix("-") ? "" : "-") + name.suffix(100)
    }

    /// The one of a port, in the user's folder.
    init(port: String) {
        let socket = ControlSocketPath.default(
            environment: ProcessEnvironment.values("XDG_RUNTIME_DIR"), uid: getuid())
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

    /// The fault that nobody has cleared yet; nil: none.
    var latch: Latch? {
        for path in latchPaths {
            let text: String
            do throws(DockError) {
                guard let found = try StoredFile.read(path) else { continue }
                text = found
            } catch {
                // One that cannot be read is there all the same.
                text = ""
            }
            let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
            // A latch that cannot be understood is one all the same.
            return Latch(
                fault: words.first.flatMap(DockFault.init(rawValue:)) ?? .device,
                since: words.dropFirst().first.flatMap { Int($0) } ?? 0)
        }
        return nil
    }

    /// The dock is latched, or is not: what the next run has to know. A latch that stands keeps its time.
    /// - Returns: what the disk says where it could not be kept; nil: all is well.
    @discardableResult
    func keep(_ state: DockState, time: Int) -> DockError? {
        guard case .faulted(let fault) = state else {
            for path in latchPaths + oldPaths.prefix(1) { unlink(path) }
            return nil
        }
        // A dock of another version tells so by itself, and is well when it does not.
        guard fault != .versionMismatch, latch?.fault != fault else { return nil }
        return Self.write("\(fault.rawValue) \(time)\n", to: latchPaths)
    }

    /// Under each of the names: one that cannot be written must not keep the other from it.
    private static func write(_ text: String, to paths: [String]) -> DockError? {
        var failure: DockError?
        for path in paths {
            do throws(DockError) {
                try StoredFile.write(text, to: path)
            } catch {
                failure = error
            }
        }
        return failure
    }

    /// Somebody let go of the motors in an earlier run, and nobody has asked them to hold since. A file that cannot be read is
    /// there all the same.
    var isReleased: Bool { releasePaths.contains { access($0, F_OK) == 0 || errno == EACCES } }

    /// The motors are let go of, or hold again.
    /// - Returns: what the disk says where it could not be kept; nil: all is well.
    @discardableResult
    func keep(released: Bool) -> DockError? {
        guard released != isReleased else { return nil }
        guard released else {
            for path in releasePaths + oldPaths.suffix(1) { unlink(path) }
            return nil
        }
        return Self.write("released\n", to: releasePaths)
    }

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
