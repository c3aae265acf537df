internal import Processes
internal import Synchronization

/// The writing end of a share of depth pictures: pictures of one size for any number of processes, which can only read them.
/// It has the safety of `PictureWriter`: sealed memory, and a version in each slot by which a reader that was too slow knows
/// it.
public final class DepthWriter: Sendable {
    /// The size of a picture, in pixels.
    public var width: Int { layout.width }
    /// The height of a picture, in pixels.
    public var height: Int { layout.height }
    private let layout: DepthLayout
    private let memory: SharedMemory
    private let newest = Locked<UInt64>(0)

    /// Creates a share without pictures.
    public init(width: Int, height: Int) throws(ShareFailure) {
        guard let layout = DepthLayout(width: width, height: height) else {
            throw ShareFailure(description: "depth pictures of \(width)x\(height) are not shared")
        }
        self.layout = layout
        memory = try SharedMemory(creating: layout.size, name: "dockface-depth")
        memory.store(DepthLayout.magic, ShareField.magic)
        memory.store(DepthLayout.version, half: ShareField.version)
        memory.store(DepthLayout.format, half: ShareField.format)
        memory.store(UInt32(width), half: ShareField.width)
        memory.store(UInt32(height), half: ShareField.height)
        memory.store(UInt32(layout.slots), half: ShareField.slots)
        memory.store(UInt64(layout.byteCount), ShareField.byteCount)
        memory.store(UInt64(layout.place(of: 0)), ShareField.firstSlot)
        memory.store(UInt64(layout.stride), ShareField.stride)
    }

    /// The descriptor of the memory. It stays open as long as the writer exists.
    public var descriptor: Int32 { memory.descriptor }

    /// Writes a picture in place of the oldest one, and shows it to the readers. 0 is not measured.
    /// - Returns: false, without writing, if the samples are not those of a picture of this size.
    @discardableResult
    public func write(_ samples: [UInt16], _ facts: DepthFacts) -> Bool {
        guard samples.count == layout.width * layout.height else { return false }
        newest.withLock { newest in
            newest += 1
            let index = Int(newest % UInt64(layout.slots)), place = layout.place(of: index)
            memory.beginWriting(place)
            samples.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(
                    start: memory.base + place + ShareLayout.page, count: layout.byteCount
                ).copyMemory(from: $0)
            }
            DepthLayout.store(facts, in: memory, at: place)
            memory.finishWriting(place, number: newest, index: index)
        }
        return true
    }

    /// Marks the share as ended: no picture will follow.
    public func end() { memory.word(ShareField.ended).pointee.store(1, ordering: .releasing) }
}
