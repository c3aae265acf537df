/// What a read from a link found.
public enum LinkRead: Sendable, Equatable {
    /// So many bytes.
    case bytes(Int)
    /// Nothing there at the moment.
    case nothing
    /// The other side is gone: unplugged, or the pty's master closed.
    case hangUp
}

/// A byte stream to a dock. One owner: the loop thread. Nothing in it waits, except `writeLast`, which is bounded.
public protocol ByteLink: AnyObject {
    /// For `poll`.
    var descriptor: Int32 { get }
    /// What it is called in messages.
    var name: String { get }
    /// Whether real hardware may hang on it (arming, real-time priority).
    var isHardware: Bool { get }

    /// Reads what is there.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead
    /// Writes what the kernel takes at once; false if not all of it went (the rest is dropped: newest wins) or the link is gone.
    func write(_ bytes: [UInt8]) -> Bool
    /// Bytes that the kernel holds and the device has not taken.
    var queued: Int { get }
    /// More than this waiting is a line that is slower than we are.
    var mostQueued: Int { get }
    /// Discards what was written and not yet sent, then writes `bytes`, waiting at most `within` seconds. For the stop.
    func writeLast(_ bytes: [UInt8], within: Double) -> Bool
    /// Gives the port back as it was found. Idempotent.
    func close()
}

extension ByteLink {
    /// A set-point or two.
    public var mostQueued: Int { 64 }
}
