/// A mood that the face can show, one of the 21 or an added one: a row of numbers, its motion, and its blinking and
/// gaze.
public struct Expression: Sendable {
    /// The position in the order in which taps go through the expressions: 1...21, with added ones after that.
    public internal(set) var index: Int
    /// The English name, in lower case.
    public package(set) var name: String
    /// Other words for an added expression. Those of the 21 are in `synonyms`.
    package var words: [String] = []
    /// The valence: pleasant +1, unpleasant -1, neither 0. A change between opposite signs is hidden by a blink.
    package var valence: Int
    /// The colour of the eyes, and that of marks and blush, sRGB 0xRRGGBB.
    package var colour: UInt32, accent: UInt32
    package var mark: Mark
    package var left: EyePose, right: EyePose, face: FacePose
    /// The mean number of blinks per minute, and their length as a factor of 200 ms.
    package var blinksPerMinute: Double, blinkLength: Double
    /// Whether the eyes change to it quickly (0.15 s) instead of gliding (0.35 s).
    package var isUrgent: Bool
    package var motion: [MotionTrack]
    /// The accompanying head motion, or nil if there is none.
    public package(set) var gesture: BodyGesture?
    /// Its colours for terminals with few colours.
    var ramp: FaceRamp

    /// All 21 expressions, in order.
    public static let all: [Expression] = rows

    /// The calm face, which is the initial and the default one.
    public static let normal = all[0]

    /// Finds an expression by name, by index as text ("1"..."21") or by a common English synonym. Case does not matter.
    public init?(named text: String) {
        let word = text.lowercased()
        let name = synonyms[word] ?? word
        guard let found = Self.all.first(where: { $0.name == name || String($0.index) == word }) else { return nil }
        self = found
    }

    /// Creates one row. Parameters that are not given are neutral, and `left` and `right` (of the screen) override
    /// `eyes`.
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
        // The ramp was chosen by hand for each of the 21 expressions, and is otherwise derived from the colours.
        ramp = index <= faceRamps.count ? faceRamps[index - 1] : FaceRamp(near: colour, accent: self.accent)
        gesture = gestureRows[name]
    }
}

extension Expression: Equatable {
    /// Compares by name, because a book contains each name only once.
    public static func == (a: Expression, b: Expression) -> Bool { a.name == b.name }

    /// Returns whether two expressions are equal in everything except name, words and position.
    package func isDrawn(like other: Expression) -> Bool {
        valence == other.valence && colour == other.colour && accent == other.accent && mark == other.mark
            && left == other.left && right == other.right && face == other.face
            && blinksPerMinute == other.blinksPerMinute && blinkLength == other.blinkLength
            && isUrgent == other.isUrgent && motion == other.motion && gesture == other.gesture
    }
}
