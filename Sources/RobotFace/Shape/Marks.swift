internal import Glibc

/// A cone in table form: (x1, y1, r1) to (x2, y2, r2), in units relative to an anchor, y down.
struct ConeShape: Sendable {
    var x1: Float, y1: Float, r1: Float, x2: Float, y2: Float, r2: Float

    init(_ x1: Float, _ y1: Float, _ r1: Float, _ x2: Float, _ y2: Float, _ r2: Float) {
        (self.x1, self.y1, self.r1, self.x2, self.y2, self.r2) = (x1, y1, r1, x2, y2, r2)
    }
}

/// The shape of a mark: its position and its parts, which can appear one after another.
struct MarkShape: Sendable {
    var x: Float, y: Float
    /// Whether the mark is part of the face and moves with it. Other marks stay beside the face without moving, and may
    /// change sides.
    var isAttached = false
    /// Whether it is drawn a second time at -x.
    var isDouble = false
    var parts: [[ConeShape]]
}

private func stroke(_ radius: Float, _ points: [(Float, Float)]) -> [ConeShape] {
    zip(points, points.dropFirst()).map { ConeShape($0.0, $0.1, radius, $1.0, $1.1, radius) }
}

private func dot(_ radius: Float, _ x: Float, _ y: Float) -> [ConeShape] { [ConeShape(x, y, radius, x, y, radius)] }

private let questionHook: [(Float, Float)] =
    (0...14).map { step in
        let angle = (180 + 225 * Float(step) / 14) * .pi / 180
        return (0.18 * cosf(angle), -0.15 + 0.17 * sinf(angle))
    } + [(0.045, 0.045), (0.01, 0.09), (0, 0.13)]

/// Returns a quarter of the swollen-veins mark: an arc around its corner.
private func veinPart(_ sx: Float, _ sy: Float) -> [ConeShape] {
    stroke(
        0.052,
        (0...6).map { step in
            let angle = (8 + 74 * Float(step) / 6) * .pi / 180
            return (sx * (0.265 - 0.18 * sinf(angle)), sy * (0.265 - 0.18 * cosf(angle)))
        })
}

private func twinkle(_ x: Float, _ y: Float, core: Float, arm: Float) -> [ConeShape] {
    [(0, -arm), (0, arm), (arm, 0), (-arm, 0)].map { ConeShape(x, y, core, x + $0.0, y + $0.1, 0.022) }
}

private func wave(_ x: Float) -> [ConeShape] {
    stroke(0.055, (0...18).map { (x + 0.065 * sinf(.pi * Float($0) / 9), 0.38 - 0.76 * Float($0) / 18) })
}

extension Mark {
    /// The shape of every mark but `none`, by raw value.
    static let shapes: [MarkShape] = [
        MarkShape(x: 0, y: 0, parts: []),
        MarkShape(x: 1.62, y: -0.62, parts: [stroke(0.075, questionHook) + dot(0.09, 0, 0.35)]),
        MarkShape(x: 1.62, y: -0.62, parts: [[ConeShape(0, -0.36, 0.12, 0, 0.10, 0.06)] + dot(0.10, 0, 0.38)]),
        MarkShape(
            x: 1.45, y: -0.52,
            parts: [
                stroke(0.055, [(-0.28, 0), (0.1, 0), (-0.28, 0.38), (0.1, 0.38)]),
                stroke(0.045, [(0.1, -0.46), (0.37, -0.46), (0.1, -0.18), (0.37, -0.18)]),
            ]),
        MarkShape(x: 1.58, y: -0.88, parts: [dot(0.08, -0.22, 0), dot(0.08, 0, 0), dot(0.08, 0.22, 0)]),
        MarkShape(
            x: 0.80, y: 0.72, isAttached: true, isDouble: true, parts: [[ConeShape(0, -0.22, 0.03, 0, 0.08, 0.13)]]),
        MarkShape(x: 1.58, y: -0.50, parts: [[ConeShape(0.04, -0.32, 0.03, 0, 0.10, 0.17)]]),
        MarkShape(
            x: 1.60, y: -0.66,
            parts: [[ConeShape(0, 0.26, 0.03, -0.15, -0.08, 0.16), ConeShape(0, 0.26, 0.03, 0.15, -0.08, 0.16)]]),
        MarkShape(x: 1.60, y: -0.80, parts: [veinPart(1, -1), veinPart(1, 1), veinPart(-1, 1), veinPart(-1, -1)]),
        MarkShape(x: 1.60, y: -0.52, parts: [stroke(0.055, [(-0.17, 0.02), (-0.05, 0.14), (0.18, -0.18)])]),
        MarkShape(
            x: 1.62, y: -0.74,
            parts: [twinkle(0, 0, core: 0.07, arm: 0.26), twinkle(0.10, 1.30, core: 0.05, arm: 0.16)]),
        MarkShape(x: 1.62, y: -0.62, parts: [wave(-0.13), wave(0.13)]),
        MarkShape(
            x: 0, y: -0.84, isAttached: true,
            parts: [
                [
                    ConeShape(-0.31, 0.13, 0.09, 0.31, 0.13, 0.09), ConeShape(-0.29, 0.08, 0.11, -0.40, -0.17, 0.045),
                    ConeShape(0, 0.08, 0.12, 0, -0.21, 0.045), ConeShape(0.29, 0.08, 0.11, 0.40, -0.17, 0.045),
                ]
            ]),
    ]

    var shape: MarkShape { Self.shapes[rawValue] }
}

extension EyeGlyph {
    private static let starCones: [Cone] = (0..<5).map { point in
        let angle = Float(point) * 72 * .pi / 180
        return Cone(0, 0.03, 0.24, 0.60 * sinf(angle), 0.05 - 0.62 * cosf(angle), 0.045)
    }
    private static let heartCones = [
        Cone(0, 0.5, 0.05, -0.27, -0.17, 0.29), Cone(0, 0.5, 0.05, 0.27, -0.17, 0.29),
        Cone(0, 0.44, 0.07, 0, 0.08, 0.30),
    ]
    private static let squeezeCones = [
        Cone(0.40, -0.40, 0.10, -0.36, 0.02, 0.12), Cone(-0.36, 0.02, 0.12, 0.40, 0.44, 0.10),
    ]

    /// Its cones around the eye's middle, x outward, for an eye of size 1.
    var cones: [Cone] {
        switch self {
        case .none: []
        case .heart: Self.heartCones
        case .star: Self.starCones
        case .squeeze: Self.squeezeCones
        }
    }
}

extension EyeGlyph {
    /// The degree to which its cones are blended: a heart is one body, and a star keeps the corners between its points.
    var blend: Float {
        switch self {
        case .heart: 0.06
        case .star: 0.10
        case .none, .squeeze: 0.02
        }
    }
}

/// The strokes of one blush, around its middle.
let blushStrokes: [ConeShape] = [-0.22, 0, 0.22].map { ConeShape($0 - 0.03, 0.08, 0.06, $0 + 0.03, -0.08, 0.06) }
