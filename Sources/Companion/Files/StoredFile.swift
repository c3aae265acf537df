internal import DockControl
internal import Glibc

/// Small texts on disk: read whole, written so that a reader finds the old one or the new one, never half of one, and that no link
/// of another user leads elsewhere (`PathWalk`).
enum StoredFile {
    /// More than this is none of ours, bytes.
    static let largest = 256 << 10

    /// The text of a file; nil if there is none.
    /// - Throws: `permission`; `configuration` for what is no text of ours; `cannotOpen` for what the disk says.
    static func read(_ path: String) throws(DockError) -> String? {
        // Not blocking: somebody may have put a pipe there.
        try text(of: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path)
    }

    /// The same, in a folder that is held open; a link is no file there.
    static func read(_ place: FilePlace) throws(DockError) -> String? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        return try text(
            of: openat(place.folder.descriptor, place.name, flags), place.folder.path + "/" + place.name)
    }

    /// What is in a file that was just opened, which is closed; nil: there was none.
    private static func text(of descriptor: Int32, _ path: String) throws(DockError) -> String? {
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", path, errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest else {
            throw damaged("\(path) is no file of at most \(largest >> 10) KiB")
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
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged("\(path) is no UTF-8 text") }
        return text
    }

    /// Replaces the text of a file at once, or leaves it as it was; folders that are missing are made, for their owner only.
    static func write(_ text: String, to path: String) throws(DockError) {
        do throws(PathFailure) {
            try replace(FilePlace.find(path, makes: .all), with: Array(text.utf8))
        } catch {
            throw failure("write", path, error)
        }
    }

    /// Puts a file in its place at once: a draft beside it, which takes its name when it is on the disk.
    /// - Parameter mode: its permissions; nil: for its owner only, and for everybody in a folder that everybody may look into.
    static func replace(
        _ place: FilePlace, with bytes: [UInt8], mode: mode_t? = nil
    ) throws(PathFailure) {
        let (descriptor, draft) = try makeDraft(in: place.folder)
        defer { close(descriptor) }
        do throws(PathFailure) {
            try put(bytes, into: descriptor)
            if let mode = mode ?? (isPublic(place.folder) ? 0o644 : nil) { fchmod(descriptor, mode) }
            // The text must be on the disk before its name is, or a power cut leaves an empty file.
            guard fsync(descriptor) == 0,
                renameat(place.folder.descriptor, draft, place.folder.descriptor, place.name) == 0
            else { throw PathFailure(number: errno) }
        } catch {
            unlinkat(place.folder.descriptor, draft, 0)
            throw error
        }
        place.folder.synchronise()
    }

    /// Makes sure that there is a file, with a short text if there is room for it, and empty if not: never with its old text.
    /// - Throws: where there cannot even be an empty one.
    static func make(_ place: FilePlace, saying text: String) throws(PathFailure) {
        let bytes = Array(text.utf8), flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = openat(place.folder.descriptor, place.name, flags | O_CREAT | O_EXCL, 0o600)
        if descriptor < 0 {
            guard errno == EEXIST else { throw PathFailure(number: errno) }
            if (try? replace(place, with: bytes)) != nil { return }
            descriptor = openat(place.folder.descriptor, place.name, flags | O_TRUNC)
            // Whatever has that name, it is there.
            guard descriptor >= 0 else { return }
        }
        // At once, and in its place: whoever is killed now has said why.
        _ = Glibc.write(descriptor, bytes, bytes.count)
        if isPublic(place.folder) { fchmod(descriptor, 0o644) }
        fsync(descriptor)
        close(descriptor)
        place.folder.synchronise()
    }

    /// Whether a file could be written, tried with one of another name beside it, or where its folder would be made; nothing
    /// stays behind.
    /// - Throws: as `write`.
    static func probe(_ path: String) throws(DockError) {
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

    /// Whether a folder that is missing could be made, tried with one of another name where the first missing one would be.
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

    /// Removes a file; one that is not there is gone already. A link is removed itself.
    static func remove(_ path: String) throws(DockError) {
        do throws(PathFailure) {
            try remove(FilePlace.find(path, followsLast: false))
        } catch {
            if error.number != ENOENT { throw failure("remove", path, error) }
        }
    }

    /// The same, in a folder that is held open.
    static func remove(_ place: FilePlace) throws(PathFailure) {
        guard unlinkat(place.folder.descriptor, place.name, 0) == 0 else {
            let number = errno
            // A disk that cannot be written to says so before it has looked.
            var status = stat()
            let isThere = fstatat(place.folder.descriptor, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0
            if number == ENOENT || !isThere && errno == ENOENT { return }
            throw PathFailure(number: number)
        }
        place.folder.synchronise()
    }

    /// The names in a folder, in order; none if there is no such folder.
    static func names(in folder: String) throws(DockError) -> [String] {
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

    /// A file that was not written by this program, or was changed since.
    static func damaged(_ what: String) -> DockError {
        DockError(.configuration, what, hint: "mend it or move it away; until then nothing is written over it")
    }

    // MARK: parts

    /// Writes everything to a descriptor that blocks.
    static func put(_ bytes: [UInt8], into descriptor: Int32) throws(PathFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PathFailure(number: count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// A new file with a name that nobody can guess; it opens nothing that is there already.
    static func makeDraft(in folder: OpenFolder) throws(PathFailure) -> (descriptor: Int32, name: String) {
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

    /// What everybody may look into, as /etc/dockface, holds what everybody may read: a service runs as another user.
    private static func isPublic(_ folder: OpenFolder) -> Bool {
        let mode = folder.trust.folder.mode
        return mode & 0o005 == 0o005 && mode & S_ISVTX == 0
    }

    private static func failure(_ verb: String, _ path: String, _ code: Int32) -> DockError {
        failure(verb, path, PathFailure(number: code))
    }

    /// As an error for people: what was tried, where, and what to do.
    static func failure(_ verb: String, _ path: String, _ failure: PathFailure) -> DockError {
        let message = "cannot \(verb) \(path): \(failure.text ?? String(cString: strerror(failure.number)))"
        switch failure.number {
        case EACCES, EPERM, EROFS:
            return DockError(
                .permission, message,
                hint: failure.hint
                    ?? "give this user the folder, or choose another with \(UserFolder.variable(of: path))")
        case ENOSPC, EDQUOT, EFBIG: return DockError(.cannotOpen, message, hint: "make room on that disk")
        default:
            return DockError(
                .cannotOpen, message,
                hint: failure.hint
                    ?? "look at that path, or choose another folder with \(UserFolder.variable(of: path))")
        }
    }
}
