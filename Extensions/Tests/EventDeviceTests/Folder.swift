import Glibc

/// A folder of its own for a test, removed at its end.
final class Folder: Sendable {
    let path: String

    init() {
        var name = Array("/tmp/pad-test-XXXXXX".utf8CString)
        path = mkdtemp(&name).map { String(cString: $0) } ?? "/no/such/folder"
    }

    deinit { remove(path) }

    private func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(folder)
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// Writes a file, with the folders above it.
    func add(_ name: String, _ text: String = "") {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o755)
        }
        guard let file = fopen(path + "/" + name, "w") else { return }
        fputs(text, file)
        fclose(file)
    }
}

/// A value that a closure reads and a test changes.
final class Box<Value>: @unchecked Sendable {
    // Unchecked: used by one thread, or set before another begins.
    var value: Value
    init(_ value: Value) { self.value = value }
}
