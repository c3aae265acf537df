public import Geometry

/// Plays the command words of a scene at their times, again in every round of the scene. A value without a clock.
public struct CuePlayer: Sendable {
    private let cues: [StagedVisit.Cue]
    private let period: Seconds
    private var start: Seconds?
    private var next = 0

    /// Plays `cues`, in order of time; `period`: the length of a round, seconds.
    public init(_ cues: [StagedVisit.Cue], period: Seconds) {
        self.cues = cues
        self.period = period
    }

    /// Starts the clock.
    public mutating func begin(now: Seconds) { start = now }

    /// Appends the words that are due, one a line. The lines go into a detection stream, where they count as typed.
    public mutating func play(now: Seconds, into lines: inout [UInt8]) {
        guard let start, !cues.isEmpty else { return }
        while true {
            let cue = cues[next % cues.count]
            guard now - start >= Double(next / cues.count) * period + cue.time else { return }
            lines += Array((cue.word + "\n").utf8)
            next += 1
        }
    }
}
