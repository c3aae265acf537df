internal import CPosix
internal import Glibc
internal import Synchronization

/// Why a share cannot be created or opened.
public struct ShareFailure: Error, Equatable, CustomStringConvertible {
    /// What happened, in words.
    public let description: String

    /// Creates a failure from what happened, in words.
    public init(_ description: String) { self.description = description }

    init(description: String) { self.description = description }
}

/// A mapping of shared memory. Its numbers are read and written one at a time, so another process never sees half of
/// one.
final class SharedMemory: @unchecked Sendable {
    // Unchecked: the numbers are atomic; a slot's version guards its pixels.

    /// The descriptor of the memory, or -1 if it was only mapped.
    let descriptor: Int32
    let base: UnsafeMutableRawPointer
    let size: Int

    /// Creates memory that only this mapping can write. Its name shows in `/proc`.
    init(creating size: Int, name: String = "dockface-pictures") throws(ShareFailure) {
        var place: UnsafeMutableRawPointer?
        descriptor = cposix_share_create(name, size, &place)
        guard descriptor >= 0, let place else {
            throw ShareFailure(description: "no shared memory for pictures: \(String(cString: strerror(errno)))")
        }
        (base, self.size) = (place, size)
    }

    /// Maps memory of another process for reading. The descriptor is not needed afterwards.
    init(mapping descriptor: Int32) throws(ShareFailure) {
        var place: UnsafeMutableRawPointer?, size = 0
        guard cposix_share_map(descriptor, &place, &size) == 0, let place else {
            throw ShareFailure(description: "the pictures cannot be mapped: \(String(cString: strerror(errno)))")
        }
        (base, self.size, self.descriptor) = (place, size, -1)
    }

    deinit {
        munmap(base, size)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number at a multiple of 8.
    func word(_ place: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (base + place).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    func load(_ place: Int) -> UInt64 { word(place).pointee.load(ordering: .relaxed) }
    func store(_ value: UInt64, _ place: Int) { word(place).pointee.store(value, ordering: .relaxed) }
    func number(_ place: Int) -> Double { Double(bitPattern: load(place)) }
    func store(_ value: Double, _ place: Int) { store(value.bitPattern, place) }

    // A slot begins with a version, which is odd while the slot is written, and the number of its picture.

    /// Begins to write a slot at a place.
    func beginWriting(_ slot: Int) {
        store(load(slot) | 1, slot)
        // Every store into the slot comes after the odd version.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        store(UInt64(0), slot + ShareField.number)
    }

    /// Shows what was written into a slot as the newest picture. `index` is the slot's place among the slots.
    func finishWriting(_ slot: Int, number: UInt64, index: Int) {
        store(number, slot + ShareField.number)
        let version = word(slot)
        version.pointee.store(version.pointee.load(ordering: .relaxed) + 1, ordering: .releasing)
        word(ShareField.newest).pointee.store(number << 8 | UInt64(index), ordering: .releasing)
    }

    /// The version of a slot, or nil while it is written.
    func version(ofSlot slot: Int) -> UInt64? {
        let version = word(slot).pointee.load(ordering: .acquiring)
        return version % 2 == 0 ? version : nil
    }

    /// Whether a slot has not been overwritten since it had this version.
    func isIntact(_ slot: Int, version: UInt64) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return load(slot) == version
    }

    /// The number of half a word at a multiple of 4, for facts that never change.
    func half(_ place: Int) -> UInt32 { base.load(fromByteOffset: place, as: UInt32.self) }
    func store(_ value: UInt32, half place: Int) { base.storeBytes(of: value, toByteOffset: place, as: UInt32.self) }
}
