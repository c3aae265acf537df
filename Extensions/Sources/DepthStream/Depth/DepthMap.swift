public import Codecs
internal import Geometry

/// A depth picture whose samples are understood.
public struct DepthMap: Sendable, Equatable {
    /// What a pixel shows.
    public enum Reading: Sendable, Equatable {
        /// Nothing was measured. That never means that there is nothing.
        case none
        /// The distance along the axis of the lens, in metres.
        case metres(Double)
        /// As far as the unit can say, or farther.
        case beyond
    }

    /// The samples, in the right order of bytes.
    public let picture: DepthPicture
    /// How far one count is.
    public let unit: DepthUnit

    /// The samples that are no distances.
    public static let unmeasured: UInt16 = 0, saturated = UInt16.max

    /// Creates a map.
    public init(_ picture: DepthPicture, unit: DepthUnit) { (self.picture, self.unit) = (picture, unit) }

    /// What a pixel shows; nothing outside the picture.
    public subscript(x: Int, y: Int) -> Reading { picture[x, y].map { reading($0) } ?? .none }

    /// What a sample means.
    public func reading(_ sample: UInt16) -> Reading {
        switch sample {
        case Self.unmeasured: .none
        case Self.saturated: .beyond
        default: .metres(Double(sample) * unit.metres)
        }
    }

    /// The same depth in another unit. What is nearer than one count becomes one, because 0 means that nothing was
    /// measured; what is too far becomes the farthest.
    public func samples(in other: DepthUnit) -> DepthPicture {
        guard other != unit else { return picture }
        let factor = unit.metres / other.metres
        return picture.mapped { sample in
            guard sample != Self.unmeasured, sample != Self.saturated else { return sample }
            return UInt16((Double(sample) * factor).rounded().clamped(to: 1...Double(Self.saturated)))
        }
    }
}
