internal import Glibc

/// A file that a person wrote.
public enum UserFile {
    /// Whether it is a path, and no name: it has a slash, or ends in .toml.
    public static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.contains("/") || nameOrPath.hasSuffix(".toml")
    }

    /// The text of a file.
    /// - Throws: `FileError`, which says why it cannot be read.
    static func text(of path: String) throws(FileError) -> String {
        if let text = contents(of: path) { return text }
        let reason =
            switch errno {
            case EINVAL: "it is no regular file"
            case EFBIG: "it is larger than 1 MiB"
            default: String(cString: strerror(errno))
            }
        throw FileError(problems: [FileProblem(file: path, text: "cannot be read: \(reason)")])
    }

    /// The text of a regular file of at most 1 MiB; nil with errno: `EINVAL` where it is another kind (a FIFO that
    /// nobody writes to would never end), `EFBIG` where it is larger.
    static func contents(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fdopen(descriptor, "r")
        else {
            let reason = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
            close(descriptor)
            errno = reason
            return nil
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 {
                if ferror(file) != 0 { return nil }
                break
            }
            bytes += chunk[..<count]
            guard bytes.count <= 1 << 20 else {
                errno = EFBIG
                return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names of what is in a folder, in order; none where it cannot be read.
    static func files(in folder: String) -> [String] { (try? StoredFile.names(in: folder)) ?? [] }
}
