import Geometry

/// The typical speed of the subjects in this scene, estimated from well-known ones: heads in a corridor move several of
/// their widths per second, whole bodies or people at a table far less. It determines how far lost or new subjects may
/// move.
struct MotionPrior: Sendable {
    /// The sums of squared velocities (sizes per second) and of the time observed, in seconds.
    private var squaresX: Double, squaresY: Double, watched: Seconds
    private let least: (x: Double, y: Double)
    /// The sum of the squared deviations from straight walks (widths squared per cubed second), and their number.
    private var bends = 0.0, walks = 0.0
    private let initialPersistence: Seconds

    /// The observation time for which the initial assumption counts, and the time constant with which observations are
    /// forgotten, in seconds.
    private static let trust: Seconds = 2, fadeTime: Seconds = 20
    /// The time over which a walk is compared with a straight one, in seconds, and the number of walks for which the
    /// initial persistence counts. The greatest deviation of one walk, because a track may have changed its person.
    private static let walk: Seconds = 0.7, trustedWalks = 60.0, mostBend = 60.0
    /// The bounds of the persistence, in seconds.
    private static let persistences = 2.0...8.0

    init(_ options: TrackerOptions) {
        let y = options.motion.vertical * options.motion.speed
        squaresX = options.motion.speed * options.motion.speed * Self.trust
        squaresY = y * y * Self.trust
        watched = Self.trust
        initialPersistence = options.motion.persistence
        least = (options.motion.leastSpeed, options.motion.vertical * options.motion.leastSpeed)
    }

    /// The speed across the frame, in widths per second (standard deviation).
    var x: Double { max(least.x, (squaresX / watched).squareRoot()) }
    /// The speed up and down, in heights per second (standard deviation).
    var y: Double { max(least.y, (squaresY / watched).squareRoot()) }

    /// How long subjects keep their velocity (time constant), in seconds: people who cross a square walk straight on,
    /// people in a room turn and stop.
    var persistence: Seconds {
        let initial = 2 * x * x / initialPersistence
        let change = (initial * Self.trustedWalks + bends) / (Self.trustedWalks + walks)
        return (2 * x * x / max(change, 1e-9)).clamped(to: Self.persistences)
    }

    /// Updates the estimate from a tracked frame, `elapsed` seconds after the previous one.
    mutating func learn(from tracks: inout [Track], at time: Seconds, elapsed: Seconds) {
        guard elapsed > 0, elapsed < 0.5 else { return }
        let keep = 1 - elapsed / Self.fadeTime
        (squaresX, squaresY, watched) = (squaresX * keep, squaresY * keep, max(watched * keep, 0.1))
        for track in tracks where track.isSeen && track.isConfirmed && time - track.born > 0.5 {
            let vx = track.box.x.velocity / track.box.width, vy = track.box.y.velocity / track.box.height
            squaresX += vx * vx * elapsed
            squaresY += vy * vy * elapsed
            watched += elapsed
        }
        (bends, walks) = (bends * keep, walks * keep)
        for index in tracks.indices where tracks[index].isSeen && tracks[index].isConfirmed {
            learnWalk(of: &tracks[index], at: time)
        }
    }

    /// Compares where a subject is with where it would be if it had kept its velocity.
    private mutating func learnWalk(of track: inout Track, at time: Seconds) {
        guard time - track.born > 0.5 else { return }
        if let waypoint = track.waypoint {
            let elapsed = time - waypoint.time, from = waypoint.x
            guard elapsed >= Self.walk else { return }
            // A long gap is no walk that was seen.
            if elapsed < Self.walk + 0.4 {
                let width = track.box.width, off = track.box.x.position - from.position - from.velocity * elapsed
                let known = from.variance(after: elapsed) + track.box.x.p00
                let bend = 3 * (off * off - known) / (width * width * elapsed * elapsed * elapsed)
                bends += min(bend, Self.mostBend)
                walks += 1
            }
        }
        track.setWaypoint(at: time)
    }
}
