public import DockTypes
internal import Files
internal import Glibc

/// The folder of the daily files, which only its owner can read.
public struct LogFolder: Sendable {
    let folder: OpenFolder

    /// The path, without links.
    public var path: String { folder.path }

    /// The usual folder: `$XDG_STATE_HOME/dockface/log`, or `~/.local/state/dockface/log`.
    /// - Throws: `configuration` if there is no home.
    public static func usual() throws(DockError) -> String {
        if let state = UserFolder.state { return state + "/log" }
        throw DockError(
            .configuration, "there is no folder for the log: the home cannot be written",
            hint: "set XDG_STATE_HOME, or pass --folder")
    }

    /// Opens the folder.
    /// - Parameter makes: whether it is created if it is missing.
    /// - Throws: `permission` if others can change its contents; `cannotOpen`, also if it is missing.
    public static func open(_ path: String, makes: Bool) throws(DockError) -> LogFolder {
        let folder = try TrustedFolder.open(
            path, makes: makes ? .all : .none, hint: "choose another folder with --folder or XDG_STATE_HOME")
        // What a person has created by hand is often readable by all.
        let mode = folder.trust.folder.mode
        if makes, mode & 0o077 != 0, folder.trust.folder.owner == geteuid() { chmod(folder.path, 0o700) }
        return LogFolder(folder: folder)
    }

    /// Returns whether there is such a folder.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The days with files, and their sizes in bytes. Other files do not count.
    public func days() throws(DockError) -> [Day: Int] {
        var days: [Day: Int] = [:]
        for name in try StoredFile.names(in: path) {
            var status = stat()
            guard let day = Self.day(of: name),
                fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            days[day] = Int(status.st_size)
        }
        return days
    }

    /// Deletes the file of a day, if there is one.
    public func remove(_ day: Day) throws(DockError) {
        do throws(PathFailure) {
            try StoredFile.remove(FilePlace(folder: folder, name: Self.name(of: day)))
        } catch {
            throw failure("remove \(Self.name(of: day))", error.number)
        }
    }

    /// "2026-11-27.jsonl".
    static func name(of day: Day) -> String { day.text + ".jsonl" }

    private static func day(of name: String) -> Day? {
        name.hasSuffix(".jsonl") ? Day(name.dropLast(6)) : nil
    }

    /// Opens the file of a day. Returns -1, and sets errno, if that is impossible.
    func open(_ day: Day, _ flags: Int32) -> Int32 {
        openat(folder.descriptor, Self.name(of: day), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }

    /// Writes the list of names to the disk, so that a new file outlasts a power cut.
    func synchronise() {
        let readable = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard readable >= 0 else { return }
        fsync(readable)
        close(readable)
    }

    func failure(_ verb: String, _ number: Int32) -> DockError {
        DockError(
            [EACCES, EPERM, EROFS].contains(number) ? .permission : .cannotOpen,
            "cannot \(verb) in \(path): \(String(cString: strerror(number)))",
            hint: "check that folder, or choose another one with --folder")
    }
}
