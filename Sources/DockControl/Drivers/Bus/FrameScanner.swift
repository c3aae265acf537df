/// Bytes of a line on which a frame can begin anywhere: what is no frame is dropped byte by byte, so that a false beginning
/// never costs the good frames behind it.
struct FrameScanner: Sendable {
    /// What stands at the front.
    enum Match: Sendable, Equatable {
        /// It may be a frame; more bytes must come.
        case incomplete
        /// A whole frame of so many bytes.
        case frame(Int)
        /// So many bytes belong to no frame, at least 1.
        case noise(Int)
    }

    /// More bytes than this never wait; the oldest are noise then.
    let capacity: Int
    private var bytes: [UInt8] = []
    /// Bytes that belonged to no frame.
    private(set) var invalidBytes = 0

    init(capacity: Int) {
        self.capacity = capacity
        bytes.reserveCapacity(capacity)
    }

    /// Whether nothing waits.
    var isEmpty: Bool { bytes.isEmpty }

    mutating func reset() { bytes.removeAll(keepingCapacity: true) }

    /// What could not become a frame in the time that it had: its first byte is dropped, and what follows is looked at anew.
    mutating func giveUp(_ match: (UnsafeBufferPointer<UInt8>) -> Match, _ use: (UnsafeBufferPointer<UInt8>) -> Void) {
        while !bytes.isEmpty {
            drop(1)
            scan(match, use)
        }
    }

    /// Takes a byte, and hands on the frames that are whole by it.
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
