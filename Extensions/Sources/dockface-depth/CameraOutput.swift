import Codecs
import Dispatch
import DockTypes
import Glibc
import Synchronization

/// Passes pictures to the program that started this one: lines on descriptor 3, pixels on standard output.
///
/// A reader that is slow makes `write` wait, and the pictures of that time are dropped before they are decoded.
final class CameraOutput: Sendable {
    /// The descriptors of the pixels and of the lines.
    static let pixels: Int32 = 1, lines: Int32 = 3

    // Writing may wait for long, which a task must not.
    private let queue = DispatchQueue(label: "camera")
    private let isEnding = Mutex(false)

    /// Checks the descriptors.
    /// - Throws: `configuration` if they are not those of a program that reads a camera.
    init() throws(DockError) {
        for descriptor in [Self.pixels, Self.lines] {
            guard Self.isOutput(descriptor) else {
                throw DockError(
                    .configuration,
                    descriptor == Self.lines
                        ? "descriptor 3 is not open for the times of pictures"
                        : "standard output is a terminal, and the pictures are raw bytes",
                    hint:
                        "start it with `dockface run --camera \"exec:dockface depth camera\"`, or see `dockface depth show`"
                )
            }
            // Waiting is `poll`, so that the end of the program does not have to wait for its reader.
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        // Fewer turns for each picture. A pipe that stays smaller works, too.
        _ = fcntl(Self.pixels, Self.setPipeSize, 1 << 20)
    }

    /// F_SETPIPE_SZ (fcntl(2)), which the Glibc module hides.
    private static let setPipeSize: Int32 = 1031

    private static func isOutput(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY else { return false }
        return [S_IFIFO, S_IFSOCK, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    /// Writes a picture that was exposed at a time, CLOCK_MONOTONIC. Returns false if the reader is gone, or the task is
    /// cancelled.
    func write(_ picture: RGBPicture, time: Double) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                queue.async { done.resume(returning: self.put(picture, time)) }
            }
        } onCancel: {
            isEnding.withLock { $0 = true }
        }
    }

    private func put(_ picture: RGBPicture, _ time: Double) -> Bool {
        let line = "{\"t\":\(time),\"width\":\(picture.width),\"height\":\(picture.height)}\n"
        return put(Array(line.utf8), Self.lines) && put(picture.bytes, Self.pixels)
    }

    private func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent)
            }
            if count > 0 {
                sent += count
                continue
            }
            guard errno == EAGAIN || errno == EINTR, !isEnding.withLock({ $0 }) else { return false }
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&room, 1, 200)
        }
        return true
    }
}
