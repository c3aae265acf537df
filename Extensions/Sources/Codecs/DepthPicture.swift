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

    /// The picture of a camera that is mounted otherwise, upright: left and right are exchanged if it is mirrored, then it is
    /// turned clockwise. That is the order in which the daemon treats the pictures of its cameras.
    /// - Parameter rotate: 0, 90, 180 or 270 degrees; other numbers count as 0.
    public func upright(rotate: Int, isMirrored: Bool) -> DepthPicture {
        let isAcross = rotate == 90 || rotate == 270
        guard isAcross || rotate == 180 || isMirrored else { return self }
        let wide = isAcross ? height : width, high = isAcross ? width : height
        let turned = [UInt16](unsafeUninitializedCapacity: width * height) { room, count in
            samples.withUnsafeBufferPointer { samples in
                for y in 0..<height {
                    for x in 0..<width {
                        let across = isMirrored ? width - 1 - x : x
                        let place: (column: Int, row: Int) =
                            switch rotate {
                            case 90: (height - 1 - y, across)
                            case 180: (width - 1 - across, height - 1 - y)
                            case 270: (y, width - 1 - across)
                            default: (across, y)
                            }
                        room[place.row * wide + place.column] = samples[y * width + x]
                    }
                }
            }
            count = width * height
        }
        return DepthPicture(width: wide, height: high, samples: turned) ?? self
    }

    /// The sample of a pixel, or nil outside the picture.
    public subscript(x: Int, y: Int) -> UInt16? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return samples[y * width + x]
    }
}
