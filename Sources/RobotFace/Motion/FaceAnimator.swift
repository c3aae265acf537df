public import Geometry
internal import Glibc

/// The animation of the face: it combines expression, gaze, blinks and motion, and produces one frame after another.
///
/// A pure value: the same seed and the same calls at the same times give the same frames.
public struct FaceAnimator: Sendable {
    private let style: EyeStyle
    private var random: RandomSource
    private var last: Seconds

    private var current: Expression
    /// An expression of the opposite valence, which is shown when the eyes are closed.
    private var pending: (expression: Expression, due: Seconds)?
    private var body: SpringBody
    private var mood: MoodMotion
    private var blinker: Blinker
    private var gaze: GazeControl
    private var mark: MarkPresence
    private var playing: Playing?
    private var lean = EyeLean()

    private struct Playing: Sendable {
        var motion: EyeMotion
        var start: Seconds, duration: Seconds
        var cancelled: Seconds?
    }

    /// Creates a face that already shows `expression` at `now` (seconds of CLOCK_MONOTONIC).
    public init(seed: UInt64, style: EyeStyle, expression: Expression, now: Seconds) {
        self.style = style
        random = RandomSource(seed: seed)
        last = now
        current = expression
        body = SpringBody(expression)
        mood = MoodMotion(enteredAt: now)
        blinker = Blinker(expression, now: now, random: &random)
        gaze = GazeControl(now: now, random: &random)
        mark = MarkPresence(expression.mark)
    }

    /// The current expression, or the one that is about to be shown.
    public var expression: Expression { pending?.expression ?? current }

    /// Changes the expression. The change is gradual, or quick if it is urgent, or happens during a blink if the
    /// valence is opposite.
    public mutating func show(_ expression: Expression, now: Seconds) {
        guard expression != self.expression else { return }
        if expression.valence * current.valence < 0 {
            pending = (expression, blinker.blink(now: now, length: 0.2))
        } else {
            pending = nil
            enter(expression, now: now, settling: expression.isUrgent ? 0.15 : 0.35)
        }
    }

    /// Sets the position of the face to look at, or nil if there is none. Call this for every update.
    public mutating func look(at target: GazeTarget?, now: Seconds) {
        gaze.look(at: target, now: now)
    }

    /// Plays the eyes' part of a dock animation, which starts at `now` and takes `duration` seconds.
    public mutating func play(_ motion: EyeMotion, duration: Seconds, now: Seconds) {
        playing = Playing(motion: motion, start: now, duration: max(duration, 0.1))
    }

    /// Ends a motion early, within 0.15 s.
    public mutating func cancelMotion(now: Seconds) {
        if playing?.cancelled == nil { playing?.cancelled = now }
    }

    /// Sets whether the person at whom it looks is speaking. People blink 1.5 times as often in a conversation.
    public mutating func hear(_ speech: Bool) { blinker.pace = speech ? 1.5 : 1 }

    /// Sets whether the eyes lean back, because a person or a hand is near.
    public mutating func leanBack(_ leans: Bool) { lean.isWanted = leans }

    /// Requests a face that only blinks and looks, without breathing, glances and the motion of moods: for people whom
    /// motion disturbs, and for a window without focus.
    public mutating func calm(_ on: Bool) { mood.isCalm = on }

    /// Returns the frame at `now`. Times must not go back.
    public mutating func face(at now: Seconds) -> FaceState {
        let elapsed = max(now - last, 0)
        last = max(now, last)
        var isHidden = false
        if let change = pending, now >= change.due {
            pending = nil
            enter(change.expression, now: now, settling: 0.15)
            isHidden = true
        }
        body.move(to: current, elapsed: elapsed, isHidden: isHidden)
        mood.fade(elapsed)
        var state = FaceState(current, style: style)
        body.apply(to: &state)
        mood.apply(current.motion, at: now, to: &state)
        applyGaze(now, to: &state)
        applyPlaying(now, to: &state)
        lean.apply(after: elapsed, to: &state)
        let lid = Float(blinker.closure(at: now, random: &random))
        state.left[.lid] = max(state.left[.lid], lid)
        state.right[.lid] = max(state.right[.lid], lid)
        state.face[.markScale] *= mark.scale(at: now, wanted: current.mark, gazeX: state.face[.gazeX])
        state.mark = mark.shown
        state.markSide = mark.side
        state.clamp()
        return state
    }

    /// Returns the tempo at the time of the last frame.
    public func tempo(at now: Seconds) -> FaceTempo {
        if pending != nil || mark.isChanging || blinker.isBlinking(at: now) || gaze.saccade != nil
            || mood.age(at: now) < body.settling + 0.2
        {
            return .darting
        }
        if playing != nil || lean.isChanging || mood.isLeaving || gaze.isMoving
            || !mood.isCalm && current.motion.contains(where: { !$0.isSlow && $0.moves(at: mood.age(at: now)) })
        {
            return .moving
        }
        return .breathing
    }

    /// Returns the time until the next frame, in seconds: 1/30 while something moves, and a tenth while it only
    /// breathes. A calm face waits for its next blink.
    public func interval(at now: Seconds) -> Seconds {
        let busy: Seconds = 1.0 / 30
        guard tempo(at: now) == .breathing, !mood.isFading else { return busy }
        return (min(blinker.next, gaze.nextMove) - now).clamped(to: busy...(mood.isCalm ? 1 : 0.1))
    }

    private mutating func enter(_ expression: Expression, now: Seconds, settling: Seconds) {
        mood.leave(current.motion, now: now)
        current = expression
        body.settling = settling
        blinker.enter(expression, now: now, random: &random)
    }

    private mutating func applyGaze(_ now: Seconds, to state: inout FaceState) {
        let angle = gaze.angle(at: now, wandering: 1 - mood.stillness, random: &random)
        let x = Float((angle.x / GazeTarget.fullAngle.x).clamped(to: -1...1))
        let y = Float((angle.y / GazeTarget.fullAngle.y).clamped(to: -1...1))
        state.face[.gazeX] += state.face[.gazeGain] * x
        state.face[.gazeY] += state.face[.gazeGain] * y
        let inward = Float(gaze.inward)
        state.left[.x] += inward
        state.right[.x] -= inward
        // Lids follow the gaze, the eye on the far side opens wider, and a saccade flattens both.
        let height = (y < 0 ? 1 - 0.10 * y : 1 - 0.15 * y) * Float(gaze.squash(at: now))
        state.left[.height] *= height * (1 + 0.10 * max(-x, 0))
        state.right[.height] *= height * (1 + 0.10 * max(x, 0))
    }

    private mutating func applyPlaying(_ now: Seconds, to state: inout FaceState) {
        guard let play = playing, now >= play.start else { return }
        let fade = play.cancelled.map { Float(1 - (now - $0) / 0.15) } ?? 1
        guard now <= play.start + play.duration, fade > 0 else {
            playing = nil
            return
        }
        for track in play.motion.tracks {
            track.apply(at: (now - play.start) / play.duration, gain: min(fade, 1), to: &state)
        }
    }
}
