public import DockTypes
internal import Glibc

/// Small text files. They are read whole and replaced atomically: a reader finds either the old or the new text. A link
/// of another user is never followed (`PathWalk`).
public enum StoredFile {
    /// The maximum size, in bytes; dockface never writes larger files.
    public static let largest = 256 << 10

    /// Returns the text of a file, or nil if there is no file.
    /// - Throws: `permission`; `configuration` if it cannot be a file written by dockface; `cannotOpen` for errors of
    ///   the disk.
    public static func read(_ path: String) throws(DockError) -> String? {
        // Non-blocking, because the path may be a pipe.
        try text(of: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path)
    }

    /// Does the same as `read(_:)` for a path, but in a folder that is held open. Links are rejected.
    public static func read(_ place: FilePlace) throws(DockError) -> String? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        return try text(
            of: openat(place.folder.descriptor, place.name, flags), place.folder.path + "/" + place.name)
    }

    /// Returns the text of an open file and closes it, or nil if there is no such file.
    private static func text(of descriptor: Int32, _ path: String) throws(DockError) -> String? {
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", path, errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest else {
            throw damaged("\(path) is not a regular file of at most \(largest >> 10) KiB")
        }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= largest {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("read", path, errno)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged("\(path) is not UTF-8 text") }
        return text
    }

    /// Replaces the text of a file atomically, or leaves the file unchanged. Missing folders are created, for their
    /// owner only.
    /// - Parameter mode: its permissions. If nil, only its owner can read it, or all users if they can read the folder.
    public static func write(_ text: String, to path: String, mode: UInt32? = nil) throws(DockError) {
        do throws(PathFailure) {
            try replace(FilePlace.find(path, makes: .all), with: Array(text.utf8), mode: mode)
        } catch {
            throw failure("write", path, error)
        }
    }

    /// Replaces a file atomically: it writes a draft beside the file and renames the draft when it is on the disk.
    /// - Parameters:
    ///   - mode: its permissions. If nil, only its owner can read it, or all users if they can read the folder.
    ///   - group: its group; nil for that of a new file. If this user may not choose it, no group gets permissions.
    package static func replace(
        _ place: FilePlace, with bytes: [UInt8], mode: UInt32? = nil, group: UInt32? = nil
    ) throws(PathFailure) {
        let (descriptor, draft) = try makeDraft(in: place.folder)
        defer { close(descriptor) }
        do throws(PathFailure) {
            try put(bytes, into: descriptor)
            if let mode = mode ?? (isPublic(place.folder) ? 0o644 : nil) {
                // An owner of -1 stays as it is. The permissions of one group must not become those of another one.
                let hasGroup = group.map { fchown(descriptor, uid_t.max, $0) == 0 } ?? true
                fchmod(descriptor, hasGroup ? mode : mode & ~0o070)
            }
            // The text must be on the disk before the name. Otherwise a power cut leaves an empty file.
            guard fsync(descriptor) == 0,
                renameat(place.folder.descriptor, draft, place.folder.descriptor, place.name) == 0
            else { throw PathFailure(number: errno) }
        } catch {
            unlinkat(place.folder.descriptor, draft, 0)
            throw error
        }
        place.folder.synchronise()
    }

    /// Creates a file with its whole text, unless it exists. If several programs do so at the same time, one of them
    /// creates the file, and all find the same text. Missing folders are created, for their owner only.
    /// - Parameter mode: its permissions.
    /// - Returns: whether the file was created.
    public static func create(_ text: String, at path: String, mode: UInt32) throws(DockError) -> Bool {
        do throws(PathFailure) {
            return try create(FilePlace.find(path, makes: .all), with: Array(text.utf8), mode: mode)
        } catch {
            throw failure("write", path, error)
        }
    }

    private static func create(_ place: FilePlace, with bytes: [UInt8], mode: UInt32) throws(PathFailure) -> Bool {
        let folder = place.folder
        let (descriptor, draft) = try makeDraft(in: folder)
        defer {
            close(descriptor)
            unlinkat(folder.descriptor, draft, 0)
        }
        try put(bytes, into: descriptor)
        fchmod(descriptor, mode)
        guard fsync(descriptor) == 0 else { throw PathFailure(number: errno) }
        // Unlike a renamed file, a link replaces no file.
        if linkat(folder.descriptor, draft, folder.descriptor, place.name, 0) != 0 {
            let number = errno
            if number == EEXIST { return false }
            // Some file systems have no links. There, two programs at the same time are not kept apart.
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(number) else { throw PathFailure(number: number) }
            if try folder.status(of: place.name) != nil { return false }
            guard renameat(folder.descriptor, draft, folder.descriptor, place.name) == 0 else {
                throw PathFailure(number: errno)
            }
        }
        folder.synchronise()
        return true
    }

    /// Makes sure that a file exists. It contains a short text if the disk has room for it, and is empty otherwise. It
    /// never keeps its old text.
    /// - Throws: if not even an empty file can be created.
    package static func make(_ place: FilePlace, saying text: String) throws(PathFailure) {
        let bytes = Array(text.utf8), flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = openat(place.folder.descriptor, place.name, flags | O_CREAT | O_EXCL, 0o600)
        if descriptor < 0 {
            guard errno == EEXIST else { throw PathFailure(number: errno) }
            if (try? replace(place, with: bytes)) != nil { return }
            descriptor = openat(place.folder.descriptor, place.name, flags | O_TRUNC)
            // Something with this name already exists, which is enough.
            guard descriptor >= 0 else { return }
        }
        // Written directly to its final place, so that the reason is stored even if the program is killed now.
        _ = Glibc.write(descriptor, bytes, bytes.count)
        if isPublic(place.folder) { fchmod(descriptor, 0o644) }
        fsync(descriptor)
        close(descriptor)
        place.folder.synchronise()
    }

    /// Tests whether a file could be written: it creates and removes a file with another name beside it, or a folder
    /// with another name if its folder is missing.
    /// - Throws: the errors of `write`.
    public static func probe(_ path: String) throws(DockError) {
        var place: FilePlace?
        do throws(PathFailure) {
            place = try FilePlace.find(path)
        } catch {
            guard error.number == ENOENT else { throw failure("write", path, error) }
        }
        guard let folder = place?.folder else { return try probeFolder(folder(of: path)) }
        do throws(PathFailure) {
            let (descriptor, draft) = try makeDraft(in: folder)
            close(descriptor)
            unlinkat(folder.descriptor, draft, 0)
        } catch {
            throw failure("write", path, error)
        }
    }

    /// Tests whether a missing folder could be created: it creates and removes one with another name in the place of
    /// the first missing folder.
    private static func probeFolder(_ path: String) throws(DockError) {
        var place = path
        do throws(PathFailure) {
            while place != "/", place != ".", try !isThere(place) { place = folder(of: place) }
            let found = try OpenFolder.open(place), name = draftName()
            guard mkdirat(found.descriptor, name, 0o700) == 0 else { throw PathFailure(number: errno) }
            unlinkat(found.descriptor, name, AT_REMOVEDIR)
        } catch {
            throw failure("make the folder", path, error)
        }
    }

    private static func isThere(_ folder: String) throws(PathFailure) -> Bool {
        do throws(PathFailure) {
            _ = try OpenFolder.open(folder)
            return true
        } catch {
            if error.number == ENOENT { return false }
            throw error
        }
    }

    /// Removes a file, if it exists. A link is removed, not its target.
    public static func remove(_ path: String) throws(DockError) {
        do throws(PathFailure) {
            try remove(FilePlace.find(path, followsLast: false))
        } catch {
            if error.number != ENOENT { throw failure("remove", path, error) }
        }
    }

    /// Does the same as `remove(_:)` for a path, but in a folder that is held open.
    public static func remove(_ place: FilePlace) throws(PathFailure) {
        guard unlinkat(place.folder.descriptor, place.name, 0) == 0 else {
            let number = errno
            // A read-only disk reports that it is read-only before it checks whether the file exists.
            var status = stat()
            let isThere = fstatat(place.folder.descriptor, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0
            if number == ENOENT || !isThere && errno == ENOENT { return }
            throw PathFailure(number: number)
        }
        place.folder.synchronise()
    }

    /// Returns the sorted names in a folder; empty if the folder does not exist.
    public static func names(in folder: String) throws(DockError) -> [String] {
        guard let handle = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw failure("read", folder, errno)
        }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    /// Returns the error for a file that this program did not write, or that was changed afterwards.
    public static func damaged(_ what: String) -> DockError {
        DockError(.configuration, what, hint: "correct it or move it away; it is not overwritten until then")
    }

    // MARK: parts

    /// Writes all bytes to a blocking descriptor.
    package static func put(_ bytes: [UInt8], into descriptor: Int32) throws(PathFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PathFailure(number: count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Creates a new file with an unpredictable name; it never opens an existing one.
    package static func makeDraft(in folder: OpenFolder) throws(PathFailure) -> (descriptor: Int32, name: String) {
        for _ in 0..<100 {
            let name = draftName()
            let descriptor = openat(
                folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return (descriptor, name) }
            guard errno == EEXIST else { throw PathFailure(number: errno) }
        }
        throw PathFailure(number: EEXIST)
    }

    private static func draftName() -> String { ".dockface-" + String(UInt64.random(in: 0 ... .max), radix: 36) }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns whether all users may read the folder, as with /etc/dockface. Its files must then be readable by all
    /// users, because a service runs as another user.
    private static func isPublic(_ folder: OpenFolder) -> Bool {
        let mode = folder.trust.folder.mode
        return mode & 0o005 == 0o005 && mode & S_ISVTX == 0
    }

    private static func failure(_ verb: String, _ path: String, _ code: Int32) -> DockError {
        failure(verb, path, PathFailure(number: code))
    }

    /// Returns an error with the attempted action, the path and the remedy.
    package static func failure(_ verb: String, _ path: String, _ failure: PathFailure) -> DockError {
        let message = "cannot \(verb) \(path): \(failure.text ?? String(cString: strerror(failure.number)))"
        switch failure.number {
        case EACCES, EPERM, EROFS:
            return DockError(
                .permission, message,
                hint: failure.hint
                    ?? "give this user access to the folder, or choose another with \(UserFolder.variable(of: path))"
            )
        case ENOSPC, EDQUOT, EFBIG: return DockError(.cannotOpen, message, hint: "free some space on that disk")
        default:
            return DockError(
                .cannotOpen, message,
                hint: failure.hint
                    ?? "check that path, or choose another folder with \(UserFolder.variable(of: path))")
        }
    }
}
