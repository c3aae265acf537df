/// Finds frames on a line where a frame can begin anywhere. Bytes that belong to no frame are dropped one by one, so
/// that a false beginning never costs the valid frames after it.
struct FrameScanner: Sendable {
    /// The classification of the bytes at the front.
    enum Match: Sendable, Equatable {
        /// Possibly a frame; more bytes are needed.
        case incomplete
        /// A whole frame of this many bytes.
        case frame(Int)
        /// This many bytes, at least 1, belong to no frame.
        case noise(Int)
    }

    /// The maximum number of waiting bytes. Beyond that, the oldest ones are noise.
    let capacity: Int
    private var bytes: [UInt8] = []
    /// The number of bytes that belonged to no frame.
    private(set) var invalidBytes = 0

    init(capacity: Int) {
        self.capacity = capacity
        bytes.reserveCapacity(capacity)
    }

    /// Whether no bytes wait.
    var isEmpty: Bool { bytes.isEmpty }

    mutating func reset() { bytes.removeAll(keepingCapacity: true) }

    /// Gives up a frame that was not completed in time: drops its first byte and scans the rest again.
    mutating func giveUp(_ match: (UnsafeBufferPointer<UInt8>) -> Match, _ use: (UnsafeBufferPointer<UInt8>) -> Void) {
        while !bytes.isEmpty {
            drop(1)
            scan(match, use)
        }
    }

    /// Adds a byte, and passes on the frames that it completes.
    mutating func push(
        _ byte: UInt8, _ match: (UnsafeBufferPointer<UInt8>) -> Match, _ use: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        if bytes.count >= capacity { drop(1) }
        bytes.append(byte)
        scan(match, use)
    }

    private mutating func scan(
        _ match: (UnsafeBufferPointer<UInt8>) -> Match, _ use: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        while !bytes.isEmpty {
            switch bytes.withUnsafeBufferPointer(match) {
            case .incomplete: return
            case .noise(let count): drop(min(max(count, 1), bytes.count))
            case .frame(let count):
                bytes.withUnsafeBufferPointer { use(UnsafeBufferPointer(rebasing: $0[..<min(count, $0.count)])) }
                bytes.removeFirst(min(count, bytes.count))
            }
        }
    }

    private mutating func drop(_ count: Int) {
        invalidBytes += count
        bytes.removeFirst(count)
    }
}
