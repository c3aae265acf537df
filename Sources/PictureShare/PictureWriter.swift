internal import Processes
internal import Synchronization

/// The writing end of a share: pictures of one size for any number of processes, which can only read them.
///
/// Pixels are written where the readers see them, so nothing is copied. No reader can delay the writer: a slot is
/// overwritten when its turn comes, and a reader that was too slow finds out by the slot's version.
public final class PictureWriter: Sendable {
    /// A slot that is being written, or whose picture this process still uses.
    public struct Slot: Sendable, Equatable {
        let index: Int
    }

    private struct State {
        /// The number of the picture in each slot; 0 if there is none.
        var numbers: [UInt64]
        /// The slots in use by this process.
        var held: Set<Int> = []
        var newest: UInt64 = 0
    }

    /// Where everything is.
    public let layout: ShareLayout
    private let memory: SharedMemory
    private let state: Locked<State>

    /// Creates a share without pictures.
    public init(_ layout: ShareLayout) throws(ShareFailure) {
        self.layout = layout
        memory = try SharedMemory(creating: layout.size)
        state = Locked(State(numbers: Array(repeating: 0, count: layout.slots)))
        memory.store(ShareLayout.magic, ShareField.magic)
        memory.store(ShareLayout.version, half: ShareField.version)
        memory.store(layout.format.code, half: ShareField.format)
        memory.store(UInt32(layout.width), half: ShareField.width)
        memory.store(UInt32(layout.height), half: ShareField.height)
        memory.store(UInt32(layout.slots), half: ShareField.slots)
        memory.store(UInt64(layout.byteCount), ShareField.byteCount)
        memory.store(UInt64(layout.place(of: 0)), ShareField.firstSlot)
        memory.store(UInt64(layout.stride), ShareField.stride)
    }

    /// The descriptor of the memory, to pass to a reader. It stays open as long as the writer exists.
    public var descriptor: Int32 { memory.descriptor }

    /// Returns a slot to write a picture into: the one whose picture is oldest. The result is nil if this process uses
    /// all of them.
    public func take() -> Slot? {
        let index: Int? = state.withLock { state in
            let free = state.numbers.indices.filter {
                !state.held.contains($0) && (state.numbers[$0] == 0 || state.numbers[$0] != state.newest)
            }
            guard let oldest = free.min(by: { state.numbers[$0] < state.numbers[$1] }) else { return nil }
            state.held.insert(oldest)
            state.numbers[oldest] = 0
            return oldest
        }
        guard let index else { return nil }
        memory.beginWriting(layout.place(of: index))
        return Slot(index: index)
    }

    /// The pixels of a slot; valid until the slot is released.
    public func pixels(of slot: Slot) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: memory.base + layout.place(of: slot.index) + ShareLayout.page, count: layout.byteCount)
    }

    /// Shows a slot's picture to the readers. The slot stays in use until it is released.
    public func publish(_ slot: Slot, _ facts: PictureFacts) {
        let place = layout.place(of: slot.index)
        let number: UInt64 = state.withLock { state in
            state.newest += 1
            state.numbers[slot.index] = state.newest
            return state.newest
        }
        facts.store(in: memory, at: place)
        memory.finishWriting(place, number: number, index: slot.index)
    }

    /// Ends the use of a slot by this process. From any thread.
    public func release(_ slot: Slot) { state.withLock { _ = $0.held.remove(slot.index) } }

    /// Hides the pictures so far from readers; those that follow are shown. From any thread. A slot that this process
    /// still uses keeps its picture, which is then only a moment old.
    public func forget() {
        state.withLock { state in
            memory.word(ShareField.newest).pointee.store(0, ordering: .releasing)
            for index in state.numbers.indices where state.numbers[index] != 0 && !state.held.contains(index) {
                state.numbers[index] = 0
                memory.beginWriting(layout.place(of: index))
            }
        }
    }

    /// Marks the share as ended: no picture will follow.
    public func end() { memory.word(ShareField.ended).pointee.store(1, ordering: .releasing) }
}
