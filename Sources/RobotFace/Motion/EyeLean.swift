internal import Geometry
internal import Glibc

/// Eyes that lean back from something near: smaller and a little higher, as if the head drew back. Nothing else moves.
struct EyeLean: Sendable {
    /// Whether the eyes should lean back.
    var isWanted = false
    private var amount = 0.0

    /// The size of eyes that lean back, and how far they are higher, in heights of an eye.
    private static let size: Float = 0.8, rise: Float = 0.08
    /// The time constant, in seconds.
    private static let time: Seconds = 0.12

    /// Whether the eyes are on their way.
    var isChanging: Bool { abs(amount - (isWanted ? 1 : 0)) > 0.01 }

    /// Moves on, and changes a frame.
    mutating func apply(after elapsed: Seconds, to state: inout FaceState) {
        amount += ((isWanted ? 1 : 0) - amount) * (1 - exp(-elapsed / Self.time))
        if !isChanging { amount = isWanted ? 1 : 0 }
        guard amount > 0 else { return }
        let share = Float(amount), size = 1 - (1 - Self.size) * share
        func lean(_ eye: inout EyePose) {
            eye[.width] *= size
            eye[.height] *= size
            eye[.y] -= Self.rise * share
        }
        lean(&state.left)
        lean(&state.right)
    }
}
