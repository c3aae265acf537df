internal import Geometry

/// How often a device reports its pose, or is asked for it: often while it moves, seldom at rest, and on at most half of the line.
struct FeedbackRate: Sendable, Equatable {
    /// Reports per second, moving and at rest.
    static let moving = 50.0, resting = 10.0

    /// The device moves, or is about to.
    var isActive = false
    private let shortest: Seconds

    /// For any line.
    init() { shortest = 0 }

    /// For reports of this length (bytes) on a line of this speed (bits per second, ten to a byte).
    init(reportLength: Int, baud: Int) { shortest = Seconds(2 * 10 * reportLength) / Seconds(max(baud, 1)) }

    /// Time between two reports, seconds.
    var interval: Seconds { max(Self.interval(isMoving: isActive), shortest) }

    /// Time between two reports on any line, seconds.
    static func interval(isMoving: Bool) -> Seconds { 1 / (isMoving ? moving : resting) }
}
