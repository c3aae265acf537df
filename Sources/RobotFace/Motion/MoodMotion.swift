internal import Geometry

/// The motion of the moods: that of the current expression fades in, that of the previous one fades out, and both rest
/// while the face is calm.
struct MoodMotion: Sendable {
    /// Whether only little motion is requested.
    var isCalm = false
    /// The degree to which the calm has taken effect, 0...1.
    private(set) var stillness = 0.0
    private var entered: Seconds
    private var leaving: Leaving?

    /// The time to fade in or to become calm, and the time to fade out, in seconds.
    private static let fadeIn: Seconds = 0.3, fadeOut: Seconds = 0.15

    /// The motion of the previous mood, which fades out.
    private struct Leaving: Sendable {
        var motion: [MotionTrack]
        var entered: Seconds, since: Seconds
        var gain: Float
    }

    init(enteredAt now: Seconds) { entered = now }

    /// Whether the motion is still fading in or out.
    var isFading: Bool { stillness != (isCalm ? 1 : 0) }

    /// Whether the previous mood still moves.
    var isLeaving: Bool { leaving != nil }

    /// Returns the time since the mood began, in seconds.
    func age(at now: Seconds) -> Seconds { now - entered }

    /// Records that the mood changes at `now`. `motion` is the previous one.
    mutating func leave(_ motion: [MotionTrack], now: Seconds) {
        leaving = Leaving(motion: motion, entered: entered, since: now, gain: gain(at: now))
        entered = now
    }

    mutating func fade(_ elapsed: Seconds) {
        let step = elapsed / Self.fadeIn
        stillness = isCalm ? min(stillness + step, 1) : max(stillness - step, 0)
    }

    /// Applies both motions.
    mutating func apply(_ motion: [MotionTrack], at now: Seconds, to state: inout FaceState) {
        if let old = leaving {
            let gain = old.gain * Float(1 - (now - old.since) / Self.fadeOut)
            if gain > 0 {
                for track in old.motion { track.apply(at: now - old.entered, gain: gain, to: &state) }
            } else {
                leaving = nil
            }
        }
        let gain = gain(at: now)
        for track in motion {
            track.apply(at: now - entered, gain: track.isOnce ? Float(1 - stillness) : gain, to: &state)
        }
    }

    /// Returns the strength of the mood's motion, which fades in.
    private func gain(at now: Seconds) -> Float {
        Float(((now - entered) / Self.fadeIn).clamped(to: 0...1) * (1 - stillness))
    }
}
