internal import Glibc
internal import Synchronization

/// A file with a text, removed on deinit.
public final class TemporaryFile {
    /// Its path.
    public let path: String

    /// Writes a text to a new file whose name has this ending.
    public init(_ text: String, _ ending: String = "") throws {
        var template = Array("/tmp/dockface-test-XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&template, Int32(ending.utf8.count))
        guard descriptor >= 0 else { throw SupportError("no temporary file", errno: errno) }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SupportError("\(path)", errno: errno) }
    }

    deinit { unlink(path) }

    private static let count = Atomic<Int>(0)

    /// A path where no file is yet: a different one at each call, since tests run side by side.
    public static func freePath(_ name: String) -> String {
        "/tmp/dockface-test-\(getpid())-\(count.wrappingAdd(1, ordering: .relaxed).newValue)-\(name)"
    }

    /// The text of a file; nil if it cannot be read.
    public static func text(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
