internal import Glibc

/// A file that is open for reading, or bytes that are sent like one. A file remains readable if it is deleted meanwhile.
public final class FileSource: Sendable {
    /// The number of bytes that are sent, counted from the beginning.
    public let size: Int
    private let descriptor: Int32
    private let name: String
    private let bytes: [UInt8]

    /// Sends these bytes like a file.
    public init(bytes: [UInt8]) {
        (size, self.bytes) = (bytes.count, bytes)
        (descriptor, name) = (-1, "")
    }

    /// Opens a regular file.
    /// - Throws: `TransportFailure` of kind `file`.
    public convenience init(path: String) throws(TransportFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
        try self.init(descriptor: descriptor, name: path)
    }

    /// Takes an open regular file, and closes it at its end. `name`: for messages.
    /// - Throws: `TransportFailure` of kind `file`.
    public init(descriptor: Int32, name path: String) throws(TransportFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.failure(path, "it is not a regular file")
        }
        (self.descriptor, size, name, bytes) = (descriptor, Int(status.st_size), path, [])
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Fills the buffer from this position on.
    /// - Throws: `TransportFailure` of kind `file`, also if the file has become too short.
    func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) throws(TransportFailure) {
        guard descriptor >= 0 else { return buffer.copyBytes(from: bytes[position...].prefix(buffer.count)) }
        var done = 0
        while done < buffer.count {
            guard let start = buffer.baseAddress else { return }
            let count = pread(descriptor, start + done, buffer.count - done, position + done)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(name, String(cString: strerror(errno))) }
            guard count > 0 else { throw Self.failure(name, "it has become shorter while it was sent") }
            done += count
        }
    }

    private static func failure(_ path: String, _ reason: String) -> TransportFailure {
        TransportFailure(.file, "\(path) cannot be sent: \(reason)", hint: "check the file")
    }
}
