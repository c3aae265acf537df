internal import CPosix
internal import DockClient
internal import DockControl
internal import DockTypes
internal import Files
internal import Glibc

/// The state of a port that the next run needs, as small files in the state folder. One file exists while a dock is
/// driven, and every orderly end removes it. If the file exists but its process is gone, the last run died. One exists
/// while the dock is latched, and only `clear` removes it. One exists while the torque is switched off, and only
/// `torque on` removes it.
///
/// The existence of the file is the latch, and its content only adds details. A latch therefore works even with a full
/// disk.
struct RunMarker: Sendable {
    /// The folder of the files.
    let folder: String
    /// The file of the run.
    let name: String
    /// The files of the latch, one for each name of the port, so that another name does not lose the latch.
    private(set) var latchNames: [String]
    /// The files that record that the torque was switched off, for the same names.
    private(set) var releaseNames: [String]
    /// The port, as the user typed it.
    private let port: String

    /// The files of an earlier run that named the port by its device in /dev. They are removed with the others.
    private let oldNames: [String]
    /// The folder in which earlier versions kept latches. It is read like the other one, but never written.
    private let oldFolder: String?

    /// A fault that was not cleared, and its time in seconds of the wall clock.
    struct Latch: Sendable, Equatable {
        let fault: DockFault
        let since: Int
        /// Whether the file names no known fault, so that `fault` is a substitute and the cause is unknown.
        var isUnknown = false
        /// Whether the machine has been restarted since.
        var isOfEarlierBoot = false

        /// Its time in local time, for people.
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

    /// Creates the marker of a port, in a folder. `plugged` is as in `PortNames`, and `oldFolder` is the folder of
    /// earlier versions.
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

    /// Creates the marker of a port, in the user's folder.
    init(port: String) {
        let socket = ControlSocketPath.default(
            environment: ProcessEnvironment.values("XDG_RUNTIME_DIR"), uid: geteuid())
        let runtime = ControlSocketPath.folder(of: socket)
        self.init(port: port, folder: UserFolder.latches ?? runtime, oldFolder: runtime)
    }

    /// Returns the same marker with all names that the port now has. A dock that is plugged in later adds its USB
    /// number, and a link may lead to another device.
    func byAllNames(plugged: [PortInfo]? = nil) -> RunMarker {
        let new = RunMarker(port: port, folder: folder, oldFolder: oldFolder, plugged: plugged)
        var all = self
        all.latchNames += new.latchNames.filter { !latchNames.contains($0) }
        all.releaseNames += new.releaseNames.filter { !releaseNames.contains($0) }
        return all
    }

    /// The path of the file of the run.
    var path: String { folder + "/" + name }

    /// Checks that a latch could be written. Otherwise a dock that may be near hands is not driven.
    /// - Throws: `permission` if others can write to the folder, or this user cannot; `cannotOpen` if the disk accepts
    ///   no more files.
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
            hint: "set XDG_STATE_HOME to a folder of your own")
    }

    /// The folders that may contain a latch, with the one of earlier versions last. They are only folders that no other
    /// user can write to.
    private var folders: [OpenFolder] {
        var folders = [try? open()]
        if let oldFolder { folders.append(try? TrustedFolder.open(oldFolder, hint: "")) }
        return folders.compactMap { $0 }
    }

    // MARK: the run

    /// Whether the last run on this port died: a marker exists, and its process is gone. A marker from before the
    /// machine was started is not evidence, because the machine may have been switched off.
    var indicatesCrash: Bool {
        guard let folder = try? open(),
            let text = try? StoredFile.read(FilePlace(folder: folder, name: name))
        else { return false }
        let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
        guard words.count >= 2, let process = Int32(words[0]) else { return true }
        if words.count > 2, let boot = Self.boot, words[2] != boot { return false }
        // The number may now belong to another process, which has another start time.
        return Self.birth(of: process) != words[1]
    }

    /// Writes the marker of this process. Without a folder there is none.
    func set() {
        let text = "\(getpid()) \(Self.birth(of: getpid()) ?? "?") \(Self.boot ?? "")\n"
        guard let folder = try? open(makes: .all) else { return }
        try? StoredFile.replace(FilePlace(folder: folder, name: name), with: Array(text.utf8))
    }

    /// Removes the marker at an orderly end.
    func remove() {
        guard let folder = try? open() else { return }
        try? StoredFile.remove(FilePlace(folder: folder, name: name))
    }

    // MARK: latch and torque

    /// The fault that has not been cleared yet, or nil if there is none.
    var latch: Latch? {
        for folder in folders {
            for name in latchNames {
                let text: String
                do throws(DockError) {
                    guard let found = try StoredFile.read(FilePlace(folder: folder, name: name)) else { continue }
                    text = found
                } catch {
                    // A latch file that cannot be read is still a latch.
                    text = ""
                }
                let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
                var status = stat()
                fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
                // A latch file that cannot be understood is still a latch.
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

    /// Records for the next run whether the dock is latched. An existing latch keeps its time.
    /// - Returns: the error if the record could not be written, or nil on success.
    @discardableResult
    func keep(_ state: DockState, time: Int) -> DockError? {
        guard case .faulted(let fault) = state else { return forget(latchNames + oldNames.prefix(1)) }
        // A dock with another protocol version reports that itself, and otherwise needs no latch.
        guard fault != .versionMismatch else { return nil }
        guard let kept = latch, kept.fault == fault else { return write(fault, since: time, to: latchNames) }
        return write(fault, since: kept.since, to: latchNames.filter { !exists($0) })
    }

    /// Whether the torque was switched off in an earlier run and has not been switched on since. A file that cannot be
    /// read counts.
    var isReleased: Bool {
        folders.contains { folder in
            releaseNames.contains { name in
                var status = stat()
                return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno == EACCES
            }
        }
    }

    /// Records whether the torque is switched off.
    /// - Returns: the error if the record could not be written, or nil on success.
    @discardableResult
    func keep(released: Bool) -> DockError? {
        guard released else { return isReleased ? forget(releaseNames + oldNames.suffix(1)) : nil }
        let missing = releaseNames.filter { !exists($0) }
        return missing.isEmpty ? nil : write("released\n", to: missing)
    }

    private func write(_ fault: DockFault, since: Int, to names: [String]) -> DockError? {
        names.isEmpty ? nil : write("\(fault.rawValue) \(since) \(Self.boot ?? "")\n", to: names)
    }

    /// Returns whether a file of that name exists in the folder, readable or not.
    private func exists(_ name: String) -> Bool {
        guard let folder = try? open() else { return false }
        var status = stat()
        return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno == EACCES
    }

    /// Writes a file for each of the names. A failure for one must not prevent the others.
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

    /// An ID that the kernel creates at boot, or nil if not available.
    static let boot: String? = {
        guard let text = try? StoredFile.read("/proc/sys/kernel/random/boot_id") else { return nil }
        return text.split { $0 == " " || $0 == "\n" }.first.map(String.init)
    }()

    /// Returns the start time of a process, in the kernel's ticks since boot, or nil if there is no such process.
    static func birth(of process: Int32) -> String? {
        guard let text = try? StoredFile.read("/proc/\(process)/stat") else { return nil }
        // The name in parentheses may contain anything; after its last parenthesis follow the fields from state (3rd)
        // to start time (22nd).
        guard let end = text.lastIndex(of: ")") else { return nil }
        let rest = text[text.index(after: end)...].split(separator: " ")
        guard rest.count > 19, rest[0] != "Z" else { return nil }
        return String(rest[19])
    }
}
