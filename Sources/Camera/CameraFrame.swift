public import Geometry
internal import Synchronization

/// One picture of a camera: rows of red, green and blue, a byte each, without gaps. It does not change, and its memory is used again
/// when nobody holds it any more.
public final class CameraFrame: @unchecked Sendable {
    // Unchecked: `memory` is written by `FramePool.make`'s closure only, before anybody else has the frame.

    /// Counts from 0; pictures that were lost on the way are not counted.
    public let sequence: Int
    /// When it was taken, CLOCK_MONOTONIC.
    public let exposure: Seconds
    /// When it was there, CLOCK_MONOTONIC.
    public let arrival: Seconds
    /// `exposure` is what can be guessed from `arrival`.
    public let isEstimated: Bool
    /// Size in pixels.
    public let width: Int, height: Int
    private let memory: UnsafeMutableRawBufferPointer
    private let pool: FramePool

    init(
        _ memory: UnsafeMutableRawBufferPointer, of pool: FramePool, sequence: Int, exposure: Seconds, arrival: Seconds,
        isEstimated: Bool, width: Int, height: Int
    ) {
        (self.memory, self.pool) = (memory, pool)
        (self.sequence, self.exposure, self.arrival, self.isEstimated) = (sequence, exposure, arrival, isEstimated)
        (self.width, self.height) = (width, height)
    }

    deinit { pool.give(memory) }

    /// Its pixels, while it is held.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
}

/// Memory for pictures of one size, used again and again.
final class FramePool: Sendable {
    private struct Free: @unchecked Sendable {
        // Unchecked: memory that nobody uses.
        var buffers: [UnsafeMutableRawBufferPointer] = []
    }

    let size: Int
    private let free = Mutex(Free())
    /// So many are kept for the next picture; more are only in use when somebody holds many.
    private static let kept = 4

    init(size: Int) { self.size = size }

    deinit { free.withLock { for buffer in $0.buffers { buffer.deallocate() } } }

    /// Memory for a picture, with anything in it.
    func take() -> UnsafeMutableRawBufferPointer {
        let old = free.withLock { $0.buffers.popLast().map(Transfer.init) }
        return old?.buffer ?? .allocate(byteCount: size, alignment: 64)
    }

    /// Gives memory back.
    func give(_ buffer: UnsafeMutableRawBufferPointer) {
        let transfer = Transfer(buffer: buffer)
        let isKept = free.withLock { free in
            guard free.buffers.count < Self.kept else { return false }
            free.buffers.append(transfer.buffer)
            return true
        }
        if !isKept { buffer.deallocate() }
    }

    private struct Transfer: @unchecked Sendable {
        // Unchecked: on its way from one owner to the next.
        let buffer: UnsafeMutableRawBufferPointer
    }
}
