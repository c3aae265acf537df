internal import ControlProtocol
public import DockTypes
internal import CPosix
internal import Glibc
public import PictureShare
internal import Processes

/// The camera's pictures, always the newest. While it exists, the robot's screen says that a program sees its pictures.
///
/// The pixels of a picture are in memory that the daemon writes: `read` and `copy` of `reader` return nil if a picture
/// was overtaken meanwhile. Read it in the loop, and copy what is kept.
///
/// ```swift
/// let pictures = try await dock.pictures()
/// for try await picture in pictures {
///     guard let pixels = pictures.reader.copy(picture) else { continue }
/// }
/// ```
public struct DockPictures: AsyncSequence {
    /// One picture.
    public typealias Element = SharedPicture

    /// Reads the pictures' pixels.
    public let reader: PictureReader
    private let bell: PictureBellWatch
    /// The connection lasts as long as its pictures.
    private let dock: Dock

    init(_ reader: PictureReader, bell: PictureBellWatch, dock: Dock) {
        (self.reader, self.bell, self.dock) = (reader, bell, dock)
    }

    /// Returns an iterator. Use one at a time.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, bell: bell, dock: dock) }

    /// The pictures, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: PictureReader
        let bell: PictureBellWatch
        let dock: Dock
        private var last = 0

        init(reader: PictureReader, bell: PictureBellWatch, dock: Dock) {
            (self.reader, self.bell, self.dock) = (reader, bell, dock)
        }

        /// Returns the newest picture that was not returned before; nil if the task was cancelled.
        /// - Throws: `notConnected` if no picture will follow: the camera or the daemon has ended, or the size of the
        ///   pictures has changed. Then open them again.
        public mutating func next() async throws(DockError) -> SharedPicture? {
            while true {
                let isOver = bell.isOver
                if let picture = reader.newest(after: last) {
                    last = picture.number
                    dock.beat()
                    return picture
                }
                guard !isOver, !reader.hasEnded else { throw Pictures.over }
                guard await bell.wait() else { return nil }
            }
        }
    }
}

/// The bell of one opening of pictures, which the connection's thread watches.
final class PictureBellWatch: Sendable {
    let descriptor: Int32
    private let state = Locked((rings: 0, isOver: false))
    private let waiters = Waiters()

    /// Takes over the descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether no ring will follow.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Reads the bell, on the thread.
    func rang() {
        var count: UInt64 = 0
        let isOver = read(descriptor, &count, 8) == 0
        state.withLock { state in
            state.rings += 1
            state.isOver = state.isOver || isOver
        }
        waiters.wake()
    }

    func finish() {
        state.withLock { $0.isOver = true }
        waiters.wake()
    }

    /// Waits for a ring since the last wait. Returns false if the task was cancelled.
    func wait() async -> Bool {
        let isGoing = await waiters.wait(unless: { state.withLock { $0.rings > 0 || $0.isOver } })
        state.withLock { $0.rings = 0 }
        return isGoing
    }
}

extension Dock {
    /// Opens the camera's pictures; what this connection had open before is closed.
    /// - Parameters:
    ///   - maximumWidth: the largest width, in pixels, or nil for the width that detectors get.
    ///   - format: the format of the pixels, or nil for any.
    /// - Throws: `notSupported` if the daemon has no camera or no such pictures, `notConnected` if its camera delivers
    ///   none, `busy` if there are too many readers, `protocolError`.
    public func pictures(
        maximumWidth: Int? = nil, format: PictureFormat? = nil
    ) async throws(DockError) -> sending DockPictures {
        var parameters: [String: JSONValue] = [:]
        if let maximumWidth { parameters["maximumWidth"] = .number(maximumWidth) }
        if let format { parameters["format"] = .string(format.rawValue) }
        // A camera that is starting may take a while.
        let answer = try await core.call("openPictures", parameters, timeout: 12, feature: "pictures")
        guard let (memory, bell) = answer.descriptors?.take() else {
            throw DockError(.protocolError, "\(path) sent no pictures with its answer", hint: "update dockface")
        }
        defer { Glibc.close(memory) }
        let watch = PictureBellWatch(bell)
        do throws(ShareFailure) {
            let reader = try PictureReader(memory)
            core.add(watch)
            return DockPictures(reader, bell: watch, dock: self)
        } catch {
            throw DockError(.protocolError, error.description, hint: "update dockface")
        }
    }

    /// Closes the pictures.
    public func closePictures() async throws(DockError) { _ = try await call("closePictures") }
}
