/// The chunk that messages are added to.
struct OpenChunk: Sendable {
    var records = RecordBytes()
    /// The channels that it describes.
    var channels: Set<Int> = []
    /// Where the messages of each channel are in it.
    private(set) var index: [Int: [(time: UInt64, offset: UInt64)]] = [:]
    private(set) var times: ClosedRange<UInt64> = 0...0

    var isEmpty: Bool { index.isEmpty }

    mutating func add(_ message: RecordBytes, channel: Int, time: UInt64) {
        times = isEmpty ? time...time : min(times.lowerBound, time)...max(times.upperBound, time)
        index[channel, default: []].append((time, UInt64(records.count)))
        records.put(.message, message)
    }
}

/// What the end of a file says of its chunks.
struct MCAPSummary: Sendable {
    /// A chunk, and where it is.
    struct Chunk: Sendable {
        /// The times of its messages, in nanoseconds.
        var times: ClosedRange<UInt64>
        /// Its first byte, and its length.
        var start: UInt64, length: UInt64
        /// The bytes of its records.
        var size: UInt64 = 0
        /// Where the index of each channel is.
        var indexes: [(channel: Int, offset: UInt64)] = []
        /// The bytes of these indexes.
        var indexLength: UInt64 = 0
    }

    var chunks: [Chunk] = []
    /// The messages of each channel.
    var counts: [Int: UInt64] = [:]
    /// The number of records of metadata.
    var metadata: UInt32 = 0

    /// Adds the statistics and the index of the chunks.
    func write(to result: inout RecordBytes, schemas: Int) {
        for chunk in chunks { result.put(.chunkIndex, Self.index(chunk)) }
        var statistics = RecordBytes(), map = RecordBytes()
        statistics.put(counts.values.reduce(0, +))
        statistics.put(UInt16(schemas))
        statistics.put(UInt32(counts.count))
        statistics.put(UInt32(0))
        statistics.put(metadata)
        statistics.put(UInt32(chunks.count))
        statistics.put(chunks.map(\.times.lowerBound).min() ?? 0)
        statistics.put(chunks.map(\.times.upperBound).max() ?? 0)
        for (channel, count) in counts.sorted(by: { $0.key < $1.key }) {
            map.put(UInt16(channel))
            map.put(count)
        }
        statistics.put(list: map)
        result.put(.statistics, statistics)
    }

    private static func index(_ chunk: Chunk) -> RecordBytes {
        var record = RecordBytes(), map = RecordBytes()
        record.put(chunk.times.lowerBound)
        record.put(chunk.times.upperBound)
        record.put(chunk.start)
        record.put(chunk.length)
        for (channel, offset) in chunk.indexes {
            map.put(UInt16(channel))
            map.put(offset)
        }
        record.put(list: map)
        record.put(chunk.indexLength)
        record.put("")
        record.put(chunk.size)
        record.put(chunk.size)
        return record
    }
}
