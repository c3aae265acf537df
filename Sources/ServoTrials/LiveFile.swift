internal import DockControl
internal import DockTypes
internal import Glibc

/// A temporary file for another process; deleted when this is released.
final class LiveFile {
    let path: String

    /// Writes the file.
    /// - Throws: `DockError` if it cannot be written.
    init(_ text: String, ending: String) throws(DockError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/servo-trials-XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&template, Int32(ending.utf8.count))
        let isOpen = descriptor >= 0
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Array(text.utf8)
        let isWritten = isOpen && write(descriptor, bytes, bytes.count) == bytes.count
        let reason = String(cString: strerror(errno))
        if isOpen { close(descriptor) }
        guard isWritten else {
            if isOpen { unlink(path) }
            throw DockError(
                .configuration, "cannot write a file in \(folder): \(reason)",
                hint: "free some space there, or set TMPDIR")
        }
    }

    deinit { unlink(path) }
}
