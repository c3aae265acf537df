internal import Geometry

/// When to log that chunks are deleted because there is no room, or because they are too old: the first, and then
/// once an hour, because a folder that is full loses one with each new chunk. Pure.
struct DeletionNews: Sendable, Equatable {
    /// The time between two lines, in seconds (1 h).
    static let period: Seconds = 3600

    private var count = 0
    private var bytes = 0
    private var saidAt: Seconds = -.infinity

    /// Counts deleted chunks. Returns the line to say, or nil.
    mutating func add(_ entries: [ChunkEntry], now: Seconds) -> String? {
        count += entries.count
        bytes += entries.reduce(0) { $0 + $1.bytes }
        guard count > 0, now - saidAt >= Self.period else { return nil }
        defer { (count, bytes, saidAt) = (0, 0, now) }
        return "deleted the oldest \(count == 1 ? "recording" : "\(count) recordings"), \(ByteSize.words(bytes))"
    }
}
