internal import Geometry
internal import Glibc

/// What a capture program reads and writes.
struct CaptureProgram: Sendable, Equatable {
    /// The place of the camera in the list of cameras.
    var camera = 0
    /// Whether the frames are also written in the camera's own size.
    var isFull = false
}

/// Decides how the running capture program is replaced by one that does something else: it is asked to end, and killed
/// if it does not. Its owner reports events, sends the signals and starts the other one.
struct ProgramSwitch: Sendable, Equatable {
    private enum Phase: Equatable {
        case rest
        case asked(killAt: Seconds)
        case killed
    }

    private var phase = Phase.rest
    /// What the program does that was started last.
    private(set) var running = CaptureProgram()

    /// How long the program may take to end before it is killed, in seconds.
    static let grace: Seconds = 0.3

    /// Whether the running program is ending for this reason, so that its end is no failure.
    var isUnderWay: Bool { phase != .rest }

    /// The latest time for the next call of `signal`, CLOCK_MONOTONIC, or nil if there is none.
    var deadline: Seconds? { if case .asked(let killAt) = phase { killAt } else { nil } }

    /// Returns the signal to send to the running program at `now`, or nil if there is none. `isRunning`: frames arrive,
    /// so that nothing else is wrong with the program. A program in trouble is replaced only for another camera.
    mutating func signal(wanted: CaptureProgram, isRunning: Bool, now: Seconds) -> Int32? {
        switch phase {
        case .rest where wanted.camera != running.camera || isRunning && wanted != running:
            phase = .asked(killAt: now + Self.grace)
            return SIGTERM
        case .asked(let killAt) where now >= killAt:
            phase = .killed
            return SIGKILL
        case .rest, .asked, .killed: return nil
        }
    }

    /// Records that this program starts.
    mutating func begins(_ program: CaptureProgram) { (phase, running) = (.rest, program) }
}
