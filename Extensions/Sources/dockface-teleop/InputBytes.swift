internal import Dispatch
internal import Glibc

/// Reads standard input without holding up a thread that others need.
enum InputBytes {
    private static let queue = DispatchQueue(label: "standard input")
    /// How long it waits for bytes before it looks whether the program ends, in milliseconds.
    private static let patience: Int32 = 100
    private static let most = 4096

    /// Returns the next bytes, none if there were none for a moment, or nil at the end.
    static func next() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: read()) }
        }
    }

    private static func read() -> [UInt8]? {
        var wait = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, patience) != 0 else { return [] }
        var chunk = [UInt8](repeating: 0, count: most)
        let count = Glibc.read(0, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(chunk[..<count]) : nil
    }
}
