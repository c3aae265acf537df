/// What steers the dock.
public enum TrackingMode: String, Sendable, CaseIterable {
    /// The detector stage steers (DockKit: system tracking enabled).
    case system
    /// Only a program's observations steer; the detector still feeds the face.
    case custom
    /// Nothing steers: keys, words and programs move the dock.
    case manual

    /// The next mode in the order system, custom, manual.
    public var next: TrackingMode {
        switch self {
        case .system: .custom
        case .custom: .manual
        case .manual: .system
        }
    }
}
