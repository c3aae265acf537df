internal import Glibc

/// A cone as a row: (x1, y1, r1) to (x2, y2, r2), in units about an anchor, y down.
struct ConeShape: Sendable {
    var x1: Float, y1: Float, r1: Float, x2: Float, y2: Float, r2: Float

    init(_ x1: Float, _ y1: Float, _ r1: Float, _ x2: Float, _ y2: Float, _ r2: Float) {
        (self.x1, self.y1, self.r1, self.x2, self.y2, self.r2) = (x1, y1, r1, x2, y2, r2)
    }
}

/// What a mark looks like: where it stands and its parts, which can appear one after the other.
struct MarkShape: Sendable {
    var x: Float, y: Float
    /// Attached marks live in the face and move with it; the others stand still beside it and may change sides.
    var isAttached = false
    /// Drawn a second time at -x.
    var isDouble = false
    var parts: [[ConeShape]]
}

private func stroke(_ radius: Float, _ points: [(Float, Float)]) -> [ConeShape] {
    zip(points, points.dropFirst()).map { ConeShape($0.0, $0.1, radius, $1.0, $1.1, radius) }
}

private func dot(_ radius: Float, _ x: Float, _ y: Float) -> [ConeShape] { [ConeShape(x, y, radius, x, y, radius)] }

private let questionHook: [(Float, Float)] =
    (0..<7).map { step in
        let angle = (180 + 37.5 * Float(step)) * .pi / 180
        return (0.20 * cosf(angle), -0.16 + 0.19 * sinf(angle))
    } + [(0, 0.08), (0, 0.13)]

private func veinPart(_ sx: Float, _ sy: Float) -> [ConeShape] {
    stroke(0.06, [(0.11 * sx, 0.30 * sy), (0.125 * sx, 0.19 * sy), (0.19 * sx, 0.125 * sy), (0.30 * sx, 0.11 * sy)])
}

private func twinkle(_ x: Float, _ y: Float, core: Float, arm: Float) -> [ConeShape] {
    [(0, -arm), (0, arm), (arm, 0), (-arm, 0)].map { ConeShape(x, y, core, x + $0.0, y + $0.1, 0.022) }
}

private func wave(_ x: Float) -> [ConeShape] {
    stroke(0.06, (0..<13).map { (x + 0.07 * sinf(.pi * Float($0) / 6), 0.40 - Float($0) / 15) })
}

extension Mark {
    /// The shape of every mark but `none`, by raw value.
    static let shapes: [MarkShape] = [
        MarkShape(x: 0, y: 0, parts: []),
        MarkShape(x: 1.65, y: -0.65, parts: [stroke(0.08, questionHook) + dot(0.10, 0, 0.38)]),
        MarkShape(x: 1.65, y: -0.65, parts: [[ConeShape(0, -0.36, 0.12, 0, 0.10, 0.06)] + dot(0.10, 0, 0.38)]),
        MarkShape(
            x: 1.45, y: -0.55,
            parts: [
                stroke(0.06, [(-0.3, 0), (0.1, 0), (-0.3, 0.4), (0.1, 0.4)]),
                stroke(0.05, [(0.1, -0.5), (0.4, -0.5), (0.1, -0.2), (0.4, -0.2)]),
            ]),
        MarkShape(x: 1.60, y: -1.0, parts: [dot(0.095, -0.28, 0), dot(0.095, 0, 0), dot(0.095, 0.28, 0)]),
        MarkShape(
            x: 0.85, y: 0.86, isAttached: true, isDouble: true, parts: [[ConeShape(0, -0.26, 0.03, 0, 0.10, 0.16)]]),
        MarkShape(x: 1.58, y: -0.55, parts: [[ConeShape(0.05, -0.34, 0.03, 0, 0.12, 0.19)]]),
        MarkShape(
            x: 1.60, y: -0.66,
            parts: [[ConeShape(0, 0.28, 0.03, -0.16, -0.08, 0.17), ConeShape(0, 0.28, 0.03, 0.16, -0.08, 0.17)]]),
        MarkShape(x: 1.63, y: -0.83, parts: [veinPart(1, -1), veinPart(1, 1), veinPart(-1, 1), veinPart(-1, -1)]),
        MarkShape(x: 1.62, y: -0.62, parts: [stroke(0.09, [(-0.26, 0.04), (-0.07, 0.24), (0.28, -0.28)])]),
        MarkShape(
            x: 1.55, y: -0.70,
            parts: [twinkle(0, 0, core: 0.09, arm: 0.36), twinkle(0.22, 0.52, core: 0.06, arm: 0.20)]),
        MarkShape(x: 1.58, y: -0.58, parts: [wave(-0.18), wave(0.16)]),
        MarkShape(
            x: 1.62, y: -0.66,
            parts: [
                stroke(
                    0.05,
                    [
                        (-0.28, -0.06), (-0.14, -0.24), (0.14, -0.24), (0.28, -0.06), (0, 0.28), (-0.28, -0.06),
                        (0.28, -0.06),
                    ])
            ]),
        MarkShape(
            x: 0, y: -0.88, isAttached: true,
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
        Cone(0, 0.5, 0.05, -0.27, -0.17, 0.29), Cone(0, 0.5, 0.05, 0.27, -0.17, 0.29), Cone(0, 0.46, 0.05, 0, 0, 0.25),
    ]
    private static let squeezeCones = [
        Cone(0.40, -0.40, 0.10, -0.36, 0.02, 0.12), Cone(-0.36, 0.02, 0.12, 0.40, 0.44, 0.10),
    ]

    /// Its cones about the eye's middle, x outward, for an eye of size 1.
    var cones: [Cone] {
        switch self {
        case .none: []
        case .heart: Self.heartCones
        case .star: Self.starCones
        case .squeeze: Self.squeezeCones
        }
    }
}

/// The strokes of one blush, about its middle.
let blushStrokes: [ConeShape] = [-0.22, 0, 0.22].map { ConeShape($0 - 0.03, 0.08, 0.06, $0 + 0.03, -0.08, 0.06) }
