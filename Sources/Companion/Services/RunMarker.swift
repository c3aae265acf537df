internal import DockControl
internal import Glibc

/// What the next run must know of a port, as small files in the state folder. One stands while a dock is driven, and goes with every
/// orderly end: if its process is gone, the last run died. One stands while the dock is latched, and only `clear` takes it away; one
/// while the motors are let go of, and only `torque on` does.
///
/// A latch is a file that is there: what stands in it says more, and is not needed. So a disk without room still latches.
struct RunMarker: Sendable {
    /// Where the files are.
    let folder: String
    /// The file of the run.
    let name: String
    /// The files of the latch, by all names of the port: another one must not forget the latch.
    private(set) var latchNames: [String]
    /// The files that say that somebody let go of the motors, by the same names.
    private(set) var releaseNames: [String]
    /// The port as it was typed.
    private let port: String

    /// What an earlier run kept that named the port as it stands in /dev: taken away with the others.
    private let oldNames: [String]
    /// Where earlier versions kept latches: read like the others, never written.
    private let oldFolder: String?

    /// A fault that was not cleared, and since when, seconds of the wall clock.
    struct Latch: Sendable, Equatable {
        let fault: DockFault
        let since: Int
        /// What was kept says no fault: `fault` stands for it, and nobody knows who pulled what.
        var isUnknown = false
        /// The machine was started again since.
        var isOfEarlierBoot = false

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

    /// For a port, in a folder; `plugged` as for `PortNames`, `oldFolder`: where earlier versions kept it.
    init(port: String, folder: String, oldFolder: String? = nil, plugged: [PortInfo]? = nil) {
        let names = PortNames(port, plugged: plugged)
        let old = names.all.contains(names.device) ? [] : [names.device]
        self.port = port
        self.folder = folder
        self.oldFolder = oldFolder == folder ? nil : oldFolder
        oldNames = old.flatMap { [Self.name("latched", port: $0), Self.name("released", port: $0)] }
        name = Self.name("running", port: names.best)
        latchNames = names.all.map { Self.name("latched", port: $0) }
        releaseNames = names.all.map { Self.name("released", port: $0) }
    }

    private static func name(_ kind: String, port: String) -> String {
        let name = port.utf8.map { byte in
            let isPlain = byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            return isPlain ? String(UnicodeScalar(byte)) : "-"
        }.joined()
        return kind + (name.hasPrefix("-") ? "" : "-") + name.suffix(100)
    }

    /// The one of a port, in the user's folder.
    init(port: String) {
        let socket = ControlSocketPath.default(
            environment: ProcessEnvironment.values("XDG_RUNTIME_DIR"), uid: geteuid())
        let runtime = ControlSocket.folder(of: socket)
        self.init(port: port, folder: UserFolder.latches ?? runtime, oldFolder: runtime)
    }

    /// The same with the names that the port has by now as well. A dock that is plugged in later brings its USB number, and a link may
    /// lead to another device.
    func byAllNames(plugged: [PortInfo]? = nil) -> RunMarker {
        let new = RunMarker(port: port, folder: folder, oldFolder: oldFolder, plugged: plugged)
        var all = self
        all.latchNames += new.latchNames.filter { !latchNames.contains($0) }
        all.releaseNames += new.releaseNames.filter { !releaseNames.contains($0) }
        return all
    }

    /// The path of the file of the run.
    var path: String { folder + "/" + name }

    /// Makes sure that a latch could be kept: a dock near hands is not driven without.
    /// - Throws: `permission` if others can write to the folder, or this user cannot; `cannotOpen` if the disk takes no file more.
    func prepare() throws(DockError) {
        let folder = try open(makes: .all)
        do throws(PathFailure) {
            let (descriptor, draft) = try StoredFile.makeDraft(in: folder)
            close(descriptor)
            unlinkat(folder.descriptor, draft, 0)
        } catch {
            let failure = StoredFile.failure("write to", self.folder, error)
            throw DockError(
                failure.code, "\(failure.message), so an emergency stop would not outlast this run",
                hint: "make room there, or set XDG_STATE_HOME to another folder")
        }
    }

    private func open(makes: PathWalk.Makes = .none) throws(DockError) -> OpenFolder {
        try TrustedFolder.open(
            folder, makes: makes,
            hint: "type: chmod go-w \(folder), or set XDG_STATE_HOME to a folder of your own")
    }

    /// The folders in which a latch may be, the one of earlier versions last: only where no other user can put it.
    private var folders: [OpenFolder] {
        var folders = [try? open()]
        if let oldFolder { folders.append(try? TrustedFolder.open(oldFolder, hint: "")) }
        return folders.compactMap { $0 }
    }

    // MARK: the run

    /// Whether the last run on this port died: there is a marker, and its process is gone. One of before the machine was started
    /// tells nothing: it may have been switched off.
    var tellsOfCrash: Bool {
        guard let folder = try? open(),
            let text = try? StoredFile.read(FilePlace(folder: folder, name: name))
        else { return false }
        let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
        guard words.count >= 2, let process = Int32(words[0]) else { return true }
        if words.count > 2, let boot = Self.boot, words[2] != boot { return false }
        // The number may be another process's by now: that one began at another time.
        return Self.birth(of: process) != words[1]
    }

    /// Makes the marker of this process; without a folder for it there is none.
    func set() {
        let text = "\(getpid()) \(Self.birth(of: getpid()) ?? "?") \(Self.boot ?? "")\n"
        guard let folder = try? open(makes: .all) else { return }
        try? StoredFile.replace(FilePlace(folder: folder, name: name), with: Array(text.utf8))
    }

    /// An orderly end.
    func remove() {
        guard let folder = try? open() else { return }
        try? StoredFile.remove(FilePlace(folder: folder, name: name))
    }

    // MARK: latch and motors

    /// The fault that nobody has cleared yet; nil: none.
    var latch: Latch? {
        for folder in folders {
            for name in latchNames {
                let text: String
                do throws(DockError) {
                    guard let found = try StoredFile.read(FilePlace(folder: folder, name: name)) else { continue }
                    text = found
                } catch {
                    // One that cannot be read is there all the same.
                    text = ""
                }
                let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
                var status = stat()
                fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
                // A latch that cannot be understood is one all the same.
                let fault = words.first.flatMap(DockFault.init(rawValue:))
                return Latch(
                    fault: fault ?? .device,
                    since: words.dropFirst().first.flatMap { Int($0) } ?? status.st_mtim.tv_sec,
                    isUnknown: fault == nil,
                    isOfEarlierBoot: words.count > 2 && Self.boot.map { $0 != words[2] } ?? false)
            }
        }
        return nil
    }

    /// The dock is latched, or is not: what the next run has to know. A latch that stands keeps its time.
    /// - Returns: what the disk says where it could not be kept; nil: all is well.
    @discardableResult
    func keep(_ state: DockState, time: Int) -> DockError? {
        guard case .faulted(let fault) = state else { return forget(latchNames + oldNames.prefix(1)) }
        // A dock of another version tells so by itself, and is well when it does not.
        guard fault != .versionMismatch else { return nil }
        guard let kept = latch, kept.fault == fault else { return write(fault, since: time, to: latchNames) }
        return write(fault, since: kept.since, to: latchNames.filter { !exists($0) })
    }

    /// Somebody let go of the motors in an earlier run, and nobody has asked them to hold since. A file that cannot be read is
    /// there all the same.
    var isReleased: Bool {
        folders.contains { folder in
            releaseNames.contains { name in
                var status = stat()
                return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno == EACCES
            }
        }
    }

    /// The motors are let go of, or hold again.
    /// - Returns: what the disk says where it could not be kept; nil: all is well.
    @discardableResult
    func keep(released: Bool) -> DockError? {
        guard released else { return isReleased ? forget(releaseNames + oldNames.suffix(1)) : nil }
        let missing = releaseNames.filter { !exists($0) }
        return missing.isEmpty ? nil : write("released\n", to: missing)
    }

    private func write(_ fault: DockFault, since: Int, to names: [String]) -> DockError? {
        names.isEmpty ? nil : write("\(fault.rawValue) \(since) \(Self.boot ?? "")\n", to: names)
    }

    /// Whether a file of that name is in the folder, readable or not.
    private func exists(_ name: String) -> Bool {
        guard let folder = try? open() else { return false }
        var status = stat()
        return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno == EACCES
    }

    /// Under each of the names: one that cannot be written must not keep the other from it.
    private func write(_ text: String, to names: [String]) -> DockError? {
        let folder: OpenFolder
        do throws(DockError) {
            folder = try open(makes: .all)
        } catch {
            return error
        }
        var failure: DockError?
        for name in names {
            let place = FilePlace(folder: folder, name: name)
            do throws(PathFailure) {
                try StoredFile.make(place, saying: text)
            } catch {
                failure = StoredFile.failure("write", self.folder + "/" + name, error)
            }
        }
        return failure
    }

    private func forget(_ names: [String]) -> DockError? {
        var failure: DockError?
        for folder in folders {
            for name in names {
                do throws(PathFailure) {
                    try StoredFile.remove(FilePlace(folder: folder, name: name))
                } catch {
                    failure = StoredFile.failure("remove", folder.path + "/" + name, error)
                }
            }
        }
        return failure
    }

    /// A number that the kernel makes when it starts; nil: it does not say.
    static let boot: String? = {
        guard let text = try? StoredFile.read("/proc/sys/kernel/random/boot_id") else { return nil }
        return text.split { $0 == " " || $0 == "\n" }.first.map(String.init)
    }()

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
