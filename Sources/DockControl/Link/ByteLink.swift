/// Result of a read from a link.
public enum LinkRead: Sendable, Equatable {
    /// This many bytes.
    case bytes(Int)
    /// No bytes at the moment.
    case nothing
    /// The other side is gone: unplugged, or the pty's master was closed.
    case hangUp
}

/// A byte stream to a dock. One owner: the loop thread. No call waits, except `writeLast`, which is bounded.
public protocol ByteLink: AnyObject {
    /// For `poll`.
    var descriptor: Int32 { get }
    /// Name in messages.
    var name: String { get }
    /// Whether real hardware may be connected (arming, real-time priority).
    var isHardware: Bool { get }

    /// Reads the bytes that are available.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead
    /// Writes what the kernel takes at once. Returns false if some of it was not taken (the rest is dropped: newest wins) or the
    /// link is gone.
    func write(_ bytes: [UInt8]) -> Bool
    /// Bytes that the kernel holds and the device has not taken.
    var queued: Int { get }
    /// If more bytes than this wait, the line is slower than the daemon.
    var mostQueued: Int { get }
    /// Discards what was written and not sent yet, then writes `bytes`, waiting at most `within` seconds. For the stop.
    func writeLast(_ bytes: [UInt8], within: Double) -> Bool
    /// Restores the port as it was found, and closes it. Idempotent.
    func close()
}

extension ByteLink {
    /// About two set-points.
    public var mostQueued: Int { 64 }
}
