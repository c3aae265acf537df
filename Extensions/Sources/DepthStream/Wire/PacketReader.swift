public import Geometry

/// A picture with its depth, as it arrived.
public struct StreamPacket: Sendable, Equatable {
    /// The form of the connection.
    public let form: StreamForm
    /// The picture, a JPEG file if the sender is right.
    public let jpeg: [UInt8]
    /// The depth, a PNG file if the sender is right; nil from two cameras.
    public let depth: [UInt8]?
    /// When its last byte arrived, CLOCK_MONOTONIC.
    public let arrival: Seconds
}

/// Finds the packets in the bytes of one connection, as a pure value.
///
/// There is no mark between packets: after a wrong byte nothing can be found again, so the connection must end then. The
/// sender comes back, and begins with a new packet. Memory grows with the bytes that have arrived, and not with the size
/// that a packet claims.
public struct PacketReader: Sendable {
    /// How long a packet may take from its first byte to its last, in seconds.
    public static let patience: Seconds = 5
    /// The most bytes of a packet.
    public static let largest = 8 + 2 * PacketSizes.range.upperBound

    /// Why the connection must end, or nil. What arrives after that is ignored.
    public private(set) var refusal: StreamRefusal?
    /// The form, once a packet was complete.
    public private(set) var form: StreamForm?

    private var isInterleaved: Bool?
    private var buffer: [UInt8] = []
    /// When the first byte of the packet in `buffer` arrived.
    private var since: Seconds?

    /// Creates a reader at the beginning of a connection.
    public init() {}

    /// The number of bytes that wait for the rest of their packet.
    public var waiting: Int { buffer.count }
    /// When `expire` must be called, or nil.
    public var deadline: Seconds? { since.map { $0 + Self.patience } }

    /// Takes bytes that have arrived. Returns the packets that are complete now, the oldest first.
    public mutating func receive(_ bytes: [UInt8], now: Seconds) -> [StreamPacket] {
        guard refusal == nil, !bytes.isEmpty else { return [] }
        since = since ?? now
        buffer += bytes
        var packets: [StreamPacket] = [], start = 0
        do throws(StreamRefusal) {
            while let layout = try layout(from: start), layout.end <= buffer.count {
                packets.append(packet(layout, now))
                (start, since) = (layout.end, now)
            }
        } catch {
            end(error)
            return packets
        }
        discard(start)
        if let deadline, now >= deadline { end(.tooSlow) }
        return packets
    }

    /// Ends the connection if its packet has taken too long.
    public mutating func expire(now: Seconds) {
        guard refusal == nil, let deadline, now >= deadline else { return }
        end(.tooSlow)
    }

    /// Ends the connection, because its bytes do not fit into the memory for all senders (`ByteBudget`).
    public mutating func makeRoom() {
        if refusal == nil { end(.noRoom) }
    }

    private mutating func end(_ reason: StreamRefusal) { (refusal, buffer, since) = (reason, [], nil) }

    /// The number of bytes for which the buffer has room, which is the memory that it takes.
    var room: Int { buffer.capacity }

    /// Removes packets that were returned. A buffer that had a very large one is released, also if the next packet has
    /// begun: the memory for all senders counts only what waits.
    private mutating func discard(_ count: Int) {
        guard count > 0 else { return }
        if count == buffer.count { since = nil }
        if buffer.capacity > 2 << 20 {
            buffer = Array(buffer[count...])
        } else {
            buffer.removeSubrange(0..<count)
        }
    }

    // MARK: one packet

    /// Where the two pictures of a packet are in the buffer. The end may be outside.
    private struct Layout {
        let jpeg: Range<Int>, second: Range<Int>
        let hasDepth: Bool
        var end: Int { second.upperBound }
    }

    private mutating func packet(_ layout: Layout, _ now: Seconds) -> StreamPacket {
        let form: StreamForm = !layout.hasDepth ? .cameras : isInterleaved == true ? .interleaved : .pair
        self.form = form
        return StreamPacket(
            form: form, jpeg: Array(buffer[layout.jpeg]), depth: layout.hasDepth ? Array(buffer[layout.second]) : nil,
            arrival: now)
    }

    /// Returns the places of the packet that begins at `start`, or nil if too little of it is here. What is here is
    /// checked at once, so that a wrong sender does not fill the memory first.
    private mutating func layout(from start: Int) throws(StreamRefusal) -> Layout? {
        if isInterleaved == nil {
            switch FirstBytes(Array(buffer[start...].prefix(FirstBytes.most))) {
            case .undecided: return nil
            case .refused(let reason): throw reason
            case .pictures(let isInterleaved): self.isInterleaved = isInterleaved
            }
        }
        return try isInterleaved == true ? interleaved(from: start) : paired(from: start)
    }

    private func paired(from start: Int) throws(StreamRefusal) -> Layout? {
        guard let first = try size(at: start), let second = try size(at: start + 4) else { return nil }
        let jpeg = start + 8..<start + 8 + first
        guard begins(at: jpeg.lowerBound, with: FirstBytes.jpeg) ?? true else { throw .noJPEG }
        return try layout(jpeg, jpeg.upperBound..<jpeg.upperBound + second)
    }

    private func interleaved(from start: Int) throws(StreamRefusal) -> Layout? {
        guard let first = try size(at: start) else { return nil }
        let jpeg = start + 4..<start + 4 + first
        guard begins(at: jpeg.lowerBound, with: FirstBytes.jpeg) ?? true else { throw .noJPEG }
        guard let second = try size(at: jpeg.upperBound) else { return nil }
        return try layout(jpeg, jpeg.upperBound + 4..<jpeg.upperBound + 4 + second)
    }

    private func layout(_ jpeg: Range<Int>, _ second: Range<Int>) throws(StreamRefusal) -> Layout? {
        guard let isPNG = begins(at: second.lowerBound, with: FirstBytes.png) else { return nil }
        guard isPNG || begins(at: second.lowerBound, with: FirstBytes.jpeg) == true else { throw .noSecond }
        return Layout(jpeg: jpeg, second: second, hasDepth: isPNG)
    }

    /// The size at a place, or nil if it is not here yet.
    private func size(at place: Int) throws(StreamRefusal) -> Int? {
        guard buffer.count >= place + 4 else { return nil }
        let size = PacketSizes.size(buffer[place..<place + 4])
        guard PacketSizes.range.contains(size) else { throw .wrongSize(size) }
        return size
    }

    /// Whether a picture begins with a mark, or nil if too little of it is here.
    private func begins(at place: Int, with mark: [UInt8]) -> Bool? {
        guard buffer.count >= place + mark.count else { return nil }
        return buffer[place...].starts(with: mark)
    }
}
