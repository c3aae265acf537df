internal import Glibc
internal import Synchronization

/// A depth picture that was copied from a share.
public struct SharedDepth: Sendable, Equatable {
    /// The number of the picture in its share, from 1.
    public let number: Int
    /// What is known about it.
    public let facts: DepthFacts
    /// The samples, row by row; 0 is not measured.
    public let samples: [UInt16]
}

/// The reading end of a share of depth pictures. It belongs to one thread at a time.
public final class DepthReader {
    /// The size of a picture, in pixels.
    public var width: Int { layout.width }
    /// The height of a picture, in pixels.
    public var height: Int { layout.height }
    private let layout: DepthLayout
    private let memory: SharedMemory

    /// Maps a share. The descriptor stays the caller's and may be closed afterwards.
    public init(_ descriptor: Int32) throws(ShareFailure) {
        memory = try SharedMemory(mapping: descriptor)
        let what = "this is not a share of depth pictures"
        guard memory.size >= ShareLayout.page, memory.load(ShareField.magic) == DepthLayout.magic else {
            throw ShareFailure(description: what)
        }
        let version = memory.half(ShareField.version)
        guard version == DepthLayout.version else {
            throw ShareFailure(
                description: "the share has layout \(version), this program reads layout \(DepthLayout.version)")
        }
        guard memory.half(ShareField.format) == DepthLayout.format,
            let layout = DepthLayout(
                width: Int(memory.half(ShareField.width)), height: Int(memory.half(ShareField.height)),
                slots: Int(memory.half(ShareField.slots))), layout.size <= memory.size
        else { throw ShareFailure(description: what) }
        self.layout = layout
    }

    /// Opens the share at a path, which is usually a link to another program's memory.
    public convenience init(path: String) throws(ShareFailure) {
        // The link of a program that was killed may lead anywhere: opening it must not wait, or take over a terminal.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw ShareFailure(description: "\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        try self.init(descriptor)
    }

    /// Whether no picture will follow: the program has ended, or the size has changed. A program that was killed has not
    /// said so; its pictures stay old.
    public var hasEnded: Bool { memory.word(ShareField.ended).pointee.load(ordering: .acquiring) != 0 }

    /// Copies the newest picture if its number is above `number`. The result is nil if there is none, or if the writer has
    /// overtaken the copy again and again.
    public func newest(after number: Int = 0) -> SharedDepth? {
        for _ in 0..<4 {
            let newest = memory.word(ShareField.newest).pointee.load(ordering: .acquiring)
            guard newest >> 8 > UInt64(number) else { return nil }
            let slot = Int(newest & 0xFF)
            guard slot < layout.slots else { return nil }
            if let copy = copy(slot), copy.number >= Int(newest >> 8) { return copy }
        }
        return nil
    }

    private func copy(_ slot: Int) -> SharedDepth? {
        let place = layout.place(of: slot)
        guard let version = memory.version(ofSlot: place) else { return nil }
        let number = memory.load(place + ShareField.number), facts = DepthLayout.facts(in: memory, at: place)
        let count = layout.width * layout.height
        let samples = [UInt16](unsafeUninitializedCapacity: count) { target, written in
            UnsafeMutableRawBufferPointer(target).copyMemory(
                from: UnsafeRawBufferPointer(
                    start: memory.base + place + ShareLayout.page, count: layout.byteCount))
            written = count
        }
        guard number > 0, number < 1 << 56, memory.isIntact(place, version: version) else { return nil }
        return SharedDepth(number: Int(number), facts: facts, samples: samples)
    }
}
