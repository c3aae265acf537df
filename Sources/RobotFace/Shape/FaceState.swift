/// The two looks of the eyes.
public enum EyeStyle: String, Sendable, CaseIterable {
    /// Wide rounded blocks: the look for which the 21 expressions were drawn.
    case block
    /// Tall slim bars.
    case bar

    /// The nominal width and height of an eye, and the distance between the centres, in units.
    var size: (width: Float, height: Float, distance: Float) {
        switch self {
        case .block: (1, 4 / 3, 1.5)
        case .bar: (0.52, 1.62, 1.15)
        }
    }
}

/// One complete frame of the face: everything that a painter needs. Equal states give equal images.
public struct FaceState: Sendable, Equatable {
    /// The look of the eyes.
    public let style: EyeStyle
    /// The expression whose hand-chosen colours apply on terminals with few colours.
    public var expression: Expression
    var left: EyePose, right: EyePose
    var face: FacePose
    /// The colours in linear light.
    var colour: LinearColour, accent: LinearColour
    var mark: Mark
    /// The side of a free mark: +1 for screen right, -1 for screen left.
    var markSide: Float = 1

    /// Creates the frame of an expression as defined: at rest, eyes open, looking straight ahead.
    public init(_ expression: Expression, style: EyeStyle = .block) {
        self.style = style
        self.expression = expression
        left = expression.left
        right = expression.right
        face = expression.face
        colour = LinearColour(rgb: expression.colour)
        accent = LinearColour(rgb: expression.accent)
        mark = expression.mark
    }

    /// The direction of the eyes on the screen, -1...1: x is positive to the viewer's right, and y is positive
    /// downward.
    public var gaze: (x: Float, y: Float) { (face[.gazeX], face[.gazeY]) }

    /// The degree to which a blink has closed the eyes, 0...1.
    public var blink: Float { max(left[.lid], right[.lid]) }

    /// The same frame without brows, blush and mark, for measurements of the eyes.
    package var eyesAlone: FaceState {
        var face = self
        face.mark = .none
        face.face[.blush] = 0
        for parameter: EyeParameter in [.brow, .pupil] {
            face.left[parameter] = 0
            face.right[parameter] = 0
        }
        return face
    }

    /// Removes the halo.
    mutating func dim() {
        left[.glow] = 0
        right[.glow] = 0
    }

    mutating func clamp() {
        left.clamp()
        right.clamp()
        face.clamp()
    }
}
