import Geometry

/// The typical speed of the subjects in this scene, estimated from well-known ones: heads in a corridor move several of
/// their widths per second, whole bodies or people at a table far less. It determines how far lost or new subjects may
/// move.
struct MotionPrior: Sendable {
    /// The sums of squared velocities (sizes per second) and of the time observed, in seconds.
    private var squaresX: Double, squaresY: Double, watched: Seconds
    private let least: (x: Double, y: Double)

    /// The observation time for which the initial assumption counts, and the time constant with which observations are
    /// forgotten, in seconds.
    private static let trust: Seconds = 2, memory: Seconds = 20

    init(_ options: TrackerOptions) {
        let y = options.motion.vertical * options.motion.speed
        squaresX = options.motion.speed * options.motion.speed * Self.trust
        squaresY = y * y * Self.trust
        watched = Self.trust
        least = (options.motion.leastSpeed, options.motion.vertical * options.motion.leastSpeed)
    }

    /// The speed across the frame, in widths per second (standard deviation).
    var x: Double { max(least.x, (squaresX / watched).squareRoot()) }
    /// The speed up and down, in heights per second (standard deviation).
    var y: Double { max(least.y, (squaresY / watched).squareRoot()) }

    /// Updates the estimate from a tracked frame, `elapsed` seconds after the previous one.
    mutating func learn(from tracks: [Track], at time: Seconds, elapsed: Seconds) {
        guard elapsed > 0, elapsed < 0.5 else { return }
        let keep = 1 - elapsed / Self.memory
        (squaresX, squaresY, watched) = (squaresX * keep, squaresY * keep, max(watched * keep, 0.1))
        for track in tracks where track.isSeen && track.isConfirmed && time - track.born > 0.5 {
            let vx = track.box.x.velocity / track.box.width, vy = track.box.y.velocity / track.box.height
            squaresX += vx * vx * elapsed
            squaresY += vy * vy * elapsed
            watched += elapsed
        }
    }
}
