internal import Glibc

/// A file that a person wrote.
public enum UserFile {
    /// Returns whether it is a path, not a name: it contains a slash or ends in .toml.
    public static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.contains("/") || nameOrPath.hasSuffix(".toml")
    }

    /// Returns the text of a file of at most `largest` bytes.
    /// - Throws: `FileError` with the reason why it cannot be read.
    public static func text(of path: String, atMost largest: Int = largest) throws(FileError) -> String {
        if let text = contents(of: path, atMost: largest) { return text }
        let reason =
            switch errno {
            case EINVAL: "it is not a regular file"
            case EFBIG: "it is larger than \(largest >> 10) KiB"
            default: String(cString: strerror(errno))
            }
        throw FileError(problems: [FileProblem(file: path, text: "cannot be read: \(reason)")])
    }

    /// The size limit of a file, in bytes. A profile has about 5 KiB. The TOML parser's time grows with the square of
    /// the number of keys, and a stop must not wait for it.
    public static let largest = 128 << 10

    /// Returns the text of a regular file of at most `largest` bytes. On failure, the result is nil and errno is set:
    /// `EINVAL` if it is not a regular file (reading a FIFO without a writer would never end), `EFBIG` if it is larger.
    public static func contents(of path: String, atMost largest: Int = largest) -> String? {
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
            guard bytes.count <= largest else {
                errno = EFBIG
                return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the sorted names in a folder; empty if it cannot be read.
    public static func files(in folder: String) -> [String] { (try? StoredFile.names(in: folder)) ?? [] }
}
