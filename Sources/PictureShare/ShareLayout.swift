internal import CPosix

/// How the pixels of a picture are stored.
public enum PictureFormat: String, Sendable, CaseIterable {
    /// Rows of red, green and blue, one byte each.
    case rgb24
    /// A plane of brightness, one byte a pixel, then two planes of colour (U, V) of half the width and height, rounded
    /// up.
    case yuv420p

    /// Returns the size of a picture, in bytes. There are no gaps between rows.
    public func byteCount(width: Int, height: Int) -> Int {
        switch self {
        case .rgb24: width * height * 3
        case .yuv420p: width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        }
    }

    /// The number of the format in a share.
    var code: UInt32 { self == .rgb24 ? 1 : 2 }
}

/// The places of everything in a share: a page of facts, then slots, each a page of facts and the pixels of one picture.
/// docs/PICTURES.md has the same as a table, for programs in other languages.
public struct ShareLayout: Sendable, Equatable {
    /// How the pixels are stored.
    public let format: PictureFormat
    /// The size of a picture, in pixels.
    public let width: Int, height: Int
    /// The number of slots. A picture stays intact until nearly that many newer ones have come: the slots that the
    /// writer's own process uses do not count.
    public let slots: Int

    /// The largest width and height, in pixels, and the largest number of slots.
    public static let largest = 16_384, mostSlots = 64
    static let magic: UInt64 = 0x5343_4950_4B43_4F44  // "DOCKPICS" in memory
    static let version: UInt32 = 1
    /// The size of a page of facts, in bytes. Pixels begin at a multiple of it.
    static let page = 4096

    /// Creates a layout. The result is nil if a number is out of range.
    public init?(format: PictureFormat, width: Int, height: Int, slots: Int = 8) {
        guard (1...Self.largest).contains(width), (1...Self.largest).contains(height),
            (3...Self.mostSlots).contains(slots)
        else { return nil }
        (self.format, self.width, self.height, self.slots) = (format, width, height, slots)
    }

    /// The size of a picture, in bytes.
    public var byteCount: Int { format.byteCount(width: width, height: height) }
    /// The distance between two slots, in bytes.
    var stride: Int { Self.page + (byteCount + Self.page - 1) / Self.page * Self.page }
    /// The size of the share, in bytes.
    public var size: Int { Self.page + slots * stride }

    func place(of slot: Int) -> Int { Self.page + slot * stride }
}

/// The places of the facts in their pages, in bytes. Every number has the byte order of the machine.
enum ShareField {
    // The first page.
    static let magic = 0, version = 8, format = 12, width = 16, height = 20, slots = 24
    static let byteCount = 32, firstSlot = 40, stride = 48
    /// The number of the newest picture times 256, plus its slot; 0 before the first.
    static let newest = 64
    /// 1 if no picture will follow.
    static let ended = 72

    // A slot's page. It begins with the version, which is odd while the slot is written.
    /// The number of the picture in this share, from 1; 0 if the slot has none.
    static let number = 8
    static let sequence = 16, exposure = 24, arrival = 32
    static let pan = 40, tilt = 48, panRate = 56, tiltRate = 64
    /// 1: the exposure is estimated; 2: the pose is known.
    static let flags = 72
    /// The magnification, and the place of the camera among the rig's cameras.
    static let zoom = 80, camera = 88
}
