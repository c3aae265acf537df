import Geometry

/// How fast the subjects of this scene go, learnt from those that are well known: heads in a corridor go several of their widths a
/// second, whole bodies or people at a table far fewer. What somebody may do who is lost, or new, follows from it.
struct Pace: Sendable {
    /// Sums of squared velocities (sizes per second) and of the time that they were watched, seconds.
    private var squaresX: Double, squaresY: Double, watched: Seconds
    private let least: (x: Double, y: Double)

    /// What is assumed counts as much as so long a watch, seconds; what was seen is forgotten in that time (time constant), seconds.
    private static let trust: Seconds = 2, memory: Seconds = 20

    init(_ options: TrackerOptions) {
        let y = options.vertical * options.speed
        squaresX = options.speed * options.speed * Self.trust
        squaresY = y * y * Self.trust
        watched = Self.trust
        least = (options.leastSpeed, options.vertical * options.leastSpeed)
    }

    /// Across the picture, widths per second (standard deviation).
    var x: Double { max(least.x, (squaresX / watched).squareRoot()) }
    /// Up and down, heights per second (standard deviation).
    var y: Double { max(least.y, (squaresY / watched).squareRoot()) }

    /// A frame was tracked, `elapsed` after the one before it.
    mutating func learn(from tracks: [Track], at time: Seconds, elapsed: Seconds) {
        guard elapsed > 0, elapsed < 0.5 else { return }
        let keep = 1 - elapsed / Self.memory
        (squaresX, squaresY, watched) = (squaresX * keep, squaresY * keep, max(watched * keep, 0.1))
        for track in tracks where track.isSeen && track.isConfirmed && time - track.born > 0.5 {
            let vx = track.x.velocity / track.width, vy = track.y.velocity / track.height
            squaresX += vx * vx * elapsed
            squaresY += vy * vy * elapsed
            watched += elapsed
        }
    }
}
