internal import Glibc

/// A folder of its own for a test, which is removed with this object.
public final class TemporaryFolder: Sendable {
    /// Its path. Only this user can read it.
    public let path: String

    /// Creates a folder in `/tmp`, whose path is short enough for sockets. Without one, the path leads nowhere.
    public init() {
        var name = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        path = mkdtemp(&name).map { String(cString: $0) } ?? "/no/such/folder"
    }

    deinit { Self.remove(path) }

    /// Writes a file, and creates the folders above it.
    public func write(_ text: String, to name: String) {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o755)
        }
        guard let file = fopen(path + "/" + name, "we") else { return }
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        fwrite(bytes, 1, bytes.count, file)
    }

    /// Returns the text of a file, or nil if there is none.
    public func text(of name: String) -> String? {
        guard let file = fopen(path + "/" + name, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        // A folder can be opened, but not read.
        return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns the permissions of a file in it, or of the folder itself; nil if there is no such file.
    public func mode(of name: String = "") -> Int? {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 ? Int(status.st_mode & 0o7777) : nil
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { remove(path + "/" + name) }
        }
        closedir(folder)
        rmdir(path)
    }
}
