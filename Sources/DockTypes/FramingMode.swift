/// Where the tracked subject is placed in the frame or in the region of interest (DockKit's framing modes).
public enum FramingMode: String, Sendable, CaseIterable {
    /// In the middle, with lead room in the direction that the face looks.
    case automatic = "auto"
    /// In the middle.
    case center
    /// On the left third.
    case left
    /// On the right third.
    case right

    /// The next framing mode in the order auto, center, left, right.
    public var next: FramingMode {
        switch self {
        case .automatic: .center
        case .center: .left
        case .left: .right
        case .right: .automatic
        }
    }
}
