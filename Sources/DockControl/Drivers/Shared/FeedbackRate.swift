internal import Geometry

/// How often a device reports its pose, or is asked for it: often while it moves, rarely at rest, and using at most
/// half of the line's capacity.
struct FeedbackRate: Sendable, Equatable {
    /// The number of reports per second, moving and at rest.
    static let moving = 50.0, resting = 10.0

    /// Whether the device moves or is about to.
    var isActive = false
    private let shortest: Seconds

    /// Creates a rate for any line.
    init() { shortest = 0 }

    /// Creates a rate for reports of this length (bytes) on a line of this speed (bits per second, ten bits per byte).
    init(reportLength: Int, baud: Int) { shortest = Seconds(2 * 10 * reportLength) / Seconds(max(baud, 1)) }

    /// The time between two reports, in seconds.
    var interval: Seconds { max(Self.interval(isMoving: isActive), shortest) }

    /// Returns the time between two reports on any line, in seconds.
    static func interval(isMoving: Bool) -> Seconds { 1 / (isMoving ? moving : resting) }
}
