/// A mood that the face can show, one of the 21 or an added one: a row of numbers, its motion, and how it blinks and looks.
public struct Expression: Sendable {
    /// Position in the order in which taps go through them: 1...21, added ones after that.
    public internal(set) var index: Int
    /// English name, lower case.
    public package(set) var name: String
    /// Other words for an added expression; those of the 21 are `synonyms`.
    package var words: [String] = []
    /// Pleasant +1, unpleasant -1, neither 0. A change between opposite signs is hidden by a blink.
    package var valence: Int
    /// Colour of the eyes and of marks and blush, sRGB 0xRRGGBB.
    package var colour: UInt32, accent: UInt32
    package var mark: Mark
    package var left: EyePose, right: EyePose, face: FacePose
    /// Mean blinks per minute, and their length as a factor of 200 ms.
    package var blinksPerMinute: Double, blinkLength: Double
    /// Whether the eyes change to it quickly (0.15 s) instead of gliding (0.35 s).
    package var isUrgent: Bool
    package var motion: [MotionTrack]
    /// The accompanying head motion; nil for none.
    public package(set) var gesture: BodyGesture?
    /// Its colours for terminals with few colours.
    var ramp: FaceRamp

    /// All 21, in order.
    public static let all: [Expression] = rows

    /// The calm face, which is the initial and the default one.
    public static let normal = all[0]

    /// Finds one by name, by index as text ("1"..."21") or by a common English synonym; case does not matter.
    public init?(named text: String) {
        let word = text.lowercased()
        let name = synonyms[word] ?? word
        guard let found = Self.all.first(where: { $0.name == name || String($0.index) == word }) else { return nil }
        self = found
    }

    /// One row. Parameters that are not given are neutral; `left` and `right` (of the screen) override `eyes`.
    init(
        _ index: Int, _ name: String, valence: Int, colour: UInt32, accent: UInt32? = nil, mark: Mark = .none,
        glyph: EyeGlyph = .none, rightGlyph: EyeGlyph? = nil, eyes: KeyValuePairs<EyeParameter, Float> = [:],
        left: KeyValuePairs<EyeParameter, Float> = [:], right: KeyValuePairs<EyeParameter, Float> = [:],
        face: KeyValuePairs<FaceParameter, Float> = [:], blinks: Double, length: Double, gaze: Float,
        urgent: Bool = false
    ) {
        func pose(_ glyph: EyeGlyph, _ changes: [KeyValuePairs<EyeParameter, Float>]) -> EyePose {
            var pose = EyePose.neutral
            pose.glyph = glyph
            pose[.morph] = glyph == .none ? 0 : 1
            for change in changes { for (parameter, value) in change { pose[parameter] = value } }
            return pose
        }
        var facePose = FacePose.neutral
        for (parameter, value) in face { facePose[parameter] = value }
        facePose[.gazeGain] = gaze
        self.index = index
        self.name = name
        self.valence = valence
        self.colour = colour
        self.accent = accent ?? colour
        self.mark = mark
        self.left = pose(glyph, [eyes, left])
        self.right = pose(rightGlyph ?? glyph, [eyes, right])
        self.face = facePose
        blinksPerMinute = blinks
        blinkLength = length
        isUrgent = urgent
        motion = motionRows[name] ?? []
        // Chosen by hand for each of the 21; otherwise derived from the colours.
        ramp = index <= faceRamps.count ? faceRamps[index - 1] : FaceRamp(near: colour, accent: self.accent)
        gesture = gestureRows[name]
    }
}

extension Expression: Equatable {
    /// Compared by name: a book contains each name only once.
    public static func == (a: Expression, b: Expression) -> Bool { a.name == b.name }

    /// Whether two expressions are equal in everything except name, words and position.
    package func isDrawn(like other: Expression) -> Bool {
        valence == other.valence && colour == other.colour && accent == other.accent && mark == other.mark
            && left == other.left && right == other.right && face == other.face
            && blinksPerMinute == other.blinksPerMinute && blinkLength == other.blinkLength
            && isUrgent == other.isUrgent && motion == other.motion && gesture == other.gesture
    }
}
