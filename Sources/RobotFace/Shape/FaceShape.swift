internal import Glibc

/// A stroked part of the face (brow, blush or mark): the union of some cones in one colour.
struct FaceLayer: Sendable {
    enum Role: Sendable { case brow, blush, mark }
    var role: Role
    var cones: Range<Int>
    /// Whether it is measured in the face frame, which shifts and rolls. Otherwise it is measured in the canvas, which
    /// is fixed.
    var inFaceFrame: Bool
    var bounds: Bounds
    var opacity: Float
}

/// The whole face, prepared so that distances to it can be measured. One instance is refilled for every frame, so its
/// buffers are reused.
struct FaceShape: Sendable {
    private(set) var left = EyeShape(), right = EyeShape()
    private(set) var layers: [FaceLayer] = []
    /// The layers to draw after the left eye, after the right eye, and at the end (the mark).
    private(set) var leftLayers = 0..<0, rightLayers = 0..<0, markLayers = 0..<0
    /// The cones of all layers. A layer has at most 64.
    private(set) var cones: [Cone] = []
    private(set) var cosine: Float = 1, sine: Float = 0
    private var shiftX: Float = 0, shiftY: Float = 0

    /// Converts points of the canvas to the face frame.
    @inline(__always)
    func inFace(_ x: Lanes, _ y: Lanes) -> (x: Lanes, y: Lanes) {
        let dx = x - shiftX, dy = y - shiftY
        return (cosine * dx + sine * dy, cosine * dy - sine * dx)
    }

    /// Converts a point of the canvas to the face frame.
    @inline(__always)
    func inFace(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
        let dx = x - shiftX, dy = y - shiftY
        return (cosine * dx + sine * dy, cosine * dy - sine * dx)
    }

    /// Returns the signed distance to a layer at points of its own frame.
    func distance(_ layer: FaceLayer, _ x: Lanes, _ y: Lanes) -> Lanes {
        var nearest = Lanes(repeating: .infinity)
        cones.withUnsafeBufferPointer { cones in
            for index in layer.cones { nearest = smaller(nearest, cones[index].distance(x, y)) }
        }
        return nearest
    }

    /// Returns the signed distance to everything that is lit, at points of the canvas.
    func distance(_ x: Lanes, _ y: Lanes) -> Lanes {
        let p = inFace(x, y)
        var d = smaller(left.measure(p.x, p.y).distance, right.measure(p.x, p.y).distance)
        for layer in layers {
            d = smaller(d, layer.inFaceFrame ? distance(layer, p.x, p.y) : distance(layer, x, y))
        }
        return d
    }

    /// The number of strokes in a brow, which is enough that no corner is visible on a large screen.
    private static let browPoints = 12

    /// Prepares the shape for another image.
    mutating func set(_ state: FaceState) {
        cones.removeAll(keepingCapacity: true)
        layers.removeAll(keepingCapacity: true)
        let roll = state.face[.roll] * .pi / 180
        (cosine, sine) = (cosf(roll), sinf(roll))
        (shiftX, shiftY) = (state.face[.x], state.face[.y])
        let size = state.style.size
        let gaze = Self.gazeShift(state)
        let halfDistance = (size.distance + state.face[.gap]) / 2
        func eye(_ pose: EyePose, side: Float) -> EyeShape {
            EyeShape(
                pose, style: state.style, side: side,
                centerX: side * halfDistance + pose[.x] * size.width + gaze.x, centerY: pose[.y] * size.height + gaze.y,
                gazeX: state.face[.gazeX], gazeY: state.face[.gazeY])
        }
        left = eye(state.left, side: -1)
        right = eye(state.right, side: 1)
        leftLayers = addStrokes(of: left, state.left, blush: state.face[.blush], size: size)
        rightLayers = addStrokes(of: right, state.right, blush: state.face[.blush], size: size)
        let first = layers.count
        addMark(state, gaze: gaze)
        markLayers = first..<layers.count
    }

    /// Returns the shift of both eyes for the gaze, limited so that they stay on the canvas. An eye that the expression
    /// itself places outside is not pulled back.
    private static func gazeShift(_ state: FaceState) -> (x: Float, y: Float) {
        let size = state.style.size
        let pupils = min(1, max(state.left[.pupil], state.right[.pupil]) / 0.2)
        let x = state.face[.gazeX] * 0.55 * size.width * (1 - pupils / 2)
        let y = state.face[.gazeY] * 0.30 * size.height * (1 - pupils / 2)
        let half = (size.distance + state.face[.gap]) / 2
        let floor: Float = state.face[.blush] > 0 ? 0.85 : 1.15
        var roomLeft: Float = .infinity, roomRight: Float = .infinity, roomUp: Float = .infinity
        var roomDown: Float = .infinity
        func measure(_ pose: EyePose, _ side: Float) {
            let cx = side * half + pose[.x] * size.width, cy = pose[.y] * size.height
            let a = pose[.width] * size.width / 2, b = pose[.height] * size.height / 2
            var top = cy - b
            if pose[.brow] > 0.02 {
                let rise = 0.5 * pose[.brow] * size.width * abs(sinf(pose[.browSlope] * .pi / 180))
                top -= max(0, pose[.browHeight] + 0.10 + rise + 0.125 * pose[.brow] * size.width * abs(pose[.browBend]))
            }
            roomLeft = min(roomLeft, cx - a + 1.95)
            roomRight = min(roomRight, 1.95 - cx - a)
            roomUp = min(roomUp, top + 1.2)
            roomDown = min(roomDown, floor - cy - b)
        }
        measure(state.left, -1)
        measure(state.right, 1)
        return (
            min(max(x, -max(roomLeft, 0)), max(roomRight, 0)), min(max(y, -max(roomUp, 0)), max(roomDown, 0))
        )
    }

    private mutating func addStrokes(
        of eye: EyeShape, _ pose: EyePose, blush: Float, size: (width: Float, height: Float, distance: Float)
    ) -> Range<Int> {
        let first = layers.count
        let halfHeight = pose[.height] * size.height / 2
        let length = pose[.brow] * size.width
        if length > 0.01 {
            let start = cones.count
            let angle = pose[.browSlope] * .pi / 180, c = cosf(angle), s = sinf(angle)
            let rise = -halfHeight - pose[.browHeight] + 0.08 * pose[.lid]
            let thick = min(1, pose[.brow] / 0.3)
            var last: (x: Float, y: Float, r: Float) = (0, 0, 0)
            for point in 0...Self.browPoints {
                let share = Float(point) / Float(Self.browPoints), q = 2 * share - 1
                let along = q * length / 2, down = pose[.browBend] * 0.25 * length * (q * q - 0.5)
                let next = (
                    x: eye.centerX + eye.side * (along * c + down * s), y: eye.centerY + rise - along * s + down * c,
                    r: (0.095 - 0.03 * share) * thick
                )
                if point > 0 { cones.append(Cone(last.x, last.y, last.r, next.x, next.y, next.r)) }
                last = next
            }
            addLayer(.brow, from: start, inFaceFrame: true, opacity: 1)
        }
        if blush > 0.01 {
            let start = cones.count
            let scale = 0.6 + 0.4 * blush
            for stroke in blushStrokes {
                cones.append(Cone(stroke, scale: scale, x: eye.centerX, y: eye.centerY + halfHeight + 0.22))
            }
            addLayer(.blush, from: start, inFaceFrame: true, opacity: blush)
        }
        return first..<layers.count
    }

    private mutating func addMark(_ state: FaceState, gaze: (x: Float, y: Float)) {
        guard state.mark != .none, state.face[.markOpacity] > 0.01 else { return }
        let shape = state.mark.shape
        let start = cones.count
        for copy in 0..<(shape.isDouble ? 2 : 1) {
            let side: Float = copy == 1 ? -1 : shape.isAttached ? 1 : state.markSide
            let x = side * shape.x + state.face[.markX] + (shape.isAttached ? gaze.x : 0)
            let y = shape.y + state.face[.markY] + (shape.isAttached ? gaze.y : 0)
            for (index, part) in shape.parts.enumerated() {
                let shown = min(max(state.face[.markReveal] * Float(shape.parts.count) - Float(index), 0), 1)
                let scale = state.face[.markScale] * shown
                guard scale >= 0.02 else { continue }
                for cone in part { cones.append(Cone(cone, scale: scale, x: x, y: y)) }
            }
        }
        guard cones.count > start else { return }
        addLayer(.mark, from: start, inFaceFrame: shape.isAttached, opacity: state.face[.markOpacity])
    }

    private mutating func addLayer(_ role: FaceLayer.Role, from start: Int, inFaceFrame: Bool, opacity: Float) {
        var bounds = Bounds()
        for cone in cones[start...] { bounds.include(cone.bounds) }
        layers.append(
            FaceLayer(
                role: role, cones: start..<cones.count, inFaceFrame: inFaceFrame, bounds: bounds, opacity: opacity))
    }
}
