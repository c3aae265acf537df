internal import CPosix
internal import Glibc

/// The writing end of a reader's bell, which rings for each picture. The reader's descriptor behaves like an eventfd: it
/// is readable until its 8 bytes are read.
public final class PictureBell: Sendable {
    /// The reader's descriptor. It belongs to the creator of the bell.
    public let readEnd: Int32
    private let writeEnd: Int32

    /// Creates a bell. The result is nil if no descriptor is left.
    public init?() {
        var ends: (Int32, Int32) = (-1, -1)
        guard cposix_bell_create(&ends.0, &ends.1) == 0 else { return nil }
        (readEnd, writeEnd) = ends
    }

    deinit { close(writeEnd) }

    /// Rings. Never waits. Returns false if the reader is gone.
    @discardableResult
    public func ring() -> Bool { cposix_bell_ring(writeEnd) }
}
