public import Geometry

/// Writes raw pictures, and raw sound if there is any, as Matroska (RFC 9559): each block has a time of its own, to the
/// microsecond. That is what an encoder at the other end of a pipe needs to keep the true times.
///
/// Pixels are not copied: a caller writes `head`, then for each frame `blockHead` and the pixels themselves.
public struct MatroskaWriter: Sendable, Equatable {
    /// The tracks: their numbers in the file.
    public enum Track: UInt8, Sendable {
        /// Pictures, I420.
        case video = 1
        /// Sound, one channel of 16-bit samples, little-endian.
        case sound = 2
    }

    /// The size of the pictures, in pixels.
    public let size: PictureSize
    /// The samples of sound a second, or nil if there is no sound.
    public let soundRate: Int?

    /// The length of one tick, in nanoseconds.
    static let tick: UInt64 = 1000

    /// Creates a writer.
    public init(size: PictureSize, soundRate: Int? = nil) { (self.size, self.soundRate) = (size, soundRate) }

    /// The number of bytes of a picture: a plane of brightness, then two of colour of half the width and height,
    /// rounded up.
    public var pictureBytes: Int {
        size.width * size.height + 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2)
    }

    /// What comes before the first block.
    public var head: [UInt8] {
        var bytes: [UInt8] = []
        EBML.put(ID.header, Self.fileKind, to: &bytes)
        EBML.put(id: ID.segment, to: &bytes)
        EBML.putUnknownSize(to: &bytes)
        var info: [UInt8] = []
        EBML.put(ID.tick, Self.tick, to: &info)
        EBML.put(ID.library, "dockface", to: &info)
        EBML.put(ID.program, "dockface", to: &info)
        EBML.put(ID.info, info, to: &bytes)
        EBML.put(ID.tracks, video + (soundRate.map(sound) ?? []), to: &bytes)
        return bytes
    }

    /// Returns what comes before the bytes of a block: a cluster of its own, because the time of a block in a cluster
    /// has only 16 bits.
    /// - Parameters:
    ///   - time: since the beginning of the file, in seconds; 0 or more.
    ///   - count: the number of bytes that follow.
    public func blockHead(_ track: Track, time: Seconds, count: Int) -> [UInt8] {
        // A block is its track, a time of 0 within the cluster, and a flag: it depends on no other block.
        let block: [UInt8] = [0x80 | track.rawValue, 0, 0, 0x80]
        var inner: [UInt8] = []
        EBML.put(ID.time, UInt64((max(0, min(time, 1e9)) * 1e6).rounded()), to: &inner)
        EBML.put(id: ID.block, to: &inner)
        EBML.put(size: block.count + count, to: &inner)
        inner += block
        var bytes: [UInt8] = []
        EBML.put(id: ID.cluster, to: &bytes)
        EBML.put(size: inner.count + count, to: &bytes)
        return bytes + inner
    }

    private static let fileKind: [UInt8] = {
        var bytes: [UInt8] = []
        EBML.put(0x4286, UInt64(1), to: &bytes)
        EBML.put(0x42F7, UInt64(1), to: &bytes)
        EBML.put(0x42F2, UInt64(4), to: &bytes)
        EBML.put(0x42F3, UInt64(8), to: &bytes)
        EBML.put(0x4282, "matroska", to: &bytes)
        EBML.put(0x4287, UInt64(4), to: &bytes)
        EBML.put(0x4285, UInt64(2), to: &bytes)
        return bytes
    }()

    private var video: [UInt8] {
        var settings: [UInt8] = []
        EBML.put(ID.width, UInt64(max(0, size.width)), to: &settings)
        EBML.put(ID.height, UInt64(max(0, size.height)), to: &settings)
        EBML.put(ID.pixels, "I420", to: &settings)
        return track(.video, kind: 1, codec: "V_UNCOMPRESSED", ID.video, settings)
    }

    private func sound(rate: Int) -> [UInt8] {
        var settings: [UInt8] = []
        EBML.put(ID.rate, Double(rate), to: &settings)
        EBML.put(ID.channels, UInt64(1), to: &settings)
        EBML.put(ID.bits, UInt64(16), to: &settings)
        return track(.sound, kind: 2, codec: "A_PCM/INT/LIT", ID.audio, settings)
    }

    private func track(
        _ track: Track, kind: UInt64, codec: String, _ part: UInt32, _ settings: [UInt8]
    ) -> [UInt8] {
        var entry: [UInt8] = []
        EBML.put(ID.number, UInt64(track.rawValue), to: &entry)
        EBML.put(ID.identity, UInt64(track.rawValue), to: &entry)
        EBML.put(ID.kind, kind, to: &entry)
        EBML.put(ID.lacing, UInt64(0), to: &entry)
        EBML.put(ID.codec, codec, to: &entry)
        EBML.put(part, settings, to: &entry)
        var bytes: [UInt8] = []
        EBML.put(ID.track, entry, to: &bytes)
        return bytes
    }

    /// Identifiers of RFC 9559.
    private enum ID {
        static let header: UInt32 = 0x1A45_DFA3, segment: UInt32 = 0x1853_8067, info: UInt32 = 0x1549_A966
        static let tick: UInt32 = 0x2A_D7B1, library: UInt32 = 0x4D80, program: UInt32 = 0x5741
        static let tracks: UInt32 = 0x1654_AE6B, track: UInt32 = 0xAE, number: UInt32 = 0xD7, identity: UInt32 = 0x73C5
        static let kind: UInt32 = 0x83, lacing: UInt32 = 0x9C, codec: UInt32 = 0x86
        static let video: UInt32 = 0xE0, width: UInt32 = 0xB0, height: UInt32 = 0xBA, pixels: UInt32 = 0x2E_B524
        static let audio: UInt32 = 0xE1, rate: UInt32 = 0xB5, channels: UInt32 = 0x9F, bits: UInt32 = 0x6264
        static let cluster: UInt32 = 0x1F43_B675, time: UInt32 = 0xE7, block: UInt32 = 0xA3
    }
}
