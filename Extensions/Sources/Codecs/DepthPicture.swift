/// A picture with one number of 16 bits for each pixel: how far the place that it shows is, in a unit that the picture
/// does not know.
public struct DepthPicture: Sendable, Equatable {
    /// The size in pixels, each 1 to `PictureLimits.side`.
    public let width: Int, height: Int
    /// The samples, row by row, without gaps.
    public private(set) var samples: [UInt16]

    /// Takes over the samples of a picture. The result is nil if the size is out of range, or does not fit their number.
    public init?(width: Int, height: Int, samples: consuming [UInt16]) {
        let sides = 1...PictureLimits.side
        guard sides.contains(width), sides.contains(height), samples.count == width * height else { return nil }
        (self.width, self.height) = (width, height)
        self.samples = samples
    }

    /// The same picture with the two bytes of each sample exchanged.
    public var swapped: DepthPicture {
        var picture = self
        picture.samples.withUnsafeMutableBufferPointer { samples in
            for at in samples.indices { samples[at] = samples[at].byteSwapped }
        }
        return picture
    }

    /// The same picture with each sample replaced.
    public func mapped(_ change: (UInt16) -> UInt16) -> DepthPicture {
        var picture = self
        picture.samples.withUnsafeMutableBufferPointer { samples in
            for at in samples.indices { samples[at] = change(samples[at]) }
        }
        return picture
    }

    /// The sample of a pixel, or nil outside the picture.
    public subscript(x: Int, y: Int) -> UInt16? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return samples[y * width + x]
    }
}
