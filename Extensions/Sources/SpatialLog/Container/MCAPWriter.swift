/// A file in the format MCAP (mcap.dev/spec) as a pure value: it receives messages, and returns the bytes to append.
///
/// Messages are gathered in chunks. Each chunk has the schemas and channels of its messages and its own checksum, so a
/// file that lacks its end can be read up to its last whole chunk. Chunks are not compressed: pictures are already.
public struct MCAPWriter: Sendable {
    /// A kind of messages at one topic.
    public struct Channel: Sendable, Equatable {
        /// The topic, such as `/camera/image`.
        public var topic: String
        /// The name of the schema, such as `foxglove.CompressedImage`.
        public var schema: String
        /// The schema itself: an encoded FileDescriptorSet.
        public var descriptors: [UInt8]

        /// Creates a channel of Protobuf messages.
        public init(topic: String, schema: String, descriptors: [UInt8]) {
            (self.topic, self.schema, self.descriptors) = (topic, schema, descriptors)
        }
    }

    private let library: String
    private let channels: [Channel]
    /// The name of each schema, once; its number in the file is its place, counted from 1.
    private let schemas: [String]
    private var open = OpenChunk()
    private var summary = MCAPSummary()
    /// The bytes returned so far, and their checksum.
    private var position: UInt64 = 0, checksum = Checksum()
    private var sequences: [UInt32]

    /// Creates a file with these channels; messages name them by their place.
    /// - Parameter library: the program that writes it.
    public init(library: String, channels: [Channel]) {
        (self.library, self.channels) = (library, channels)
        var names: [String] = []
        for channel in channels where !names.contains(channel.schema) { names.append(channel.schema) }
        schemas = names
        sequences = Array(repeating: 0, count: channels.count)
    }

    /// The bytes of the messages that wait for the end of their chunk.
    public var waiting: Int { open.records.count }
    /// The messages of all finished chunks.
    public var messages: UInt64 { summary.counts.values.reduce(0, +) }
    /// The number of finished chunks.
    public var chunks: Int { summary.chunks.count }

    // MARK: the file

    /// Returns the beginning of the file.
    /// - Parameter metadata: facts about the recording, for people.
    public mutating func begin(_ metadata: [(key: String, value: String)]) -> [UInt8] {
        var result = RecordBytes(), header = RecordBytes()
        result.put(raw: MCAPRecord.magic)
        header.put("")
        header.put(library)
        result.put(.header, header)
        var facts = RecordBytes(), map = RecordBytes()
        for (key, value) in metadata {
            map.put(key)
            map.put(value)
        }
        facts.put("recording")
        facts.put(list: map)
        result.put(.metadata, facts)
        summary.metadata = 1
        return taken(result)
    }

    /// Adds a message to the open chunk.
    /// - Parameters:
    ///   - channel: the place of its channel.
    ///   - time: when it was true, in nanoseconds since 1970.
    ///   - published: when it was written, in nanoseconds since 1970.
    public mutating func put(_ channel: Int, time: UInt64, published: UInt64, _ data: [UInt8]) {
        if !open.channels.contains(channel) { announce(channel) }
        var message = RecordBytes()
        message.put(UInt16(channel))
        message.put(sequences[channel])
        message.put(time)
        message.put(published)
        message.put(raw: data)
        sequences[channel] &+= 1
        open.add(message, channel: channel, time: time)
    }

    private mutating func announce(_ channel: Int) {
        let known = open.channels.map { channels[$0].schema }
        if !known.contains(channels[channel].schema) {
            open.records.put(.schema, schema(schemas.firstIndex(of: channels[channel].schema) ?? 0))
        }
        open.records.put(.channel, description(channel))
        open.channels.insert(channel)
    }

    /// Ends the open chunk. Returns its bytes with its index, or nil if it has no messages.
    public mutating func chunk() -> [UInt8]? {
        guard !open.isEmpty else { return nil }
        var result = RecordBytes(), content = RecordBytes()
        content.put(open.times.lowerBound)
        content.put(open.times.upperBound)
        content.put(UInt64(open.records.count))
        content.put(Checksum.of(open.records.bytes))
        content.put("")
        content.put(UInt64(open.records.count))
        content.put(raw: open.records.bytes)
        result.put(.chunk, content)
        var entry = MCAPSummary.Chunk(times: open.times, start: position, length: UInt64(result.count))
        entry.size = UInt64(open.records.count)
        for (channel, entries) in open.index.sorted(by: { $0.key < $1.key }) {
            entry.indexes.append((channel, position + UInt64(result.count)))
            var index = RecordBytes(), list = RecordBytes()
            for one in entries.sorted(by: { $0.time < $1.time }) {
                list.put(one.time)
                list.put(one.offset)
            }
            index.put(UInt16(channel))
            index.put(list: list)
            result.put(.messageIndex, index)
            summary.counts[channel, default: 0] += UInt64(entries.count)
        }
        entry.indexLength = UInt64(result.count) - entry.length
        summary.chunks.append(entry)
        open = OpenChunk()
        return taken(result)
    }

    /// Forgets the messages of the open chunk.
    public mutating func drop() { open = OpenChunk() }

    /// Returns the end of the file: its summary, with which readers find everything without reading all of it. Nothing
    /// may follow.
    public mutating func end() -> [UInt8] {
        var result = RecordBytes(), dataEnd = RecordBytes()
        dataEnd.put(checksum.value)
        result.put(.dataEnd, dataEnd)
        let start = position + UInt64(result.count)
        let used = Set(summary.counts.keys)
        let named = schemas.indices.filter { place in used.contains { channels[$0].schema == schemas[place] } }
        var parts = RecordBytes()
        for place in named { parts.put(.schema, schema(place)) }
        for channel in used.sorted() { parts.put(.channel, description(channel)) }
        summary.write(to: &parts, schemas: named.count)
        var footer = RecordBytes()
        footer.put(start)
        footer.put(UInt64(0))
        // The checksum also covers the footer up to itself.
        var covered = parts
        covered.put(MCAPRecord.footer.rawValue)
        covered.put(UInt64(footer.count + 4))
        covered.put(raw: footer.bytes)
        footer.put(Checksum.of(covered.bytes))
        result.put(raw: parts.bytes)
        result.put(.footer, footer)
        result.put(raw: MCAPRecord.magic)
        return taken(result)
    }

    private mutating func taken(_ result: RecordBytes) -> [UInt8] {
        position += UInt64(result.count)
        checksum.add(result.bytes)
        return result.bytes
    }

    // MARK: records

    private func schema(_ place: Int) -> RecordBytes {
        var record = RecordBytes()
        let descriptors = channels.first { $0.schema == schemas[place] }?.descriptors ?? []
        record.put(UInt16(place + 1))
        record.put(schemas[place])
        record.put("protobuf")
        record.put(UInt32(descriptors.count))
        record.put(raw: descriptors)
        return record
    }

    private func description(_ channel: Int) -> RecordBytes {
        var record = RecordBytes()
        record.put(UInt16(channel))
        record.put(UInt16((schemas.firstIndex(of: channels[channel].schema) ?? 0) + 1))
        record.put(channels[channel].topic)
        record.put("protobuf")
        record.put(list: RecordBytes())
        return record
    }
}
