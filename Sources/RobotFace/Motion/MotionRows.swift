/// The motion of each mood, by name. The comment above each row describes it. Times are seconds since the entry of the
/// mood.
let motionRows: [String: [MotionTrack]] = [
    // Quiet breathing; life comes from gaze and blink.
    "normal": [
        .sine(.eyes(.height), .times, 0.02, every: 4),
        .sine(.face(.y), .plus, 0.008, every: 4, phase: 0.25),
    ],
    // Little bob, cheeks pump, slow sway.
    "happy": [
        .hop(.face(.y), .plus, -0.045, every: 0.6),
        .sine(.eyes(.lowerLid), .plus, 0.04, every: 1.2),
        .sine(.face(.roll), .plus, 3, every: 2.4),
    ],
    // A sigh: looks down, sinks, lids follow.
    "sad": [
        .keys(.face(.gazeY), .plus, every: 5, (0, 0.25), (1.6, 0.25), (2.2, 0.45), (3.4, 0.45), (4.2, 0.25)),
        .keys(.face(.y), .plus, every: 5, (0, 0), (1.8, -0.025), (2.6, 0.065), (4.4, 0)),
        .keys(.eyes(.upperLid), .plus, every: 5, (0, 0), (2.2, 0.08), (3.4, 0.08), (4.2, 0)),
    ],
    // Bounces, rocks, stars pulse, spark twinkles.
    "excited": [
        .hop(.face(.y), .plus, -0.095, every: 0.45),
        .sine(.face(.roll), .plus, 6, every: 0.9),
        .sine(.eyes(.width), .times, 0.06, every: 0.45),
        .sine(.eyes(.height), .times, 0.06, every: 0.45),
        .sine(.face(.markScale), .plus, 0.16, every: 0.6),
    ],
    // Lids sink, head sinks and tips, z by z; jerks awake; again.
    "sleepy": [
        .keys(.right(.upperLid), .plus, every: 4.4, (0, 0), (2.9, 0.24), (3.05, -0.3), (3.5, -0.26), (4.4, 0)),
        .keys(.left(.upperLid), .plus, every: 4.4, (0, 0), (2.9, 0.14), (3.05, -0.3), (3.5, -0.26), (4.4, 0)),
        .keys(.face(.y), .plus, every: 4.4, (0, 0), (2.9, 0.135), (3.05, -0.04), (3.4, 0)),
        .keys(.face(.roll), .plus, every: 4.4, (0, 0), (2.9, 5), (3.05, 0)),
        .keys(.face(.markReveal), .plus, every: 4.4, (0, -1), (0.7, -0.5), (1.4, -0.5), (2.1, 0), (2.9, 0), (3, -1)),
        .keys(.face(.markY), .plus, every: 4.4, (0, 0.16), (2.9, 0), (3, 0.16)),
    ],
    // Tremor bursts, eyes press, halo flares, vein throbs.
    "anger": [
        .shake(.face(.x), .plus, 0.022, hertz: 12, on: 0.4, off: 0.8),
        .keys(.eyes(.width), .times, every: 1.2, (0, 1.04), (0.4, 1.04), (0.9, 1), (1.2, 1.04)),
        .keys(.eyes(.upperSlope), .plus, every: 1.2, (0, 4), (0.4, 4), (0.9, 0), (1.2, 4)),
        .keys(.eyes(.glow), .plus, every: 1.2, (0, 0.5), (0.4, 0.5), (0.9, 0), (1.2, 0.5)),
        .keys(.face(.markScale), .times, every: 1.2, (0, 1.08), (0.4, 1), (0.8, 0.84), (1.2, 1.08)),
    ],
    // Recoils from the smell, winces, shudders; eyes it from the side and turns away again.
    "disgust": [
        .keys(.face(.x), .plus, every: 3, (0, 0), (0.25, -0.14), (1.3, -0.12), (2, 0)),
        .keys(.face(.roll), .plus, every: 3, (0, 0), (0.25, -6), (1.3, -6), (2, 0)),
        .shake(.face(.x), .plus, 0.02, hertz: 9, on: 0.6, off: 2.4),
        .keys(.eyes(.upperLid), .plus, every: 3, (0, 0), (0.25, 0.09), (1.3, 0.07), (2, 0)),
        .keys(.eyes(.lowerLid), .plus, every: 3, (0, 0), (0.25, 0.08), (1.3, 0.06), (2, 0)),
        .keys(.eyes(.pupilX), .plus, every: 3, (2, 0), (2.1, 0.8), (2.5, 0.8), (2.6, 0)),
        .sine(.face(.markY), .plus, 0.04, every: 1.5),
    ],
    // Shivers, pin pupils dart left and right, sweat runs.
    "fear": [
        .shake(.face(.x), .plus, 0.02, hertz: 10, on: 1, off: 0),
        .keys(
            .eyes(.pupilX), .plus, every: 1.6, (0, 0), (0.5, 0), (0.56, -0.4), (0.95, -0.4), (1.02, 0.4),
            (
                1.4,
                0.4
            ), (1.46, 0)),
        .shake(.eyes(.height), .times, 0.02, hertz: 7, on: 1, off: 0),
        .keys(.face(.markY), .plus, every: 1.6, (0, -0.06), (1.4, 0.18), (1.6, 0.2)),
        .keys(.face(.markOpacity), .times, every: 1.6, (0, 0), (0.15, 1), (1.3, 1), (1.6, 0)),
    ],
    // Pop on entry, then held; pupils pulse.
    "surprise": [
        .keys(.eyes(.width), .times, (0, 0.8), (0.12, 1.16), (0.3, 0.97), (0.5, 1)),
        .keys(.eyes(.height), .times, (0, 0.7), (0.12, 1.2), (0.3, 0.97), (0.5, 1)),
        .keys(.eyes(.pupil), .times, (0, 0.3), (0.12, 0.8), (0.5, 1)),
        .keys(.eyes(.browHeight), .plus, (0, -0.14), (0.12, 0.06), (0.5, 0)),
        .keys(.face(.markScale), .times, (0, 0), (0.08, 0), (0.22, 1.12), (0.4, 1)),
        .keys(.face(.y), .plus, (0, 0.055), (0.12, -0.04), (0.5, 0)),
        .sine(.eyes(.pupil), .plus, 0.03, every: 1.2),
    ],
    // Slow blink like a cat: the cheeks close the eyes; head tilts, heart beats.
    "trust": [
        .keys(.eyes(.lowerLid), .plus, every: 5, (2.5, 0), (3.2, 0.4), (3.7, 0.4), (4.5, 0)),
        .keys(.eyes(.lowerBend), .plus, every: 5, (2.5, 0), (3.2, 0.35), (3.7, 0.35), (4.5, 0)),
        .keys(.face(.y), .plus, every: 5, (2.6, 0), (3.2, 0.05), (3.7, 0.05), (4.5, 0)),
        .keys(.eyes(.pupil), .times, every: 5, (2.6, 1), (3.05, 0), (3.85, 0), (4.4, 1)),
        .keys(.eyes(.catchLight), .times, every: 5, (2.5, 1), (2.9, 0), (4, 0), (4.5, 1)),
        .sine(.face(.roll), .plus, 3, every: 5),
        .sine(.face(.markScale), .times, 0.1, every: 1.25),
        .sine(.face(.y), .plus, 0.011, every: 5),
    ],
    // Dots count up, a peek, two eager hops.
    "anticipation": [
        .keys(
            .face(.markReveal), .plus, every: 2.4, (0, -1), (0.05, -0.667), (0.4, -0.667), (0.45, -0.333),
            (
                0.8,
                -0.333
            ), (0.85, 0), (2.3, 0), (2.4, -1)),
        .keys(.eyes(.pupilX), .plus, every: 2.4, (0, 0), (0.6, 0), (0.64, -0.3), (1.1, -0.3), (1.14, 0)),
        .keys(.face(.y), .plus, every: 2.4, (1.5, 0), (1.62, -0.08), (1.74, 0), (1.86, -0.08), (2, 0)),
        .keys(
            .eyes(.height), .times, every: 2.4, (1.45, 1), (1.5, 0.95), (1.62, 1.05), (1.74, 0.95),
            (
                1.86,
                1.05
            ), (2, 1)),
    ],
    // Laughing bounce and rock.
    "joy": [
        .hop(.face(.y), .plus, -0.1, every: 0.5),
        .sine(.face(.roll), .plus, 5, every: 1),
        .sine(.eyes(.lowerLid), .plus, 0.05, every: 0.5),
        .sine(.eyes(.width), .times, 0.03, every: 0.5, phase: 0.5),
    ],
    // Tears fall, one sob each 3.6 s.
    "sadness": [
        .keys(.face(.markY), .plus, every: 1.8, (0, -0.22), (0.3, -0.18), (1.3, 0.16), (1.8, 0.2)),
        .keys(.face(.markOpacity), .times, every: 1.8, (0, 0), (0.2, 1), (1.1, 1), (1.4, 0)),
        .keys(.face(.markScale), .times, every: 1.8, (0, 0.4), (0.35, 1)),
        .keys(.face(.y), .plus, every: 3.6, (0, 0), (2, 0), (2.12, 0.055), (2.24, 0.015), (2.36, 0.065), (2.6, 0)),
        .keys(.eyes(.upperLid), .plus, every: 3.6, (1.9, 0), (2.1, 0.08), (2.5, 0.08), (2.9, 0)),
    ],
    // Head tilts the other way and the eyes and brows swap roles.
    "curiosity": [
        .keys(.face(.roll), .plus, every: 4, (1.4, 0), (1.8, 16), (3.4, 16), (3.8, 0)),
        .keys(.right(.height), .times, every: 4, (1.4, 1), (1.8, 0.65), (3.4, 0.65), (3.8, 1)),
        .keys(.right(.width), .times, every: 4, (1.4, 1), (1.8, 0.87), (3.4, 0.87), (3.8, 1)),
        .keys(.left(.height), .times, every: 4, (1.4, 1), (1.8, 1.54), (3.4, 1.54), (3.8, 1)),
        .keys(.left(.width), .times, every: 4, (1.4, 1), (1.8, 1.15), (3.4, 1.15), (3.8, 1)),
        .keys(.right(.browBend), .times, every: 4, (1.4, 1), (1.8, 0), (3.4, 0), (3.8, 1)),
        .keys(.left(.browBend), .plus, every: 4, (1.4, 0), (1.8, 0.9), (3.4, 0.9), (3.8, 0)),
        .keys(.right(.browSlope), .plus, every: 4, (1.4, 0), (1.8, 12), (3.4, 12), (3.8, 0)),
        .keys(.left(.browSlope), .plus, every: 4, (1.4, 0), (1.8, -12), (3.4, -12), (3.8, 0)),
        .sine(.face(.markScale), .times, 0.1, every: 1),
    ],
    // Double nod, then the check mark pops.
    "acceptance": [
        .keys(.face(.y), .plus, every: 2.4, (0, 0), (0.25, 0.12), (0.5, -0.015), (0.75, 0.095), (1.05, 0)),
        .keys(.face(.markScale), .times, every: 2.4, (0, 0), (0.2, 0), (0.5, 1.12), (0.7, 1), (2.2, 1), (2.4, 0)),
        .keys(.eyes(.upperLid), .plus, every: 2.4, (0, 0), (0.25, 0.06), (0.5, 0), (0.75, 0.06), (1.05, 0)),
    ],
    // Eye roll up and over, then back.
    "contempt": [
        .keys(.eyes(.pupilX), .plus, every: 4, (0.5, 0), (0.9, -0.1), (1.3, -0.5), (1.8, -0.8), (2.6, -0.8), (3, 0)),
        .keys(.eyes(.pupilY), .plus, every: 4, (0.5, 0), (0.9, -0.42), (1.3, -0.48), (1.8, -0.02), (2.6, 0)),
        .keys(.eyes(.upperLid), .plus, every: 4, (0.5, 0), (0.9, -0.18), (1.3, -0.18), (1.8, 0.02), (2.6, 0)),
        .keys(.right(.browHeight), .plus, every: 4, (0.5, 0), (0.9, 0.08), (1.8, 0)),
        .keys(.left(.browHeight), .plus, every: 4, (0.5, 0), (0.9, 0.26), (1.3, 0.26), (1.8, 0)),
        .keys(.face(.roll), .plus, every: 4, (0.5, 0), (1.3, -3), (2.6, 3), (3.4, 0)),
    ],
    // Chin up, lids lower, brows flick, crown glints.
    "pride": [
        .keys(.face(.y), .plus, every: 4, (0, 0.055), (1.2, -0.015), (2.6, -0.015), (3.6, 0.055)),
        .keys(.eyes(.width), .times, every: 4, (0, 1), (1.2, 1.05), (2.6, 1.05), (3.6, 1)),
        .keys(.eyes(.upperLid), .plus, every: 4, (0, 0), (1.2, 0.1), (2.6, 0.1), (3.6, 0)),
        .keys(.eyes(.browHeight), .plus, every: 4, (1.2, 0), (1.35, 0.06), (1.7, 0.06), (1.9, 0)),
        .keys(.face(.markScale), .times, every: 4, (1.3, 1), (1.5, 1.08), (1.8, 1)),
        .keys(.face(.roll), .plus, every: 4, (1.2, 0), (1.6, 4), (2.6, 4), (3.2, 0)),
    ],
    // Sinks, peeks up for 0.6 s, hides again; blush pulses.
    "shame": [
        .keys(
            .face(.y), .plus, every: 4, (0, 0), (1.6, 0.08), (2.2, 0.08), (2.5, -0.025), (3.1, -0.025),
            (
                3.3,
                0.08
            ), (4, 0)),
        .keys(.eyes(.browHeight), .plus, every: 4, (2.2, 0), (2.5, 0.16), (3.1, 0.16), (3.3, 0)),
        .keys(
            .eyes(.upperLid), .plus, every: 4, (1.6, 0.06), (2.2, 0.06), (2.5, -0.22), (3.1, -0.22), (3.3, 0.1),
            (4, 0.06)),
        .keys(.face(.gazeX), .plus, every: 4, (0, -0.12), (2.2, -0.12), (2.5, 0), (3.1, 0), (3.3, -0.16), (4, -0.12)),
        .sine(.face(.blush), .times, 0.25, every: 2),
    ],
    // Lub-dub at 70 a minute, floats.
    "love": [
        .keys(.eyes(.width), .times, every: 0.85, (0, 1), (0.1, 1.14), (0.22, 1.02), (0.32, 1.09), (0.5, 1)),
        .keys(.eyes(.height), .times, every: 0.85, (0, 1), (0.1, 1.14), (0.22, 1.02), (0.32, 1.09), (0.5, 1)),
        .keys(.eyes(.glow), .plus, every: 0.85, (0, 0), (0.1, 0.4), (0.22, 0.1), (0.32, 0.3), (0.6, 0)),
        .sine(.face(.roll), .plus, 3, every: 3.4),
        .sine(.face(.y), .plus, 0.015, every: 3.4),
    ],
    // Looks away; meets your eye 0.5 s; looks away to the other side.
    "guilt": [
        .keys(
            .eyes(.pupilX), .plus, every: 4, (1.5, 0), (1.58, 0.42), (2.1, 0.42), (2.2, 0.84), (3.3, 0.84),
            (3.5, 0)),
        .keys(.eyes(.pupilY), .plus, every: 4, (1.5, 0), (1.58, -0.25), (2.1, -0.25), (2.2, 0)),
        .keys(.eyes(.height), .times, every: 4, (1.5, 1), (1.6, 1.05), (2.1, 1.05), (2.2, 1)),
        .keys(.face(.markY), .plus, every: 4, (0, -0.08), (3.4, 0.2), (4, 0.22)),
        .keys(.face(.markOpacity), .times, every: 4, (0, 0), (0.3, 1), (3.2, 1), (3.8, 0)),
        .keys(.face(.y), .plus, every: 4, (2.2, 0), (2.6, 0.055), (3.6, 0.055), (4, 0)),
    ],
    // Eyes narrow toward what the other one has, one quick glance back at you.
    "envy": [
        .keys(.eyes(.pupil), .times, every: 4, (0.8, 1), (1.4, 0.72), (3, 0.72), (3.6, 1)),
        .keys(.eyes(.pupilY), .plus, every: 4, (0.8, 0), (1.4, 0.06), (3, 0.06), (3.6, 0)),
        .keys(.eyes(.upperLid), .plus, every: 4, (0.8, 0), (1.4, 0.12), (3, 0.12), (3.6, 0)),
        .keys(.eyes(.lowerLid), .plus, every: 4, (0.8, 0), (1.4, 0.1), (3, 0.1), (3.6, 0)),
        .keys(.eyes(.pupilX), .plus, every: 4, (1.9, 0), (1.98, -0.5), (2.2, -0.5), (2.28, 0)),
        .keys(.face(.x), .plus, every: 4, (0.8, 0), (1.6, 0.06), (3, 0.06), (3.6, 0)),
        .keys(.eyes(.browHeight), .plus, every: 4, (0.8, 0), (1.4, -0.05), (3, -0.05), (3.6, 0)),
        .keys(.eyes(.glow), .plus, every: 4, (0.8, 0), (1.6, 0.4), (3, 0.4), (3.6, 0)),
    ],
]
