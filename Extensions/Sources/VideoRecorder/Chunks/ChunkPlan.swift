public import Geometry

/// Why a chunk ended.
public enum ChunkEnd: Sendable, Equatable {
    /// It has its length; the next one begins at once.
    case length
    /// The pictures have another size.
    case size
    /// No picture arrived for two seconds.
    case camera
    /// The wall clock was set, or the machine slept.
    case clock(ChunkClock.Step)
    /// The encoder has failed, for this reason.
    case encoder(String)
    /// The disk has failed, for this reason.
    case disk(String)
    /// A person deleted its file.
    case deleted
    /// The recording was stopped.
    case stopped
}

/// The size of a picture, in pixels.
public struct PictureSize: Sendable, Hashable {
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// The borders between chunks. Pure; times are exposures (CLOCK_MONOTONIC).
///
/// Chunk k has the frames with exposures in [T_k, T_k+1). T_k+1 is the first exposure at or after T_k + length. So each
/// frame is in exactly one chunk.
public struct ChunkPlan: Sendable, Equatable {
    /// What to do with a frame.
    public enum Step: Sendable, Equatable {
        /// It belongs to the open chunk.
        case add
        /// It begins a chunk. The open one, if there is any, ends before it for this reason.
        case begin(ending: ChunkEnd?)
        /// It is not later than the frame before it, or its time is impossible.
        case skip
    }

    /// Without a frame for this time, a chunk ends (2 s).
    public static let patience: Seconds = 2
    /// The encoder of the next chunk starts this long before the border (0.5 s), because a program needs time to start.
    public static let warmUp: Seconds = 0.5
    /// Two frames are at least this far apart (0.1 ms); the file could not keep them in order otherwise.
    static let closest: Seconds = 0.0001
    /// A chunk has at most this number of frames: ten minutes at 120 a second.
    static let mostFrames = 72_000
    /// An exposure is at most this long ago (10 s), and not later than now, except for the error of an estimate (1 s).
    static let oldest: Seconds = 10, newest: Seconds = 1

    /// The length of a chunk, in seconds.
    public private(set) var length: Seconds
    /// The open chunk: the exposures of its first and last frames, and their size.
    public private(set) var open: Span?
    /// The exposure of the last frame, also of a chunk that has ended.
    private var last: Seconds = -.infinity
    /// The length of chunks from the next border on.
    private var nextLength: Seconds
    /// Whether the next frame begins a chunk, although the open one has not its length.
    private var isCut = false

    /// The frames of a chunk so far.
    public struct Span: Sendable, Equatable {
        /// The exposures of the first and of the last frame.
        public var first: Seconds, last: Seconds
        /// The number of frames.
        public var frames: Int
        /// The size of its pictures.
        public var size: PictureSize

        /// The mean distance of two frames, in seconds; nil for a single frame.
        public var interval: Seconds? { frames > 1 ? (last - first) / Seconds(frames - 1) : nil }
    }

    /// Creates a plan without an open chunk. `length`: 2 to 600 seconds.
    public init(length: Seconds) {
        self.length = length.clamped(to: 2...600)
        nextLength = self.length
    }

    /// Sets the length of the chunks after the open one.
    public mutating func set(length: Seconds) { nextLength = length.clamped(to: 2...600) }

    /// The exposure at which the next chunk begins, or nil if none is open.
    public var border: Seconds? { open.map { $0.first + length } }

    /// Whether the encoder of the next chunk should start now (CLOCK_MONOTONIC), so that it is ready at the border.
    /// - Parameter delay: how long frames wait before they arrive here, in seconds.
    public func isWarmUpDue(now: Seconds, delay: Seconds) -> Bool {
        border.map { now - delay >= $0 - Self.warmUp } ?? false
    }

    /// Handles the next frame, and returns what it does to the chunks.
    /// - Parameter isCrowded: whether a chunk that has its length must wait with its end.
    public mutating func handleFrame(
        _ exposure: Seconds, _ size: PictureSize, isCrowded: Bool = false, now: Seconds
    ) -> Step {
        guard exposure >= now - Self.oldest, exposure <= now + Self.newest, exposure >= last + Self.closest else {
            return .skip
        }
        defer { last = exposure }
        guard let span = open, let border else { return begin(exposure, size, ending: nil) }
        if exposure - span.last > Self.patience { return begin(exposure, size, ending: .camera) }
        if size != span.size { return begin(exposure, size, ending: .size) }
        if (exposure >= border || isCut) && !isCrowded || span.frames >= Self.mostFrames {
            return begin(exposure, size, ending: .length)
        }
        open?.last = exposure
        open?.frames += 1
        return .add
    }

    private mutating func begin(_ exposure: Seconds, _ size: PictureSize, ending: ChunkEnd?) -> Step {
        (length, isCut) = (nextLength, false)
        open = Span(first: exposure, last: exposure, frames: 1, size: size)
        return .begin(ending: ending)
    }

    /// Ends the open chunk.
    public mutating func end() { (open, isCut) = (nil, false) }

    /// Ends the open chunk at the next frame.
    public mutating func cut() { isCut = open != nil }

    /// Takes frames after this exposure again, although they were taken before.
    public mutating func rewind(to exposure: Seconds) { last = min(last, exposure) }
}
