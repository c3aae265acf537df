internal import CPosix
internal import Glibc
internal import Synchronization

/// Why a share cannot be created or opened.
public struct ShareFailure: Error, Equatable, CustomStringConvertible {
    /// What happened, in words.
    public let description: String
}

/// A mapping of shared memory. Its numbers are read and written one at a time, so another process never sees half of
/// one.
final class SharedMemory: @unchecked Sendable {
    // Unchecked: the numbers are atomic; a slot's version guards its pixels.

    /// The descriptor of the memory, or -1 if it was only mapped.
    let descriptor: Int32
    let base: UnsafeMutableRawPointer
    let size: Int

    /// Creates memory that only this mapping can write.
    init(creating size: Int) throws(ShareFailure) {
        var place: UnsafeMutableRawPointer?
        descriptor = cposix_share_create("dockface-pictures", size, &place)
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

    /// The number of half a word at a multiple of 4, for facts that never change.
    func half(_ place: Int) -> UInt32 { base.load(fromByteOffset: place, as: UInt32.self) }
    func store(_ value: UInt32, half place: Int) { base.storeBytes(of: value, toByteOffset: place, as: UInt32.self) }
}
