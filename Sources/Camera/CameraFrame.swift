public import Geometry
internal import PictureShare
internal import Synchronization

/// One camera frame: rows of red, green and blue, one byte each, without gaps. It is immutable. Its memory is reused
/// after the last reference to it is gone.
public final class CameraFrame: @unchecked Sendable {
    // Unchecked: `memory` is written before the frame is created, and not afterwards.

    /// The number of the frame, from 0. Frames that were lost on the way are not counted.
    public let sequence: Int
    /// The time of exposure, CLOCK_MONOTONIC.
    public let exposure: Seconds
    /// The time of arrival, CLOCK_MONOTONIC.
    public let arrival: Seconds
    /// Whether `exposure` is estimated from `arrival`.
    public let isEstimated: Bool
    /// The size in pixels.
    public let width: Int, height: Int
    /// Which camera took it, and how much it is magnified.
    public let optics: FrameOptics
    let memory: FrameMemory

    init(
        _ memory: FrameMemory, sequence: Int, exposure: Seconds, arrival: Seconds, isEstimated: Bool, width: Int,
        height: Int, optics: FrameOptics = .usual
    ) {
        self.memory = memory
        (self.sequence, self.exposure, self.arrival, self.isEstimated) = (sequence, exposure, arrival, isEstimated)
        (self.width, self.height, self.optics) = (width, height, optics)
    }

    deinit { memory.giveBack() }

    /// The pixels; valid while the frame is held.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory.pixels) }

    /// What readers in other processes learn about the frame.
    var facts: PictureFacts {
        PictureFacts(sequence: sequence, exposure: exposure, arrival: arrival, isEstimated: isEstimated, optics: optics)
    }
}

/// The memory of one frame, and where it goes when the frame is no longer used.
enum FrameMemory {
    /// Memory of this process.
    case own(UnsafeMutableRawBufferPointer, FramePool)
    /// A slot that other processes can read.
    case shared(PictureWriter.Slot, PictureWriter)

    var pixels: UnsafeMutableRawBufferPointer {
        switch self {
        case .own(let buffer, _): buffer
        case .shared(let slot, let writer): writer.pixels(of: slot)
        }
    }

    func giveBack() {
        switch self {
        case .own(let buffer, let pool): pool.give(buffer)
        case .shared(let slot, let writer): writer.release(slot)
        }
    }
}

/// Reusable memory for frames of one size.
final class FramePool: Sendable {
    private struct Free: @unchecked Sendable {
        // Unchecked: unused memory.
        var buffers: [UnsafeMutableRawBufferPointer] = []
    }

    let size: Int
    private let free = Mutex(Free())
    /// The number of free buffers that are kept; more exist only while many frames are held.
    private static let kept = 4

    init(size: Int) { self.size = size }

    deinit { free.withLock { for buffer in $0.buffers { buffer.deallocate() } } }

    /// Returns memory for a frame, with undefined contents.
    func take() -> UnsafeMutableRawBufferPointer {
        let old = free.withLock { $0.buffers.popLast().map(Transfer.init) }
        return old?.buffer ?? .allocate(byteCount: size, alignment: 64)
    }

    /// Returns memory to the pool.
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
        // Unchecked: it passes from one owner to the next.
        let buffer: UnsafeMutableRawBufferPointer
    }
}
