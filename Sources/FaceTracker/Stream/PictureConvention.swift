import Geometry

/// The way in which a stream describes rectangles, and the conversion to our convention: normalised, top-left, upright,
/// unmirrored.
struct PictureConvention: Sendable, Equatable {
    /// The result of converting a face's four numbers.
    enum Outcome: Equatable { case rect(Rect), bad, outside }

    var isPixels = false
    var isBottomLeft = false
    var isCorners = false
    var orientation: PictureOrientation
    var image: PictureSize?

    /// Uses the profile's values, overridden by the declarations of the hello.
    init(options: DecoderOptions, hello: StreamHello? = nil) {
        orientation = PictureOrientation(
            rotate: hello?.rotate ?? options.rotate, isMirrored: hello?.mirrored ?? options.mirror)
        isPixels = hello?.units == .pixels
        isBottomLeft = hello?.origin == .bottomLeft
        isCorners = hello?.format == .xyxy
        image = hello?.image
    }

    /// Returns the size of the upright frame.
    func upright(_ size: PictureSize?) -> PictureSize? {
        size.map(orientation.upright)
    }

    /// Returns a face's rectangle from its numbers as they were written. `size` is needed for pixels only.
    func rect(_ numbers: SIMD4<Double>, size: PictureSize?) -> Outcome {
        var (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        if isCorners { (width, height) = (width - x, height - y) }
        if isPixels {
            guard let size else { return .bad }
            (x, width) = (x / size.width, width / size.width)
            (y, height) = (y / size.height, height / size.height)
        }
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 1e-6, height > 1e-6 else { return .bad }
        guard abs(x) <= 2, abs(y) <= 2, width <= 2, height <= 2 else { return .outside }
        if isBottomLeft { y = 1 - y - height }
        return .rect(orientation.upright(Rect(x: x, y: y, width: width, height: height)))
    }

    /// Returns a landmark from its numbers as they were written.
    func point(_ point: Point, size: PictureSize?) -> Point {
        var (x, y) = (point.x, point.y)
        if isPixels, let size { (x, y) = (x / size.width, y / size.height) }
        if isBottomLeft { y = 1 - y }
        return orientation.upright(Point(x: x, y: y))
    }
}
