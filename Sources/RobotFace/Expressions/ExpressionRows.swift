extension Expression {
    /// The rows. Left and right refer to the screen.
    static let rows: [Expression] = [
        Expression(
            1, "normal", valence: 0, colour: 0x33CBFE, eyes: [.upperCorner: 0.7, .lowerCorner: 0.7], blinks: 12,
            length: 1, gaze: 1),
        Expression(
            2, "happy", valence: 1, colour: 0x6FE36B,
            eyes: [
                .width: 1.1, .height: 0.92, .y: -0.02, .upperCorner: 1,
                .lowerLid: 0.38, .lowerBend: 0.6,
            ], blinks: 15, length: 1, gaze: 1),
        Expression(
            3, "sad", valence: -1, colour: 0x2E8FE0,
            eyes: [
                .width: 1, .height: 0.94, .y: 0.08, .upperCorner: 0.5, .lowerCorner: 1, .upperLid: 0.22,
                .upperSlope: -22, .upperBend: 0.2, .pupil: 0.58, .pupilY: 0.2, .catchLight: 0.4, .glow: 0.2,
            ],
            blinks: 9, length: 1.3, gaze: 0.7),
        Expression(
            4, "excited", valence: 1, colour: 0xFFB21E, accent: 0xFFF0B0, mark: .spark, glyph: .star,
            eyes: [.width: 1.04, .height: 1.04, .y: 0.03, .glow: 0.6], face: [.gap: 0.02], blinks: 10, length: 0.7,
            gaze: 1.2),
        Expression(
            5, "sleepy", valence: 0, colour: 0x8068E8, mark: .zzz,
            eyes: [
                .width: 1.05, .height: 0.8, .y: 0.12,
                .lowerCorner: 0.9, .upperLid: 0.6, .upperBend: 0.15, .brightness: 0.85, .glow: 0.15,
            ],
            left: [.upperLid: 0.72], blinks: 8, length: 2.5, gaze: 0.5),
        Expression(
            6, "anger", valence: -1, colour: 0xFF2D22, mark: .vein,
            eyes: [
                .width: 1.1, .height: 0.92, .y: 0.03,
                .upperCorner: 0.2, .lowerCorner: 0.5, .upperLid: 0.34, .upperSlope: 27, .lowerLid: 0.06, .glow: 0.5,
            ],
            blinks: 6, length: 0.8, gaze: 1.1, urgent: true),
        Expression(
            7, "disgust", valence: -1, colour: 0xA9C92A, accent: 0xC98A3A, mark: .stink,
            eyes: [
                .width: 1.06, .height: 0.92, .y: 0.06, .upperCorner: 0.5, .lowerCorner: 0.9, .upperLid: 0.38,
                .upperSlope: 12, .lowerLid: 0.26, .lowerSlope: 6, .lowerBend: 0.45, .pupil: 0.3, .pupilX: -0.3,
                .pupilY: 0.1, .brow: 0.9, .browHeight: -0.16, .browSlope: 15, .glow: 0.2,
            ],
            right: [
                .upperLid: 0.34, .upperSlope: 6, .lowerLid: 0.34, .brow: 0.84, .browHeight: -0.02, .browSlope: 4,
                .browBend: 0.5,
            ], blinks: 10, length: 1, gaze: 0.8),
        Expression(
            8, "fear", valence: -1, colour: 0xC9DCE8, accent: 0x6FC3FF, mark: .sweat,
            eyes: [
                .width: 1, .height: 0.98,
                .y: 0.08, .upperCorner: 1, .lowerCorner: 1, .pupil: 0.24, .brow: 0.8, .browHeight: 0.26,
                .browSlope: -24,
                .browBend: -0.2, .glow: 0.2,
            ], face: [.gap: -0.14], blinks: 26, length: 0.7, gaze: 1.4, urgent: true),
        Expression(
            9, "surprise", valence: 0, colour: 0x1FE0FF, accent: 0xFFE45C, mark: .exclaim,
            eyes: [
                .width: 1.1,
                .height: 0.98, .y: 0.08, .upperCorner: 1, .lowerCorner: 1, .pupil: 0.58, .brow: 0.8, .browHeight: 0.26,
                .browBend: 0.9,
            ], blinks: 4, length: 1, gaze: 1.3, urgent: true),
        Expression(
            10, "trust", valence: 1, colour: 0x5FF0C4, accent: 0xFF8FB4, mark: .heart,
            eyes: [
                .width: 1.1,
                .height: 0.88, .upperCorner: 1, .lowerCorner: 1, .lowerLid: 0.24, .lowerBend: 0.6, .pupil: 0.6,
                .pupilY: -0.14, .catchLight: 0.44,
            ], face: [.markScale: 0.9], blinks: 4, length: 1.6, gaze: 1),
        Expression(
            11, "anticipation", valence: 1, colour: 0xFF8A3C, accent: 0xFFD9A8, mark: .dots,
            eyes: [
                .width: 1, .height: 0.96, .y: 0.07, .upperCorner: 1, .lowerCorner: 1, .pupil: 0.5, .pupilX: 0.28,
                .pupilY: -0.36, .catchLight: 0.4, .brow: 0.7, .browHeight: 0.2, .browBend: 0.8,
            ], blinks: 8, length: 0.8, gaze: 1.2),
        Expression(
            12, "joy", valence: 1, colour: 0xFFDD1F, accent: 0xFF6A5E,
            eyes: [
                .width: 1.15, .height: 0.95, .y: -0.02,
                .upperCorner: 1, .lowerLid: 0.6, .lowerBend: 0.95, .glow: 0.5,
            ], face: [.blush: 1], blinks: 6, length: 0.8,
            gaze: 1),
        Expression(
            13, "sadness", valence: -1, colour: 0x4F63FF, accent: 0x8FD4FF, mark: .tear,
            eyes: [
                .width: 1, .height: 0.74, .y: -0.12, .upperCorner: 0.3, .lowerCorner: 0.8, .upperLid: 0.48,
                .upperSlope: -24, .brow: 0.85, .browHeight: -0.04, .browSlope: -28, .browBend: -0.3, .glow: 0.2,
            ], blinks: 7, length: 1.6, gaze: 0.5),
        Expression(
            14, "curiosity", valence: 0, colour: 0x2FD6C8, accent: 0xFFFFFF, mark: .question,
            eyes: [
                .width: 0.92, .height: 0.66, .y: 0.09, .upperCorner: 1, .lowerCorner: 1, .brow: 0.72,
                .browHeight: 0.1, .browSlope: 8,
            ],
            right: [.width: 1.06, .height: 1.02, .browHeight: 0.18, .browSlope: -4, .browBend: 0.9],
            face: [.roll: -8], blinks: 11, length: 1, gaze: 1.2),
        Expression(
            15, "acceptance", valence: 1, colour: 0xBDEB84, accent: 0xCFF0A4, mark: .check,
            eyes: [.width: 1.14, .height: 0.76, .upperCorner: 1, .lowerCorner: 1, .upperLid: 0.5, .upperBend: 0.9],
            blinks: 6, length: 1.4, gaze: 0.9),
        Expression(
            16, "contempt", valence: -1, colour: 0xD79A5B,
            eyes: [
                .width: 1.06, .height: 0.86, .y: 0.06, .upperCorner: 0.5, .lowerCorner: 0.9, .upperLid: 0.5,
                .pupil: 0.31, .pupilX: 0.36, .pupilY: 0.42, .brow: 0.95,
            ], left: [.browHeight: -0.3, .browSlope: 4],
            right: [.upperLid: 0.42, .browHeight: 0.1, .browSlope: -6, .browBend: 0.5], blinks: 8, length: 1.3,
            gaze: 0.6),
        Expression(
            17, "pride", valence: 1, colour: 0xB266FF, accent: 0xFFD23C, mark: .crown,
            eyes: [
                .width: 1.08, .height: 0.84, .y: 0.17, .upperCorner: 0.6, .lowerCorner: 1, .upperLid: 0.5,
                .upperSlope: 5, .upperBend: 0.3, .brow: 0.8, .browHeight: 0, .browSlope: 2, .browBend: 0.8,
            ], blinks: 10, length: 1.3, gaze: 0.8),
        Expression(
            18, "shame", valence: -1, colour: 0xE3A3A8, accent: 0xFF4F6E,
            eyes: [
                .width: 0.84, .height: 0.62,
                .y: 0.17, .upperCorner: 0.4, .lowerCorner: 0.8, .upperLid: 0.42, .upperSlope: -16, .brow: 0.6,
                .browHeight: -0.02, .browSlope: -24, .brightness: 0.9,
            ], face: [.gap: -0.2, .blush: 0.9], blinks: 16,
            length: 1, gaze: 0.3),
        Expression(
            19, "love", valence: 1, colour: 0xFF4F98, glyph: .heart, eyes: [.width: 1.16, .height: 1.16, .glow: 0.6],
            face: [.gap: 0.1], blinks: 8, length: 1.2, gaze: 0.9),
        Expression(
            20, "guilt", valence: -1, colour: 0xB77FC8, accent: 0x7FC8FF, mark: .sweat,
            eyes: [
                .width: 0.92,
                .height: 0.82, .y: 0.1, .upperCorner: 0.6, .lowerCorner: 1, .upperLid: 0.26, .upperSlope: -16,
                .pupil: 0.42, .pupilX: -0.32, .pupilY: 0.22, .brow: 0.8, .browHeight: 0.02, .browSlope: -22, .glow: 0.2,
            ],
            blinks: 15, length: 1.1, gaze: 0.4),
        Expression(
            21, "envy", valence: -1, colour: 0x1FD04A,
            eyes: [
                .width: 1.12, .height: 0.92, .y: 0.08, .upperCorner: 0.5, .lowerCorner: 1, .upperLid: 0.3,
                .upperSlope: 8, .lowerLid: 0.24, .lowerSlope: 5, .lowerBend: 0.25, .pupil: 0.42, .pupilAspect: 0.4,
                .pupilX: 0.44, .pupilY: 0.1, .brow: 0.9, .browHeight: 0.02, .browSlope: 12, .browBend: 0.3,
            ], blinks: 8, length: 1, gaze: 0.8),
    ]
}
