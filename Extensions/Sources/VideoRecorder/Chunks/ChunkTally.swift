/// How many frames of a chunk were recorded how, and how many are missing.
public struct ChunkTally: Sendable, Equatable {
    /// Frames without a face.
    public var clear = 0
    /// Frames with faces that were covered.
    public var covered = 0
    /// Frames that were covered as a whole.
    public var whole = 0
    /// Frames in which nothing was covered, because the owner wanted that.
    public var visible = 0
    /// Frames that are missing: the encoder, the disk or the way from the camera was too slow.
    public var lost = 0

    /// Creates an empty tally.
    public init() {}

    /// The number of frames in the chunk.
    public var frames: Int { clear + covered + whole + visible }

    /// What must be known of the chunk's faces.
    public var verdict: ChunkVerdict {
        if visible > 0 { return .visible }
        if covered > 0 { return .covered }
        guard whole > 0 else { return .clear }
        return clear > 0 ? .covered : .whole
    }

    /// Counts a frame.
    public mutating func count(_ verdict: ChunkVerdict) {
        switch verdict {
        case .clear: clear += 1
        case .covered: covered += 1
        case .whole: whole += 1
        case .visible: visible += 1
        }
    }

    /// Returns the sum of both.
    public static func + (a: ChunkTally, b: ChunkTally) -> ChunkTally {
        var sum = a
        sum.clear += b.clear
        sum.covered += b.covered
        sum.whole += b.whole
        sum.visible += b.visible
        sum.lost += b.lost
        return sum
    }
}
