internal import DockControl
internal import Glibc

/// Small texts on disk: read whole, written so that a reader finds the old one or the new one, never half of one.
enum StoredFile {
    /// More than this is none of ours, bytes.
    static let largest = 256 << 10

    /// The text of a file; nil if there is none.
    /// - Throws: `permission`; `configuration` for what is no text of ours; `cannotOpen` for what the disk says.
    static func read(_ path: String) throws(DockError) -> String? {
        // Not blocking: somebody may have put a pipe there.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
        try makeFolder(folder(of: path))
        // A link stays a link: what it leads to is replaced.
        let target = realPath(of: path) ?? path
        var template = Array("\(folder(of: target))/.dockface-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("write", path, errno) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(DockError) {
            try write(Array(text.utf8), to: descriptor, path)
            if isPublic(folder(of: target)) { fchmod(descriptor, 0o644) }
            // The text must be on the disk before its name is, or a power cut leaves an empty file.
            guard fsync(descriptor) == 0, rename(template, target) == 0 else { throw failure("write", path, errno) }
        } catch {
            unlink(template)
            throw error
        }
        syncFolder(of: target)
    }

    /// Whether a file could be written, tried with one of another name beside it, or where its folder would be made; nothing
    /// stays behind.
    /// - Throws: as `write`.
    static func probe(_ path: String) throws(DockError) {
        let target = realPath(of: path) ?? path
        var place = folder(of: target)
        while access(place, F_OK) != 0, errno == ENOENT, place != "/", place != "." { place = folder(of: place) }
        var template = Array("\(place)/.dockface-XXXXXX".utf8CString)
        if place == folder(of: target) {
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw failure("write", path, errno) }
            close(descriptor)
            unlink(template)
        } else {
            guard mkdtemp(&template) != nil else { throw failure("make the folder", folder(of: target), errno) }
            rmdir(template)
        }
    }

    /// Removes a file; one that is not there is gone already.
    static func remove(_ path: String) throws(DockError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path, errno) }
        syncFolder(of: path)
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

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(DockError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path, errno) }
            rest = rest.dropFirst(count)
        }
    }

    private static func makeFolder(_ path: String) throws(DockError) {
        guard !path.isEmpty, mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, path.contains("/") else { throw failure("make the folder", path, errno) }
        try makeFolder(folder(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make the folder", path, errno) }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What everybody may look into, as /etc/dockface, holds what everybody may read: a service runs as another user.
    private static func isPublic(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & 0o005 == 0o005 && status.st_mode & S_ISVTX == 0
    }

    private static func syncFolder(of path: String) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ verb: String, _ path: String, _ code: Int32) -> DockError {
        let message = "cannot \(verb) \(path): \(String(cString: strerror(code)))"
        switch code {
        case EACCES, EPERM, EROFS:
            return DockError(
                .permission, message,
                hint: "give this user the folder, or choose another with XDG_CONFIG_HOME or XDG_DATA_HOME")
        case ENOSPC, EDQUOT: return DockError(.cannotOpen, message, hint: "make room on that disk")
        default:
            return DockError(
                .cannotOpen, message,
                hint: "look at that path, or choose another folder with XDG_CONFIG_HOME or XDG_DATA_HOME")
        }
    }
}
