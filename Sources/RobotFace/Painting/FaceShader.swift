internal import Glibc

/// Eight adjacent points of the canvas, and a circle around them, to skip distant parts.
struct Patch {
    var x: Lanes, y: Lanes
    var middle: SIMD2<Float>
    var radius: Float
}

/// The light of the face at points of the canvas: halo, eyes, brows, blush and mark, drawn over each other.
///
/// A point represents a square of `pixel` units: the distance to a part determines how much of the square it covers.
struct FaceShader: Sendable {
    private(set) var shape = FaceShape()
    private(set) var ink = FaceInk(FaceState(.normal), .coverage)
    /// The distance in units from the left or the right eye beyond which its halo is below one step of a screen.
    private var haloReach: (left: Float, right: Float) = (0, 0)

    /// Prepares for a face.
    mutating func set(_ face: FaceState, _ kind: FaceInk.Kind) {
        shape.set(face)
        ink = FaceInk(face, kind)
        haloReach = (Self.reach(ink.halo.left), Self.reach(ink.halo.right))
    }

    /// Returns the distance at which a halo of this gain has faded to 0.0003, the smallest light that a screen shows.
    private static func reach(_ gain: Float) -> Float { gain > 0.0003 ? 0.15 * logf(gain / 0.0003) : 0 }

    /// Returns whether any light is possible within a circle of the canvas.
    @inline(__always)
    func isLit(_ middle: SIMD2<Float>, radius: Float) -> Bool {
        hasNear(middle, left: radius + haloReach.left, right: radius + haloReach.right, layers: radius)
    }

    /// Returns whether no part, and therefore no edge, reaches into a circle of the canvas.
    @inline(__always)
    func isCalm(_ middle: SIMD2<Float>, radius: Float) -> Bool {
        !hasNear(middle, left: radius, right: radius, layers: radius)
    }

    @inline(__always)
    private func hasNear(_ middle: SIMD2<Float>, left: Float, right: Float, layers: Float) -> Bool {
        let p = shape.inFace(middle.x, middle.y)
        if shape.left.bounds.distance(p.x, p.y) < left || shape.right.bounds.distance(p.x, p.y) < right { return true }
        for layer in shape.layers {
            let q = layer.inFaceFrame ? SIMD2(p.x, p.y) : middle
            if layer.bounds.distance(q.x, q.y) < layers { return true }
        }
        return false
    }

    /// Returns the light at a patch's points. `halo`: the halo values of the previous patch. With them, an eye that
    /// does not reach into this patch is not measured again.
    @inline(never)
    func light(_ patch: Patch, pixel: Float, halo: (left: Float, right: Float)? = nil) -> FaceLight {
        let points = shape.inFace(patch.x, patch.y)
        let middle = shape.inFace(patch.middle.x, patch.middle.y)
        let reach = patch.radius + pixel
        let leftAway = shape.left.bounds.distance(middle.x, middle.y)
        let rightAway = shape.right.bounds.distance(middle.x, middle.y)
        var result = FaceLight()
        var left = Lanes(repeating: .infinity), right = left
        if leftAway < reach + (halo == nil ? haloReach.left : 0) {
            let eye = shape.left.measure(points.x, points.y)
            if ink.halo.left > 0 { result.leftHalo = glow(eye, ink.halo.left) }
            left = eye.distance
        } else if let halo {
            result.leftHalo = Lanes(repeating: halo.left)
        }
        if rightAway < reach + (halo == nil ? haloReach.right : 0) {
            let eye = shape.right.measure(points.x, points.y)
            if ink.halo.right > 0 { result.rightHalo = glow(eye, ink.halo.right) }
            right = eye.distance
        } else if let halo {
            result.rightHalo = Lanes(repeating: halo.right)
        }
        result.add(ink.colour, result.leftHalo + result.rightHalo)
        lay(left, leftAway < reach, right, rightAway < reach, patch, points, middle, 1 / pixel, &result)
        return result
    }

    /// Draws all parts over the halo, later ones over earlier ones.
    @inline(__always)
    private func lay(
        _ left: Lanes, _ leftIsNear: Bool, _ right: Lanes, _ rightIsNear: Bool, _ patch: Patch,
        _ points: (x: Lanes, y: Lanes), _ middle: (x: Float, y: Float), _ sharpness: Float, _ result: inout FaceLight
    ) {
        if leftIsNear { layEye(left, ink.brightness.left, sharpness, &result) }
        if !shape.leftLayers.isEmpty { layStrokes(shape.leftLayers, patch, points, middle, sharpness, &result) }
        if rightIsNear { layEye(right, ink.brightness.right, sharpness, &result) }
        if !shape.rightLayers.isEmpty { layStrokes(shape.rightLayers, patch, points, middle, sharpness, &result) }
        if !shape.markLayers.isEmpty { layStrokes(shape.markLayers, patch, points, middle, sharpness, &result) }
    }

    @inline(__always)
    private func glow(_ eye: (distance: Lanes, beyond: Lanes), _ gain: Float) -> Lanes {
        let outside = larger(eye.distance, .zero)
        let far = roots(outside * outside + eye.beyond * eye.beyond)
        return gain * decay(far * (1 / 0.15))
    }

    @inline(__always)
    private func layEye(_ distance: Lanes, _ brightness: Float, _ sharpness: Float, _ result: inout FaceLight) {
        let depth = share(distance * (-1 / 0.20)), core = depth * depth * (3 - 2 * depth)
        let shade = brightness * (ink.rim + (1 - ink.rim) * core)
        let coverage = share(0.5 - distance * sharpness)
        result.lay(ink.colour, shade, white: ink.whiteness * brightness * core, coverage: coverage)
        result.edge = smaller(result.edge, magnitude(distance))
    }

    private func layStrokes(
        _ layers: Range<Int>, _ patch: Patch, _ points: (x: Lanes, y: Lanes), _ middle: (x: Float, y: Float),
        _ sharpness: Float, _ result: inout FaceLight
    ) {
        let reach = patch.radius + 1 / sharpness
        for index in layers {
            let layer = shape.layers[index]
            let away =
                layer.inFaceFrame
                ? layer.bounds.distance(middle.x, middle.y) : layer.bounds.distance(patch.middle.x, patch.middle.y)
            guard away < reach else { continue }
            let distance =
                layer.inFaceFrame
                ? strokeDistance(layer, points.x, points.y, SIMD2(middle.x, middle.y), reach)
                : strokeDistance(layer, patch.x, patch.y, patch.middle, reach)
            guard let distance else { continue }
            let coverage = share(0.5 - distance * sharpness) * layer.opacity
            switch layer.role {
            case .brow:
                let brightness = shape.leftLayers.contains(index) ? ink.brightness.left : ink.brightness.right
                let shade = Lanes(repeating: ink.brow * brightness)
                result.lay(ink.colour, shade, white: .zero, coverage: coverage)
            case .blush, .mark:
                result.lay(ink.accent, Lanes(repeating: 1), white: .zero, coverage: coverage)
            }
            result.edge = smaller(result.edge, magnitude(distance))
        }
    }

    /// Returns the distance to the cones near the patch, which are usually one or two of a mark's dozens, or nil if
    /// there are none.
    @inline(__always)
    private func strokeDistance(
        _ layer: FaceLayer, _ x: Lanes, _ y: Lanes, _ middle: SIMD2<Float>, _ reach: Float
    ) -> Lanes? {
        shape.cones.withUnsafeBufferPointer { cones in
            var nearest: Lanes?
            for index in layer.cones where cones[index].bounds.distance(middle.x, middle.y) < reach {
                let distance = cones[index].distance(x, y)
                nearest = nearest.map { smaller($0, distance) } ?? distance
            }
            return nearest
        }
    }
}
