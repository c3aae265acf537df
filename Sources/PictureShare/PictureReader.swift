internal import Synchronization

/// A picture in a share, until the writer overwrites it.
public struct SharedPicture: Sendable, Equatable {
    /// The number of the picture in its share, from 1.
    public let number: Int
    /// What is known about it.
    public let facts: PictureFacts
    let place: Int
    let version: UInt64
}

/// The reading end of a share. It belongs to one thread at a time.
///
/// A picture is either copied (`copy`) or used in place (`read`). Both say at the end whether it was overwritten
/// meanwhile; then what was read must not be used.
public final class PictureReader {
    /// Where everything is.
    public let layout: ShareLayout
    private let memory: SharedMemory

    /// Maps a share. The descriptor stays the caller's and may be closed afterwards.
    public init(_ descriptor: Int32) throws(ShareFailure) {
        memory = try SharedMemory(mapping: descriptor)
        let what = "this is not a share of pictures"
        guard memory.size >= ShareLayout.page, memory.load(ShareField.magic) == ShareLayout.magic else {
            throw ShareFailure(description: what)
        }
        let version = memory.half(ShareField.version), code = memory.half(ShareField.format)
        guard version == ShareLayout.version else {
            throw ShareFailure(
                description: "the share has layout \(version), this program reads layout \(ShareLayout.version)")
        }
        guard let format = PictureFormat.allCases.first(where: { $0.code == code }),
            let layout = ShareLayout(
                format: format, width: Int(memory.half(ShareField.width)), height: Int(memory.half(ShareField.height)),
                slots: Int(memory.half(ShareField.slots))), layout.size <= memory.size
        else { throw ShareFailure(description: what) }
        self.layout = layout
    }

    /// Whether no picture will follow: the camera has ended, or its size has changed.
    public var hasEnded: Bool { memory.word(ShareField.ended).pointee.load(ordering: .acquiring) != 0 }

    /// Returns the newest picture if its number is above `number`, otherwise nil.
    public func newest(after number: Int = 0) -> SharedPicture? {
        // A writer that overtakes this reader again and again is improbable, and endless attempts would be worse.
        for _ in 0..<4 {
            let newest = memory.word(ShareField.newest).pointee.load(ordering: .acquiring)
            guard newest >> 8 > UInt64(number) else { return nil }
            let slot = Int(newest & 0xFF)
            guard slot < layout.slots else { return nil }
            if let picture = picture(in: slot), picture.number >= Int(newest >> 8) { return picture }
        }
        return nil
    }

    /// Returns the oldest picture in the share whose number is above `number`, for a reader that wants every one. The
    /// result is nil if there is none.
    public func next(after number: Int) -> SharedPicture? {
        (0..<layout.slots).compactMap(picture).filter { $0.number > number }.min { $0.number < $1.number }
    }

    private func picture(in slot: Int) -> SharedPicture? {
        let place = layout.place(of: slot)
        guard let version = memory.version(ofSlot: place) else { return nil }
        let number = memory.load(place + ShareField.number), facts = PictureFacts(in: memory, at: place)
        let picture = SharedPicture(
            number: Int(truncatingIfNeeded: number), facts: facts, place: place, version: version)
        return number > 0 && isIntact(picture) ? picture : nil
    }

    /// Returns whether a picture has not been overwritten. What was read of it before this call may be believed.
    public func isIntact(_ picture: SharedPicture) -> Bool {
        memory.isIntact(picture.place, version: picture.version)
    }

    /// Calls `body` with the pixels. Returns its result, or nil if the picture was overwritten meanwhile.
    public func read<Result>(_ picture: SharedPicture, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let pixels = UnsafeRawBufferPointer(
            start: memory.base + picture.place + ShareLayout.page, count: layout.byteCount)
        let result = body(pixels)
        return isIntact(picture) ? result : nil
    }

    /// Copies the pixels. Returns nil if the picture was overwritten meanwhile.
    public func copy(_ picture: SharedPicture) -> [UInt8]? { read(picture) { [UInt8]($0) } }
}
