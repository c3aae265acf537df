public import Codecs
internal import Geometry

/// Covers what a verdict names.
public struct PictureCover: Sendable, Equatable {
    /// How an area is covered.
    public enum Style: String, Sendable, CaseIterable {
        /// With blocks, five across a face: the picture still shows where a person is.
        case blocks
        /// With one colour.
        case solid
    }

    /// How an area is covered.
    public var style: Style
    /// The number of blocks across a face. With six, a network still found 41 % of faces in a test; with five, 21 %.
    public static let blocksAcrossFace = 5.0
    /// The number of blocks in a row of a whole picture. No face has more, however large it is.
    public static let blocksAcrossPicture = 6

    /// Creates a cover.
    public init(_ style: Style = .blocks) { self.style = style }

    /// Covers what the verdict names.
    public func apply(_ verdict: FrameVerdict, to picture: inout PlanarPicture) {
        switch verdict {
        case .clear, .open: break
        case .faces(let areas): for area in areas { cover(area, in: &picture) }
        case .whole: Mosaic.coverWhole(&picture, columns: style == .blocks ? Self.blocksAcrossPicture : 1)
        }
    }

    private func cover(_ area: FaceArea, in picture: inout PlanarPicture) {
        let pixels = PixelRect(covering: area.rect, width: picture.width, height: picture.height)
        guard style == .blocks else { return Mosaic.coverSolid(&picture, pixels) }
        Mosaic.cover(
            &picture, pixels, columns: Self.blocks(area.rect.width, face: area.faceWidth),
            rows: Self.blocks(area.rect.height, face: area.faceHeight))
    }

    /// Returns the number of blocks along a side, so that a face has at most five.
    private static func blocks(_ side: Double, face: Double) -> Int {
        let count = side / face * blocksAcrossFace
        return count.isFinite ? Int(count.clamped(to: 1...4096)) : 1
    }
}
