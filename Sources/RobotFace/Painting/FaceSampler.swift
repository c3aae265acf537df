internal import Glibc

/// What one pixel shows: its light, and for palettes the part on top and how bright it is.
struct FacePixel: Sendable {
    var light = SIMD3<Float>.zero
    /// Share of the pixel that any part covers.
    var coverage: Float = 0
    var level: Float = 0
    var part = FacePart.ground
}

/// Measures the face pixel by pixel. The signed distance at the middle of a pixel says whether it lies wholly inside or
/// outside a part; only pixels on an edge are sampled 4x4.
struct FaceSampler: Sendable {
    private let width: Float, height: Float
    private let origin: SIMD2<Float>
    /// Half a pixel's diagonal plus the ramp of one sample: beyond it a pixel is not on the edge.
    private let reach: Float
    private var shape = FaceShape()
    private var ink: Ink
    private let upright: Samples
    private var rolled: Samples

    /// For columns x rows pixels; `aspect` is a pixel's height over its width. The canvas of 4 x 2.4 units is fitted in.
    init(columns: Int, rows: Int, aspect: Float) {
        let unit = min(Float(columns) / 4, Float(rows) * aspect / 2.4)
        (width, height) = (1 / unit, aspect / unit)
        origin = SIMD2((0.5 - Float(columns) / 2) * width, (0.5 - Float(rows) / 2) * height)
        reach = (width * width + height * height).squareRoot() * 0.64
        upright = Samples(stepX: width / 4, stepY: height / 4, cosine: 1, sine: 0)
        rolled = upright
        ink = Ink(FaceState(.normal), halo: false)
    }

    /// Prepares for a face, with its halo or without.
    mutating func set(_ face: FaceState, halo: Bool) {
        shape.set(face)
        ink = Ink(face, halo: halo)
        rolled = Samples(stepX: width / 4, stepY: height / 4, cosine: shape.cosine, sine: shape.sine)
    }

    /// Draws all pixels, row by row.
    func draw(columns: Int, into pixels: UnsafeMutableBufferPointer<FacePixel>) {
        var canvas = origin
        var column = 0
        for index in pixels.indices {
            var pixel = FacePixel()
            fill(&pixel, canvas)
            pixels[index] = pixel
            column += 1
            canvas.x += width
            if column == columns {
                column = 0
                canvas = SIMD2(origin.x, canvas.y + height)
            }
        }
    }

    private struct Ink {
        var colour: SIMD3<Float>, accent: SIMD3<Float>
        var leftBrightness: Float, rightBrightness: Float, leftHalo: Float, rightHalo: Float

        init(_ face: FaceState, halo: Bool) {
            colour = face.colour.light
            accent = face.accent.light
            (leftBrightness, rightBrightness) = (face.left[.brightness], face.right[.brightness])
            leftHalo = halo ? 0.13 * face.left[.glow] * leftBrightness : 0
            rightHalo = halo ? 0.13 * face.right[.glow] * rightBrightness : 0
        }
    }

    /// Where the 4x4 samples of a pixel lie, as steps in a frame that may be rolled.
    private struct Samples {
        var across: SIMD2<Float>, down: SIMD2<Float>, ramp: Float

        init(stepX: Float, stepY: Float, cosine: Float, sine: Float) {
            across = SIMD2(cosine * stepX, -sine * stepX)
            down = SIMD2(sine * stepY, cosine * stepY)
            ramp = 1 / stepX
        }

        /// The covered share: the mean of the samples, each with a ramp of its own size.
        @inline(__always)
        func coverage(_ middle: SIMD2<Float>, _ distance: (SIMD2<Float>) -> Float) -> Float {
            var sum: Float = 0
            var start = middle - 1.5 * (across + down)
            for _ in 0..<4 {
                var point = start
                for _ in 0..<4 {
                    sum += min(max(0.5 - distance(point) * ramp, 0), 1)
                    point += across
                }
                start += down
            }
            return sum / 16
        }
    }

    /// Beyond this many units from an eye its halo is below one step of a screen.
    private static let haloReach: Float = 0.9

    @inline(__always)
    private func fill(_ pixel: inout FacePixel, _ canvas: SIMD2<Float>) {
        let p = shape.inFace(canvas.x, canvas.y)
        let face = SIMD2(p.x, p.y)
        var left = Float.infinity, right = Float.infinity
        if shape.left.bounds.distance(p.x, p.y) < Self.haloReach {
            let eye = shape.left.measure(p.x, p.y)
            addHalo(eye, ink.leftHalo, ink.colour, &pixel)
            left = eye.distance
        }
        if shape.right.bounds.distance(p.x, p.y) < Self.haloReach {
            let eye = shape.right.measure(p.x, p.y)
            addHalo(eye, ink.rightHalo, ink.colour, &pixel)
            right = eye.distance
        }
        if left < reach {
            let covered =
                left < -reach ? 1 : rolled.coverage(face) { shape.left.measure($0.x, $0.y).distance }
            layEye(left, covered, ink.leftBrightness, ink.colour, &pixel)
        }
        for index in shape.leftLayers { layStroke(index, canvas, face, &pixel) }
        if right < reach {
            let covered =
                right < -reach ? 1 : rolled.coverage(face) { shape.right.measure($0.x, $0.y).distance }
            layEye(right, covered, ink.rightBrightness, ink.colour, &pixel)
        }
        for index in shape.rightLayers { layStroke(index, canvas, face, &pixel) }
        for index in shape.markLayers { layStroke(index, canvas, face, &pixel) }
    }

    @inline(__always)
    private func addHalo(
        _ eye: (distance: Float, beyond: Float), _ gain: Float, _ colour: SIMD3<Float>, _ pixel: inout FacePixel
    ) {
        guard gain > 0 else { return }
        let outside = max(eye.distance, 0)
        let far = eye.beyond > 0 ? (outside * outside + eye.beyond * eye.beyond).squareRoot() : outside
        pixel.light += colour * (gain * expf(far / -0.15))
    }

    @inline(__always)
    private func layEye(
        _ distance: Float, _ coverage: Float, _ brightness: Float, _ colour: SIMD3<Float>, _ pixel: inout FacePixel
    ) {
        guard coverage > 0 else { return }
        let depth = min(max(distance / -0.20, 0), 1), core = depth * depth * (3 - 2 * depth)
        let shade = brightness * (0.74 + 0.26 * core)
        let light = colour * shade + (SIMD3(repeating: 1) - colour) * (0.03 * brightness * core)
        lay(light, coverage, .eye, shade, &pixel)
    }

    private func layStroke(_ index: Int, _ canvas: SIMD2<Float>, _ face: SIMD2<Float>, _ pixel: inout FacePixel) {
        let layer = shape.layers[index]
        let point = layer.inFaceFrame ? face : canvas
        guard layer.bounds.distance(point.x, point.y) < reach else { return }
        let coverage = strokeCoverage(layer.cones, point, layer.inFaceFrame ? rolled : upright)
        guard coverage > 0 else { return }
        switch layer.role {
        case .brow:
            let brightness = shape.leftLayers.contains(index) ? ink.leftBrightness : ink.rightBrightness
            lay(ink.colour * (0.72 * brightness), coverage, .brow, 0.72, &pixel)
        case .blush: lay(ink.accent, coverage * layer.opacity, .blush, 1, &pixel)
        case .mark: lay(ink.accent, coverage * layer.opacity, .mark, 1, &pixel)
        }
    }

    /// Only the cones that come near the pixel are sampled: one or two of a mark's two dozen.
    private func strokeCoverage(_ range: Range<Int>, _ point: SIMD2<Float>, _ samples: Samples) -> Float {
        shape.cones.withUnsafeBufferPointer { cones in
            var near: UInt64 = 0
            for index in range {
                let distance = cones[index].distance(point.x, point.y)
                if distance < -reach { return 1 }
                if distance < reach { near |= 1 << UInt64(index - range.lowerBound) }
            }
            guard near != 0 else { return 0 }
            return samples.coverage(point) { sample in
                var nearest = Float.infinity
                var rest = near
                while rest != 0 {
                    let cone = cones[range.lowerBound + rest.trailingZeroBitCount]
                    nearest = min(nearest, cone.distance(sample.x, sample.y))
                    rest &= rest - 1
                }
                return nearest
            }
        }
    }

    @inline(__always)
    private func lay(
        _ light: SIMD3<Float>, _ coverage: Float, _ part: FacePart, _ level: Float, _ pixel: inout FacePixel
    ) {
        pixel.light = pixel.light * (1 - coverage) + light * coverage
        pixel.coverage = 1 - (1 - pixel.coverage) * (1 - coverage)
        if coverage >= 0.5 || pixel.part == .ground && coverage >= 0.2 {
            pixel.level = level * coverage
            pixel.part = part
        }
    }
}
