public import Codecs

/// How a depth camera lays out a picture in memory.
public struct DepthShape: Sendable, Equatable {
    /// The size in pixels.
    public let width: Int, height: Int
    /// The bytes from the beginning of a row to that of the next one, a multiple of two.
    public let stride: Int

    /// The size that a camera is asked for, in pixels: that of the app's pictures.
    public static let usual = (width: 640, height: 480)

    /// Creates a shape; nil if no picture can have it. A stride of 0 means that there are no gaps between the rows.
    public init?(width: Int, height: Int, stride: Int) {
        guard (try? PictureLimits.check(width: width, height: height)) != nil else { return nil }
        let row = 2 * width, stride = stride == 0 ? row : stride
        guard stride >= row, stride <= Self.longestRow, stride.isMultiple(of: 2) else { return nil }
        (self.width, self.height, self.stride) = (width, height, stride)
    }

    /// The longest row that is accepted, in bytes.
    private static let longestRow = 1 << 16

    /// The bytes from the first sample to the end of the last one.
    public var byteCount: Int { stride * (height - 1) + 2 * width }

    /// Copies a picture, whose samples have the lowest byte first. The result is nil if there are too few bytes.
    public func picture(_ bytes: UnsafeRawBufferPointer) -> DepthPicture? {
        guard bytes.count >= byteCount else { return nil }
        let row = 2 * width
        let samples = [UInt16](unsafeUninitializedCapacity: width * height) { room, count in
            let target = UnsafeMutableRawBufferPointer(room)
            for y in 0..<height {
                UnsafeMutableRawBufferPointer(rebasing: target[(row * y)..<(row * (y + 1))])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(stride * y)..<(stride * y + row)]))
            }
            count = width * height
            // Changes nothing on a machine that has the lowest byte first, too.
            for at in 0..<count { room[at] = UInt16(littleEndian: room[at]) }
        }
        return DepthPicture(width: width, height: height, samples: samples)
    }
}
