internal import CPosix
public import DockTypes
public import Geometry
internal import Glibc
public import PictureShare

/// The camera's pictures, as a program that works sequentially sees them: always the newest. It belongs to one thread.
public final class Pictures {
    /// Reads the pictures' pixels.
    public let reader: PictureReader
    /// A descriptor that becomes readable for each picture, for a program that waits for other things too.
    public let descriptor: Int32
    /// A descriptor that ends the wait when it becomes readable; -1 if there is none.
    public var interrupt: Int32 = -1
    private var last = 0
    /// The connection, whose end would close the pictures.
    private let client: ControlClient

    init(_ reader: PictureReader, bell: Int32, of client: ControlClient) {
        (self.reader, descriptor, self.client) = (reader, bell, client)
    }

    deinit { close(descriptor) }

    /// Returns the newest picture that has not been returned yet, and waits for it. The result is nil if `timeout`
    /// seconds have passed, or if `interrupt` ended the wait.
    /// - Throws: `notConnected` if no picture will follow: the camera or the daemon has ended, or the size of the
    ///   pictures has changed. Then open them again.
    public func next(timeout: Seconds? = nil) throws(DockError) -> SharedPicture? {
        let deadline = timeout.map { cposix_monotonic_now() + $0 }
        while true {
            if let picture = reader.newest(after: last) {
                last = picture.number
                return picture
            }
            guard !reader.hasEnded else { throw Self.over }
            let left = deadline.map { max(0, $0 - cposix_monotonic_now()) }
            var waits = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waits, 2, left.map { Int32(min(($0 * 1000).rounded(.up), 1e9)) } ?? -1)
            if waits[1].revents != 0 { return nil }
            if ready == 0, left != nil { return nil }
            // Taken before the look at the newest picture, so that none is missed.
            var count: UInt64 = 0
            let isRung = read(descriptor, &count, 8) > 0
            if !isRung, waits[0].revents & Int16(POLLHUP) != 0 {
                // The daemon ends each share before it hangs up, unless it was killed.
                if let picture = reader.newest(after: last) {
                    last = picture.number
                    return picture
                }
                throw Self.over
            }
        }
    }

    static let over = DockError(
        .notConnected, "no picture will follow: the camera has ended, or the size of its pictures has changed",
        hint: "open the pictures again")
}
