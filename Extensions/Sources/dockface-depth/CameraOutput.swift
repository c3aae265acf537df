import Codecs
import DepthStream
import Dispatch
import DockTypes
import Glibc
import Synchronization

/// Passes pictures to the program that started this one, as Matroska on standard output. They stay compressed.
///
/// A reader that is slow makes `write` wait, and the pictures of that time are dropped before they are decoded.
final class CameraOutput: Sendable {
    private struct Shape: Equatable {
        var width = 0, height = 0
    }

    // Writing may wait for long, which a task must not.
    private let queue = DispatchQueue(label: "camera")
    private let isEnding = Mutex(false)
    /// The size of the stream's pictures, which cannot change.
    private let shape = Mutex<Shape?>(nil)

    private static let output: Int32 = 1

    /// Checks standard output.
    /// - Throws: `configuration` if it is not that of a program that reads a camera.
    init() throws(DockError) {
        guard Self.isOutput else {
            throw DockError(
                .configuration, "standard output is a terminal, and the pictures are raw bytes",
                hint: "use `dockface run --camera \"exec:dockface depth camera\"`, or `dockface depth show`")
        }
        // Waiting is `poll`, so that the end of the program does not have to wait for its reader.
        _ = fcntl(Self.output, F_SETFL, fcntl(Self.output, F_GETFL) | O_NONBLOCK)
    }

    private static var isOutput: Bool {
        var status = stat()
        guard fstat(output, &status) == 0, fcntl(output, F_GETFL) & O_ACCMODE != O_RDONLY else { return false }
        return [S_IFIFO, S_IFSOCK, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    /// What has become of a picture.
    enum Outcome {
        case written
        /// The pictures have another size now, which needs a new stream.
        case resized
        /// The reader is gone, or the task is cancelled.
        case ended
    }

    /// Writes a picture.
    func write(_ frame: DepthFrame) async -> Outcome {
        let new = Shape(width: frame.picture.width, height: frame.picture.height)
        let stream = MatroskaPictures(.jpeg, width: new.width, height: new.height)
        let isFirst = shape.withLock { shape in
            defer { shape = shape ?? new }
            return shape == nil
        }
        guard shape.withLock({ $0 == new }) else { return .resized }
        let bytes = (isFirst ? stream.head : []) + stream.picture(frame.packet.jpeg, at: frame.facts.exposure)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                queue.async { done.resume(returning: self.put(bytes) ? .written : .ended) }
            }
        } onCancel: {
            isEnding.withLock { $0 = true }
        }
    }

    private func put(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(Self.output, $0.baseAddress.map { $0 + sent }, $0.count - sent)
            }
            if count > 0 {
                sent += count
                continue
            }
            guard errno == EAGAIN || errno == EINTR, !isEnding.withLock({ $0 }) else { return false }
            var room = pollfd(fd: Self.output, events: Int16(POLLOUT), revents: 0)
            _ = poll(&room, 1, 200)
        }
        return true
    }
}
