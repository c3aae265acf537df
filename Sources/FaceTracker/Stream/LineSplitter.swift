import Glibc

/// Splits a stream of bytes into lines of at most 64 KiB. A longer line is dropped while it arrives, and never kept.
struct LineSplitter: Sendable {
    /// The text between two line ends.
    enum Piece: Equatable {
        /// A range of `bytes`, without the line end. It is valid until the next call.
        case line(Range<Int>)
        /// A line was longer than the limit.
        case oversize
    }

    /// The longest line, without its end.
    static let maximumLine = 65_536
    /// The maximum number of bytes that are kept if the owner adds bytes without taking lines.
    static let maximumKept = 1 << 20

    private(set) var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var isSkipping = false

    /// Whether bytes wait for their line end.
    var hasRemainder: Bool { start < bytes.count && !isSkipping }

    /// Accepts bytes. Ranges that were returned earlier are invalid after this.
    mutating func feed(_ new: UnsafeRawBufferPointer) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
        } else if start > 0 {
            bytes.removeSubrange(0..<start)
        }
        searched -= start
        start = 0
        if bytes.count + new.count > Self.maximumKept {
            bytes.removeAll(keepingCapacity: true)
            searched = 0
            isSkipping = true
        }
        bytes.append(contentsOf: new)
    }

    /// Returns the next complete line, or nil if more bytes are needed.
    mutating func next() -> Piece? {
        while let end = lineEnd() {
            let line = start..<end
            start = end + 1
            searched = start
            if isSkipping {
                isSkipping = false
                continue
            }
            return line.count > Self.maximumLine ? .oversize : .line(line)
        }
        searched = bytes.count
        if isSkipping {
            start = bytes.count
        } else if bytes.count - start > Self.maximumLine {
            start = bytes.count
            isSkipping = true
            return .oversize
        }
        return nil
    }

    private func lineEnd() -> Int? {
        guard searched < bytes.count else { return nil }
        return bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, let found = memchr(base + searched, 0x0A, all.count - searched) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }
}
