public import Geometry

/// When a depth camera is opened again after it was lost, and what is new for a person. It has no clock and no device: its
/// owner reports what has happened, with the time.
public struct DepthCameraWatch: Sendable, Equatable {
    /// The time between two attempts, in seconds.
    public static let pause: Seconds = 3
    /// How long a camera may take for its first picture, and for the next ones, in seconds.
    static let first: Seconds = 10, next: Seconds = 3

    private enum Phase: Sendable, Equatable {
        case closed(until: Seconds)
        case open(silentAt: Seconds)
    }

    private var phase = Phase.closed(until: -.infinity)
    /// What a person has heard of since the camera delivered last.
    private var said: DepthCameraTrouble?

    /// Creates the watch of a camera that is to be opened at once.
    public init() {}

    /// When to open it, or nil while it is open.
    public var opensAt: Seconds? { if case .closed(let until) = phase { until } else { nil } }

    /// Whether it is open, and has delivered nothing for too long.
    public func isSilent(now: Seconds) -> Bool {
        if case .open(let silentAt) = phase { now >= silentAt } else { false }
    }

    /// It was opened.
    public mutating func opened(now: Seconds) { phase = .open(silentAt: now + Self.first) }

    /// It has delivered a picture. Returns whether it is back, which a person should know.
    public mutating func delivered(now: Seconds) -> Bool {
        phase = .open(silentAt: now + Self.next)
        defer { said = nil }
        return said != nil
    }

    /// It could not be opened, or is lost. Returns whether that is new: the same trouble counts
    /// once.
    public mutating func failed(_ trouble: DepthCameraTrouble, now: Seconds) -> Bool {
        phase = .closed(until: now + Self.pause)
        defer { said = trouble }
        return said != trouble
    }
}
