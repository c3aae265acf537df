public import Codecs
public import Geometry
internal import Processes

/// A frame as it is recorded: covered already, with its time.
public struct ChunkFrame: Sendable {
    /// Its pixels.
    public var picture: PlanarPicture
    /// When it was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// What was done to the faces in it.
    public var verdict: ChunkVerdict
    /// Where the head pointed, in rad, or nil if that is unknown.
    public var pose: PanTilt?
    /// The camera's number of it, or nil if that is unknown.
    public var sequence: Int?

    /// Creates a frame.
    public init(
        picture: PlanarPicture, exposure: Seconds, verdict: ChunkVerdict, pose: PanTilt? = nil, sequence: Int? = nil
    ) {
        (self.picture, self.exposure, self.verdict) = (picture, exposure, verdict)
        (self.pose, self.sequence) = (pose, sequence)
    }

    /// Its pose, if that can be one: memory that is shared with the daemon may hold any number.
    var usablePose: PanTilt? { pose.flatMap { $0.pan.isFinite && $0.tilt.isFinite ? $0 : nil } }

    /// The size of its picture.
    var size: PictureSize { PictureSize(width: picture.width, height: picture.height) }
}

/// What waits for an encoder to read it. The pixels are not copied.
struct EncoderInput {
    /// Bytes of Matroska, which contain any sound, and the picture that follows them.
    fileprivate struct Block {
        var head: [UInt8]
        var frame: ChunkFrame?

        var count: Int { head.count + (frame?.picture.bytes.count ?? 0) }
    }

    /// The most that waits: two seconds at 1280 x 720 and 30 a second (83 MB).
    static let most = 83 << 20

    private var blocks: [Block] = []
    /// The bytes of the first block that are written.
    private var done = 0
    /// The bytes that wait.
    private(set) var bytes = 0
    /// The exposure of the last frame of which a byte was written.
    private(set) var lastSent: Seconds?

    var isEmpty: Bool { blocks.isEmpty }
    /// Whether sound may wait, too.
    var hasRoom: Bool { bytes <= Self.most }

    /// Whether one more picture may wait.
    func hasRoom(for picture: PlanarPicture) -> Bool { blocks.isEmpty || bytes + picture.bytes.count <= Self.most }

    mutating func add(_ head: [UInt8], _ frame: ChunkFrame? = nil) {
        let block = Block(head: head, frame: frame)
        blocks.append(block)
        bytes += block.count
    }

    /// Writes what fits into the pipe. Returns the number of bytes.
    mutating func write(to pipe: inout ChildPipe) -> Int {
        var sum = 0
        while let block = blocks.first, pipe.descriptor >= 0 {
            let count = block.write(from: done, to: &pipe)
            guard count > 0 else { break }
            if let frame = block.frame { lastSent = frame.exposure }
            sum += count
            done += count
            guard done == block.count else { continue }
            blocks.removeFirst()
            bytes -= done
            done = 0
        }
        return sum
    }

    /// Takes the frames of which no byte was written.
    mutating func takeUnsent() -> [ChunkFrame] {
        defer { (blocks, bytes, done) = ([], 0, 0) }
        return blocks.dropFirst(done > 0 ? 1 : 0).compactMap(\.frame)
    }
}

extension EncoderInput.Block {
    func write(from done: Int, to pipe: inout ChildPipe) -> Int {
        if done < head.count {
            return head.withUnsafeBytes { pipe.write(UnsafeRawBufferPointer(rebasing: $0[done...])) }
        }
        guard let frame else { return 0 }
        return frame.picture.bytes.withUnsafeBytes {
            pipe.write(UnsafeRawBufferPointer(rebasing: $0[(done - head.count)...]))
        }
    }
}
