public import Geometry

/// A part of a picture in which there is a face, or one moves.
public struct FaceArea: Sendable, Equatable {
    /// The part to cover, normalised.
    public var rect: Rect
    /// The size of the largest face in it, in picture widths and heights. The blocks of a mosaic follow from it.
    public var faceWidth: Double, faceHeight: Double

    /// Creates an area around a face, which is larger on each side by `growth` of its size.
    public init(_ face: Rect, growth: Double) {
        let (dx, dy) = (face.width * growth, face.height * growth)
        rect = Rect(x: face.x - dx, y: face.y - dy, width: face.width + 2 * dx, height: face.height + 2 * dy)
        (faceWidth, faceHeight) = (face.width, face.height)
    }

    /// The same area, larger by a distance on each side: in picture widths and heights.
    func extended(dx: Double, dy: Double) -> FaceArea {
        var new = self
        new.rect = Rect(x: rect.x - dx, y: rect.y - dy, width: rect.width + 2 * dx, height: rect.height + 2 * dy)
        return new
    }

    /// The smallest area that contains both.
    public func hull(_ other: FaceArea) -> FaceArea {
        var new = self
        let x = min(rect.x, other.rect.x), y = min(rect.y, other.rect.y)
        new.rect = Rect(
            x: x, y: y, width: max(rect.maxX, other.rect.maxX) - x, height: max(rect.maxY, other.rect.maxY) - y)
        new.faceWidth = max(faceWidth, other.faceWidth)
        new.faceHeight = max(faceHeight, other.faceHeight)
        return new
    }

    /// Whether covering this area covers the other one, with blocks that are no smaller.
    func contains(_ other: FaceArea) -> Bool {
        other.rect.x >= rect.x && other.rect.y >= rect.y && other.rect.maxX <= rect.maxX
            && other.rect.maxY <= rect.maxY && other.faceWidth <= faceWidth && other.faceHeight <= faceHeight
    }

    /// Whether the hull with another area hardly covers more than the two.
    func merges(_ other: FaceArea) -> Bool {
        guard let common = rect.intersection(other.rect) else { return false }
        let both = rect.area + other.rect.area - common.area
        return hull(other).rect.area <= both * Self.waste
    }

    /// The hull of two areas may cover this much more than they do. A face that moves along an edge of the picture gives
    /// one area, one that moves across gives several.
    static let waste = 1.2
}

/// The areas of one picture. Those that mostly overlap become one.
struct FaceAreas: Sendable {
    private(set) var all: [FaceArea] = []
    /// Whether there were more areas than `most`.
    private(set) var isOverfull = false

    /// The maximum number of areas in a picture.
    static let most = 64

    mutating func add(_ area: FaceArea) {
        guard area.rect.intersection(.full) != nil, !isOverfull else { return }
        var new = area, index = 0
        while index < all.count {
            if all[index].contains(new) { return }
            guard all[index].merges(new) else {
                index += 1
                continue
            }
            // The hull may overlap others.
            new = all.remove(at: index).hull(new)
            index = 0
        }
        isOverfull = all.count == Self.most
        if !isOverfull { all.append(new) }
    }
}
