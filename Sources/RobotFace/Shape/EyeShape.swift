internal import Glibc

/// One eye prepared for measuring: everything in the pose that does not depend on the point is computed once per frame.
struct EyeShape: Sendable {
    /// The side: -1 for the eye at screen left, +1 for the one at screen right. The local x points outward.
    private(set) var side: Float = 1
    private(set) var centerX: Float = 0, centerY: Float = 0
    private(set) var bounds = Bounds()
    private var halfWidth: Float = 0, halfHeight: Float = 0, above: Float = 0, below: Float = 0
    private var glyph: [Cone] = []
    private var morph: Float = 0, glyphSize: Float = 1, glyphBlend: Float = 0.01
    private var upper = Lid(), lower = Lid()
    private var pupil = Pupil()

    private struct Lid {
        var isUsed = false
        var edge: Float = 0, sine: Float = 0, cosine: Float = 1, bend: Float = 0
        /// The end of a bent lid's circle, so that it does not reappear on the far side.
        var reach = Float.infinity

        /// Returns a distance; points with a positive one are cut away. `s` is across the lid and `t` along it.
        @inline(__always)
        func cut(_ s: Lanes, _ t: Lanes) -> Lanes {
            if bend == 0 { return s }
            let arc = arcDistance(s, t, bend: bend)
            return bend > 0 ? larger(arc, s - reach) : arc
        }
    }

    private struct Pupil {
        var isUsed = false
        var x: Float = 0, y: Float = 0, halfWidth: Float = 0, halfHeight: Float = 0, radius: Float = 0
        var lightX: Float = 0, lightY: Float = 0, lightRadius: Float = 0
    }

    init() {}

    init(_ pose: EyePose, style: EyeStyle, side: Float, centerX: Float, centerY: Float, gazeX: Float, gazeY: Float) {
        let size = style.size
        let closed = pose[.lid], open = 1 - closed
        let width = pose[.width] * (1 + 0.10 * closed), height = pose[.height] * open + 0.10 * closed
        let a = width * size.width / 2, b = height * size.height / 2, m = min(a, b)
        (self.side, self.centerX, self.centerY) = (side, centerX, centerY)
        (halfWidth, halfHeight) = (a, b)
        (above, below) = (pose[.upperCorner] * m, pose[.lowerCorner] * m)
        morph = pose[.morph] * open
        if pose.glyph != .none, morph > 0.001 {
            glyph = pose.glyph.cones
            glyphBlend = pose.glyph.blend
        } else {
            morph = 0
        }
        glyphSize = max((width * size.width * height * size.height * 0.75).squareRoot(), 0.001)
        upper = Self.lid(
            cover: pose[.upperLid], slope: pose[.upperSlope], bend: pose[.upperBend], open: open, a: a, b: b)
        upper.edge = -upper.edge
        lower = Self.lid(
            cover: pose[.lowerLid], slope: pose[.lowerSlope], bend: pose[.lowerBend], open: open, a: a, b: b)
        pupil = Self.pupil(pose, open: open, side: side, a: a, b: b, m: m, gazeX: gazeX, gazeY: gazeY)
        // A glyph extends beyond its box by its own size: a factor of 1.1 covers every point of heart, star and
        // squeeze.
        let reachX = max(a, morph > 0 ? 0.75 * glyphSize : 0), reachY = max(b, morph > 0 ? 0.75 * glyphSize : 0)
        bounds = Bounds(
            minX: centerX - reachX, minY: centerY - reachY, maxX: centerX + reachX, maxY: centerY + reachY)
    }

    private static func lid(cover: Float, slope: Float, bend: Float, open: Float, a: Float, b: Float) -> Lid {
        let cover = cover * open, slope = slope * open, bend = bend * open
        guard cover != 0 || slope != 0 || bend != 0 else { return Lid() }
        let angle = slope * .pi / 180
        let reach = bend > 0 ? a * (1 - (1 - bend * bend).squareRoot()) / bend : .infinity
        return Lid(
            isUsed: true, edge: b + 0.08 - min(cover, 0.86) * (2 * b + 0.08), sine: sinf(angle), cosine: cosf(angle),
            bend: bend / a, reach: reach)
    }

    private static func pupil(
        _ pose: EyePose, open: Float, side: Float, a: Float, b: Float, m: Float, gazeX: Float, gazeY: Float
    ) -> Pupil {
        let size = pose[.pupil] * open
        guard size > 0.01 else { return Pupil() }
        let q = size * m, halfWidth = q * pose[.pupilAspect]
        let roomX = max(a - 0.06 - halfWidth, 0), roomY = max(b - 0.06 - q, 0)
        let screenX = min(max((pose[.pupilX] + 0.5 * gazeX) * a, -roomX), roomX)
        let y = min(max((pose[.pupilY] + 0.4 * gazeY) * b, -roomY), roomY)
        // The catch light is always at the upper left of the screen, so its local x changes sign with the side.
        return Pupil(
            isUsed: true, x: side * screenX, y: y, halfWidth: halfWidth, halfHeight: q, radius: min(halfWidth, q),
            lightX: side * (screenX - 0.34 * q), lightY: y - 0.38 * q, lightRadius: pose[.catchLight] * q)
    }

    /// Returns the signed distance to the lit part, and how far each point is beyond a bent lid (for the halo), at
    /// points of the face frame.
    @inline(__always)
    func measure(_ x: Lanes, _ y: Lanes) -> (distance: Lanes, beyond: Lanes) {
        let u = side * (x - centerX), v = y - centerY
        var d = boxDistance(u, v, halfWidth: halfWidth, halfHeight: halfHeight, above: above, below: below)
        if morph > 0 { d = (1 - morph) * d + morph * glyphSize * glyphDistance(u / glyphSize, v / glyphSize) }
        var beyond = Lanes.zero
        if upper.isUsed {
            let w = v - upper.edge
            let s = -u * upper.sine - w * upper.cosine, t = u * upper.cosine - w * upper.sine
            d = smoothMax(d, upper.cut(s, t), 0.10)
            beyond = larger(beyond, s - upper.reach)
        }
        if lower.isUsed {
            let w = v - lower.edge
            let s = -u * lower.sine + w * lower.cosine, t = u * lower.cosine + w * lower.sine
            d = smoothMax(d, lower.cut(s, t), 0.10)
            beyond = larger(beyond, s - lower.reach)
        }
        if pupil.isUsed {
            let hole = boxDistance(
                u - pupil.x, v - pupil.y, halfWidth: pupil.halfWidth, halfHeight: pupil.halfHeight,
                above: pupil.radius, below: pupil.radius)
            d = smoothMax(d, -hole, 0.04)
            if pupil.lightRadius > 0 {
                let lx = u - pupil.lightX, ly = v - pupil.lightY
                d = smaller(d, roots(lx * lx + ly * ly) - pupil.lightRadius)
            }
        }
        return (d, beyond)
    }

    /// Returns the distance to the glyph, whose cones are blended so that no seam is visible where two of them meet.
    private func glyphDistance(_ u: Lanes, _ v: Lanes) -> Lanes {
        var nearest = Lanes(repeating: .infinity)
        for cone in glyph {
            let distance = cone.distance(u, v)
            nearest = nearest[0] == .infinity ? distance : smoothMin(nearest, distance, glyphBlend)
        }
        return nearest
    }
}
