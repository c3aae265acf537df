/// The motion of the eyes while the dock plays one of its animations, on the same clock.
public enum EyeMotion: String, Sendable, CaseIterable {
    /// Nods.
    case yes
    /// Looks from side to side.
    case nope
    /// Opens the eyes after sleep.
    case wakeup
    /// Is hit, and sees stars.
    case kapow

    /// The rows, whose time is the progress, 0...1.
    var tracks: [MotionTrack] {
        switch self {
        case .yes: Self.yesTracks
        case .nope: Self.nopeTracks
        case .wakeup: Self.wakeupTracks
        case .kapow: Self.kapowTracks
        }
    }

    private static let yesTracks: [MotionTrack] = [
        .keys(.face(.gazeY), .plus, (0, 0), (0.15, 0.7), (0.35, -0.35), (0.55, 0.6), (0.75, -0.2), (1, 0)),
        .keys(.face(.y), .plus, (0, 0), (0.17, 0.13), (0.37, -0.06), (0.57, 0.11), (0.77, -0.03), (1, 0)),
        .keys(.eyes(.lowerLid), .plus, (0, 0), (0.15, 0.12), (0.8, 0.12), (1, 0)),
        .keys(.eyes(.lowerBend), .plus, (0, 0), (0.15, 0.3), (0.8, 0.3), (1, 0)),
    ]
    private static let nopeTracks: [MotionTrack] = [
        .keys(.face(.gazeX), .plus, (0, 0), (0.14, 0.8), (0.36, -0.8), (0.58, 0.7), (0.78, -0.5), (1, 0)),
        .keys(.face(.roll), .plus, (0, 0), (0.14, 4), (0.36, -4), (0.58, 3), (0.78, -2), (1, 0)),
        .keys(.eyes(.upperLid), .plus, (0, 0), (0.1, 0.16), (0.85, 0.16), (1, 0)),
        .keys(.eyes(.lowerLid), .plus, (0, 0), (0.1, 0.08), (0.85, 0.08), (1, 0)),
    ]
    private static let wakeupTracks: [MotionTrack] = [
        .keys(
            .eyes(.lid), .plus, (0, 0), (0.05, 1), (0.14, 1), (0.28, 0.62), (0.36, 1), (0.42, 1), (0.54, 0.15),
            (0.6, 0.9), (0.66, 0), (0.72, 0), (0.77, 1), (0.8, 1), (0.88, 0)),
        .keys(.face(.y), .plus, (0, 0), (0.06, 0.16), (0.28, 0.12), (0.42, 0.14), (0.66, -0.08), (0.85, 0)),
        .keys(.face(.roll), .plus, (0, 0), (0.06, 7), (0.42, 6), (0.62, -3), (0.8, 0)),
        .keys(.eyes(.height), .times, (0.5, 1), (0.66, 1.14), (0.85, 1)),
        .keys(.eyes(.brightness), .times, (0, 1), (0.06, 0.7), (0.5, 0.8), (0.7, 1.1), (1, 1)),
        .keys(.eyes(.glow), .plus, (0, 0), (0.06, -0.2), (0.5, -0.1), (0.7, 0.35), (1, 0)),
    ]
    private static let kapowTracks: [MotionTrack] = [
        .keys(.eyes(.height), .times, (0, 1), (0.1, 0.55), (0.22, 1.22), (0.4, 0.96), (0.55, 1)),
        .keys(.eyes(.width), .times, (0, 1), (0.1, 1.12), (0.22, 1.16), (0.4, 0.98), (0.55, 1)),
        .keys(.face(.y), .plus, (0, 0), (0.1, 0.08), (0.22, -0.14), (0.45, 0.03), (0.7, 0)),
        .keys(.face(.roll), .plus, (0.1, 0), (0.24, -9), (0.42, 8), (0.6, -5), (0.78, 2), (1, 0)),
        .keys(.face(.x), .plus, (0.1, 0), (0.22, 0.12), (0.36, -0.1), (0.5, 0.07), (0.66, -0.04), (0.85, 0)),
        .keys(.eyes(.glow), .plus, (0, 0), (0.2, 0.7), (0.5, 0.25), (1, 0)),
        .keys(.eyes(.brightness), .times, (0, 1), (0.2, 1.35), (0.5, 1.05), (1, 1)),
    ]
}
