/// The result of a read from a link.
public enum LinkRead: Sendable, Equatable {
    /// This many bytes were read.
    case bytes(Int)
    /// No bytes at the moment.
    case nothing
    /// The other side is gone: the device was unplugged, or the pty's master was closed.
    case hangUp
}

/// A byte stream to a dock. Its one owner is the loop thread. No call waits, except `writeLast`, whose wait is bounded.
public protocol ByteLink: AnyObject {
    /// The descriptor for `poll`.
    var descriptor: Int32 { get }
    /// The name for messages.
    var name: String { get }
    /// Whether real hardware may be connected. This affects arming and real-time priority.
    var isHardware: Bool { get }

    /// Reads the bytes that are available.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead
    /// Writes what the kernel accepts at once. Returns false if it did not accept everything or if the link is gone.
    /// The rest is dropped: the newest bytes win.
    func write(_ bytes: [UInt8]) -> Bool
    /// The number of bytes that the kernel holds and that the device has not received.
    var queued: Int { get }
    /// The number of waiting bytes above which the line counts as slower than the daemon.
    var mostQueued: Int { get }
    /// Discards what was written and not sent yet, then writes `bytes`, waiting at most `within` seconds. Used for the
    /// stop.
    func writeLast(_ bytes: [UInt8], within: Double) -> Bool
    /// Restores the port's original settings, and closes it. Idempotent.
    func close()
}

extension ByteLink {
    /// The length of about two set-points.
    public var mostQueued: Int { 64 }
}
