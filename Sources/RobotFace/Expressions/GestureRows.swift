/// The head motion of each mood, by name. The comment above each row describes it. Times are seconds, then pan and tilt
/// in degrees. If a mood looks aside, the head turns to the side to which its eyes look.
///
/// `normal` has none: every mood falls back to it, and a calm face that moves each time would look restless.
let gestureRows: [String: BodyGesture] = [
    // A small quick nod.
    "happy": BodyGesture((0.27, 0, -5), (0.6, 0, 2), (0.85, 0, 0)),
    // A sigh: rises a little, sinks, comes back slowly.
    "sad": BodyGesture((0.4, 0, 1.5), (1, 0, -6), (1.5, 0, 0)),
    // Wriggles and cannot keep still.
    "excited": BodyGesture((0.22, 3.5, 1), (0.54, -3.5, 2), (0.86, 3.5, 2), (1.18, -3.5, 1), (1.45, 0, 0)),
    // Nods off, jerks awake.
    "sleepy": BodyGesture((0.9, 1, -8), (1.27, 0, 1.5), (1.5, 0, 0)),
    // Lowers the brow like a bull, and trembles there.
    "anger": BodyGesture(
        (0.27, 0, -5), (0.46, -1.3, -5), (0.66, 1.3, -5), (0.86, -1.3, -5), (1, 0, -5), (1.4, 0, 0)),
    // Recoils, holds its nose away, comes back reluctantly.
    "disgust": BodyGesture((0.36, 9, 3), (0.8, 9, 3), (1.5, 0, 0)),
    // Shrinks back and up, and trembles.
    "fear": BodyGesture(
        (0.3, 0, 6), (0.46, 0.9, 6), (0.62, -0.9, 6), (0.78, 0.9, 6), (0.94, -0.9, 6), (1.05, 0, 6), (1.5, 0, 0)),
    // Starts up, settles in two steps.
    "surprise": BodyGesture((0.34, 0, 8), (0.62, 0, 5), (0.8, 0, 5), (1.4, 0, 0)),
    // A slow bow with the head a little aside, like a cat's blink.
    "trust": BodyGesture((0.7, 2, -4), (1.5, 0, 0)),
    // Two eager rises, the second one held: is it coming?
    "anticipation": BodyGesture((0.22, 0, 3), (0.42, 0, 0.5), (0.66, 0, 4), (0.95, 0, 4), (1.4, 0, 0)),
    // Three laughing hops.
    "joy": BodyGesture((0.28, 0, 5), (0.52, 0, 1), (0.78, 0, 5.5), (1.04, 0, 1), (1.25, 0, 3.5), (1.5, 0, 0)),
    // Hangs its head, and a sob goes through it.
    "sadness": BodyGesture((0.45, 0, -7), (0.66, 0, -4.5), (0.9, 0, -8), (1.5, 0, 0)),
    // Slowly aside and up, as if to see around a corner; waits; back.
    "curiosity": BodyGesture((0.6, -7, 3), (1, -7, 3), (1.5, 0, 0)),
    // A calm double nod.
    "acceptance": BodyGesture((0.28, 0, -4), (0.54, 0, -0.5), (0.78, 0, -3), (1.15, 0, 0)),
    // Rolls the eyes and the head: up, over, away.
    "contempt": BodyGesture((0.4, 0, 4), (0.75, -6, 4), (1.05, -6, -1), (1.5, 0, 0)),
    // The chin rises slowly and stays up a while.
    "pride": BodyGesture((0.7, 0, 7), (1, 0, 7), (1.5, 0, 0)),
    // Slowly down and aside; stays; dares to come back.
    "shame": BodyGesture((0.7, 3, -9), (1, 3, -9), (1.5, 0, 0)),
    // A soft sway on the curve of a smile.
    "love": BodyGesture((0.37, -4, 1.5), (0.75, 0, 0), (1.13, 4, 1.5), (1.5, 0, 0)),
    // Turns away, meets your eye half-way, turns away again.
    "guilt": BodyGesture((0.45, 6, -4), (0.75, 2.5, -2), (1, 5.5, -4), (1.5, 0, 0)),
    // Creeps toward the object of envy in two steps, and is caught at it.
    "envy": BodyGesture((0.4, -4, -1), (0.55, -4, -1), (0.95, -8, -2), (1.1, -8, -2), (1.5, 0, 0)),
]
