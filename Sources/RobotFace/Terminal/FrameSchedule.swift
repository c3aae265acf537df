internal import Geometry

/// The schedule of frames.
struct FrameSchedule {
    private(set) var next: Seconds
    private var last: Seconds = -.infinity
    /// The time until which the first frame waits for the terminal's answers.
    private var answersDue: Seconds

    init(now: Seconds, answerTime: Seconds) { (next, answersDue) = (now, now + answerTime) }

    /// Records that the terminal was taken over, and may answer for this time.
    mutating func begin(now: Seconds, answerTime: Seconds) {
        answersDue = now + answerTime
        next = answersDue
    }

    /// Records that the terminal has answered everything.
    mutating func answered(_ now: Seconds) {
        answersDue = min(answersDue, now)
        next = min(next, answersDue)
    }

    mutating func drawNow(_ now: Seconds) { next = max(min(next, now), answersDue) }

    /// Draws as soon as the frame rate allows it.
    mutating func drawSoon(framesPerSecond: Double) { next = max(min(next, last + 1 / framesPerSecond), answersDue) }

    mutating func drawn(_ now: Seconds, pause: Seconds) { (last, next) = (now, now + pause) }
}
