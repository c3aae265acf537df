internal import Glibc

// These are signed distances: they are negative inside, and never change faster than the point moves, so that one
// sample can decide a whole cell.

/// Returns the larger of two distances, with the crease rounded over `width`: the intersection.
@inline(__always)
func smoothMax(_ a: Lanes, _ b: Lanes, _ width: Float) -> Lanes {
    let overlap = larger(width - magnitude(a - b), .zero) * (1 / width)
    return larger(a, b) + width * 0.25 * overlap * overlap
}

/// Returns the smaller of two distances, with the crease rounded over `width`: the union.
@inline(__always)
func smoothMin(_ a: Lanes, _ b: Lanes, _ width: Float) -> Lanes {
    let overlap = larger(width - magnitude(a - b), .zero) * (1 / width)
    return smaller(a, b) - width * 0.25 * overlap * overlap
}

/// Returns the distance to a box around the origin with half sizes, and separate corner radii above and below.
@inline(__always)
func boxDistance(_ x: Lanes, _ y: Lanes, halfWidth: Float, halfHeight: Float, above: Float, below: Float) -> Lanes {
    let radius = Lanes(repeating: below).replacing(with: above, where: y .< 0)
    let qx = magnitude(x) - halfWidth + radius, qy = magnitude(y) - halfHeight + radius
    let outsideX = larger(qx, .zero), outsideY = larger(qy, .zero)
    return smaller(larger(qx, qy), .zero) + roots(outsideX * outsideX + outsideY * outsideY) - radius
}

/// Returns the distance to a line (`bend` 0) or to a circle of curvature `bend` that touches it at the origin. Points
/// with a positive distance are cut away.
@inline(__always)
func arcDistance(_ s: Lanes, _ t: Lanes, bend: Float) -> Lanes {
    let square = s * s + t * t
    let root = roots(larger(1 - 2 * bend * s + bend * bend * square, .zero))
    return (2 * s - bend * square) / (1 + root)
}

/// A capsule with two radii: the single stroke of which brows, blush, marks, hearts and stars consist.
struct Cone: Sendable {
    private var x: Float, y: Float, radius: Float, endRadius: Float
    private var axisX: Float, axisY: Float, length: Float
    private var slope: Float, cosine: Float
    /// A box around it.
    private(set) var bounds = Bounds()

    /// Creates a cone from a circle at (x1, y1) to a circle at (x2, y2).
    init(_ x1: Float, _ y1: Float, _ r1: Float, _ x2: Float, _ y2: Float, _ r2: Float) {
        let dx = x2 - x1, dy = y2 - y1
        let n = (dx * dx + dy * dy).squareRoot()
        guard n > abs(r1 - r2) else {
            // One circle contains the other, so only the larger one remains.
            (x, y, radius) = r1 >= r2 ? (x1, y1, r1) : (x2, y2, r2)
            (endRadius, axisX, axisY, length, slope, cosine) = (radius, 1, 0, 0, 0, 1)
            bounds = box
            return
        }
        (x, y, radius, endRadius) = (x1, y1, r1, r2)
        (axisX, axisY, length) = (dx / n, dy / n, n)
        slope = (r1 - r2) / n
        cosine = max(1 - slope * slope, 0).squareRoot()
        bounds = box
    }

    /// Creates the same cone, scaled about the origin and then shifted.
    init(_ shape: ConeShape, scale: Float, x: Float, y: Float) {
        self.init(
            x + shape.x1 * scale, y + shape.y1 * scale, shape.r1 * scale, x + shape.x2 * scale,
            y + shape.y2 * scale, shape.r2 * scale)
    }

    @inline(__always)
    func distance(_ px: Lanes, _ py: Lanes) -> Lanes {
        let dx = px - x, dy = py - y
        let along = dx * axisX + dy * axisY
        let across = magnitude(dx * axisY - dy * axisX)
        let k = along * cosine - across * slope
        let isBehind = k .> cosine * length
        let rest = along.replacing(with: along - length, where: isBehind)
        let end = Lanes(repeating: radius).replacing(with: endRadius, where: isBehind)
        let caps = roots(across * across + rest * rest) - end
        let side = across * cosine + along * slope - radius
        return side.replacing(with: caps, where: isBehind .| (k .< 0))
    }

    private var box: Bounds {
        let x2 = x + axisX * length, y2 = y + axisY * length
        return Bounds(
            minX: min(x - radius, x2 - endRadius), minY: min(y - radius, y2 - endRadius),
            maxX: max(x + radius, x2 + endRadius), maxY: max(y + radius, y2 + endRadius))
    }
}

/// A box in units around a part of the face, to skip distant points.
struct Bounds: Sendable, Equatable {
    var minX: Float = .infinity, minY: Float = .infinity, maxX: Float = -.infinity, maxY: Float = -.infinity

    mutating func include(_ other: Bounds) {
        minX = min(minX, other.minX)
        minY = min(minY, other.minY)
        maxX = max(maxX, other.maxX)
        maxY = max(maxY, other.maxY)
    }

    /// Returns a lower bound of the distance to the part.
    @inline(__always)
    func distance(_ x: Float, _ y: Float) -> Float {
        max(max(minX - x, x - maxX), max(minY - y, y - maxY))
    }
}
