public import Geometry
internal import Glibc

/// The lens of a camera as a calibration found it: for pictures of one size, upright and not mirrored.
public struct CalibratedLens: Sendable, Equatable {
    /// The size of the pictures that it was found with, in pixels.
    public var width, height: Double
    /// The focal lengths, in pixels of that size.
    public var focal: Point
    /// Where the lens looks straight ahead, in pixels of that size.
    public var principal: Point
    /// How the lens bends straight lines.
    public var distortion = LensDistortion.none
    /// How the camera is turned against the head.
    public var mount = MountAngles.straight
    /// Where the numbers come from, in words: "15 views, 0.2 pixels, 2026-01-31", or the name of a file; empty if unknown.
    public var source = ""

    /// Creates a lens without distortion that looks where the head looks.
    public init(width: Double, height: Double, focal: Point, principal: Point) {
        (self.width, self.height, self.focal, self.principal) = (width, height, focal, principal)
    }

    /// The width divided by the height.
    public var aspect: Double { width / height }

    /// The horizontal field of view, in radians, as a lens without distortion would have it.
    public var horizontalFieldOfView: Double { 2 * atan(0.5 * width / focal.x) }

    /// The focal lengths that a lens can have, in picture widths: fields of view from 5 to 170 degrees.
    public static let focalLengths = 0.04...12.0
    /// Where the middle of a lens can be, in picture widths and heights.
    public static let middles = -1.0...2.0

    /// Returns the lens for pictures of another size, in pixels, or nil if they have another shape.
    public func scaled(width: Int, height: Int) -> CalibratedLens? {
        guard fits(aspect: Double(width) / Double(height)) else { return nil }
        let (x, y) = (Double(width) / self.width, Double(height) / self.height)
        var result = self
        (result.width, result.height) = (Double(width), Double(height))
        result.focal = Point(x: focal.x * x, y: focal.y * y)
        result.principal = Point(x: principal.x * x, y: principal.y * y)
        return result
    }

    /// How much two pictures may differ in width divided by height and still be scaled copies of each other.
    private static let sameShape = 0.01

    /// Returns whether pictures of another shape (width divided by height) can be scaled copies of those that it was found
    /// with. A camera that crops its picture for another shape has another lens there.
    public func fits(aspect: Double) -> Bool { abs(self.aspect / aspect - 1) < Self.sameShape }
}
