internal import Glibc

// Signed distances: negative inside, and never changing faster than the point moves, so that one sample can decide a
// whole cell.

/// The larger of two distances with the crease rounded over `width`: what is inside both.
@inline(__always)
func smoothMax(_ a: Float, _ b: Float, _ width: Float) -> Float {
    let overlap = max(width - abs(a - b), 0) / width
    return max(a, b) + width * 0.25 * overlap * overlap
}

/// Distance of a box around the origin with half sizes and corner radii of its own above and below.
@inline(__always)
func boxDistance(_ x: Float, _ y: Float, halfWidth: Float, halfHeight: Float, above: Float, below: Float) -> Float {
    let radius = y < 0 ? above : below
    let qx = abs(x) - halfWidth + radius, qy = abs(y) - halfHeight + radius
    let outsideX = max(qx, 0), outsideY = max(qy, 0)
    return min(max(qx, qy), 0) + (outsideX * outsideX + outsideY * outsideY).squareRoot() - radius
}

/// Distance to a line (`bend` 0) or a circle of curvature `bend` that touches it at the origin; positive is cut away.
@inline(__always)
func arcDistance(_ s: Float, _ t: Float, bend: Float) -> Float {
    let square = s * s + t * t
    let root = max(1 - 2 * bend * s + bend * bend * square, 0).squareRoot()
    return (2 * s - bend * square) / (1 + root)
}

/// A capsule with two radii: the one stroke that brows, blush, marks, hearts and stars are made of.
struct Cone: Sendable {
    private var x: Float, y: Float, radius: Float, endRadius: Float
    private var axisX: Float, axisY: Float, length: Float
    private var slope: Float, cosine: Float

    /// From a circle at (x1, y1) to a circle at (x2, y2).
    init(_ x1: Float, _ y1: Float, _ r1: Float, _ x2: Float, _ y2: Float, _ r2: Float) {
        let dx = x2 - x1, dy = y2 - y1
        let n = (dx * dx + dy * dy).squareRoot()
        guard n > abs(r1 - r2) else {
            // One circle holds the other: the larger is all there is.
            (x, y, radius) = r1 >= r2 ? (x1, y1, r1) : (x2, y2, r2)
            (endRadius, axisX, axisY, length, slope, cosine) = (radius, 1, 0, 0, 0, 1)
            return
        }
        (x, y, radius, endRadius) = (x1, y1, r1, r2)
        (axisX, axisY, length) = (dx / n, dy / n, n)
        slope = (r1 - r2) / n
        cosine = max(1 - slope * slope, 0).squareRoot()
    }

    /// The same cone scaled about the origin, then shifted.
    init(_ shape: ConeShape, scale: Float, x: Float, y: Float) {
        self.init(
            x + shape.x1 * scale, y + shape.y1 * scale, shape.r1 * scale, x + shape.x2 * scale,
            y + shape.y2 * scale, shape.r2 * scale)
    }

    @inline(__always)
    func distance(_ px: Float, _ py: Float) -> Float {
        let dx = px - x, dy = py - y
        let along = dx * axisX + dy * axisY
        let across = abs(dx * axisY - dy * axisX)
        let k = along * cosine - across * slope
        if k < 0 { return (dx * dx + dy * dy).squareRoot() - radius }
        if k > cosine * length {
            let rest = along - length
            return (across * across + rest * rest).squareRoot() - endRadius
        }
        return across * cosine + along * slope - radius
    }

    /// A box that holds it.
    var bounds: Bounds {
        let x2 = x + axisX * length, y2 = y + axisY * length
        return Bounds(
            minX: min(x - radius, x2 - endRadius), minY: min(y - radius, y2 - endRadius),
            maxX: max(x + radius, x2 + endRadius), maxY: max(y + radius, y2 + endRadius))
    }
}

/// A box in units that holds a part of the face, to skip what is far away.
struct Bounds: Sendable, Equatable {
    var minX: Float = .infinity, minY: Float = .infinity, maxX: Float = -.infinity, maxY: Float = -.infinity

    mutating func include(_ other: Bounds) {
        minX = min(minX, other.minX)
        minY = min(minY, other.minY)
        maxX = max(maxX, other.maxX)
        maxY = max(maxY, other.maxY)
    }

    /// No part is nearer than this.
    @inline(__always)
    func distance(_ x: Float, _ y: Float) -> Float {
        max(max(minX - x, x - maxX), max(minY - y, y - maxY))
    }
}
