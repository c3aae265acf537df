internal import Geometry
internal import Glibc

/// In what share of the pictures the face was seen lately.
///
/// Where it is seen in few of them, a tracker has chosen which: those in which it lies where the tracker, who believes in the rig,
/// expected it. They say what the tracker thinks and not what the camera sees.
struct Coverage: Sendable, Equatable {
    private(set) var share = 1.0
    private var last: Seconds?

    /// What was is forgotten in this time (time constant), seconds; and less than this is few.
    static let memory: Seconds = 1, least = 0.45

    var isFair: Bool { share >= Self.least }

    /// A picture with the face, or without it.
    mutating func pictured(seen: Bool, at now: Seconds) {
        let elapsed = last.map { (now - $0).clamped(to: 0...0.3) } ?? 0
        last = now
        share += ((seen ? 1 : 0) - share) * (1 - exp(-elapsed / Self.memory))
    }
}
