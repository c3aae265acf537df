internal import CPosix
internal import DockControl
internal import FaceTracker
internal import Geometry

/// Parts of the pipeline.
extension DetectionPipeline {
    /// Receives frames and events on the loop thread; its closures must not block.
    struct Listener: Sendable {
        var onFrame: @Sendable (TrackedFrame) -> Void
        var onEvent: @Sendable (TrackingEvent) -> Void
    }

    /// A frame that was tracked and not published yet.
    struct Pending {
        var sequence: Int?
        var exposure: Seconds
        var followed: Int?
        var setPoint: Point
        var pose: PanTilt?
        var camera: CameraModel
        /// A program's own observations; nil: the tracker's subjects.
        var observed: [TrackedSubject]?
        var selected: [Int]
    }

    /// The machine's clocks, or those of a simulation in virtual time.
    struct Clocks {
        /// CLOCK_MONOTONIC.
        var monotonic: () -> Seconds = { cposix_monotonic_now() }
        /// CLOCK_REALTIME.
        var realtime: () -> Seconds = { cposix_realtime_now() }
    }

    /// The lines that one turn may process, so that a flood does not delay a stop.
    struct LineBudget {
        private let deadline: Seconds
        private var count = 0

        init(until deadline: Seconds) { self.deadline = deadline }

        /// Notes `lines` processed lines. Returns whether the time is over; the clock is read at every eighth line only.
        mutating func isSpent(after lines: Int, clock: () -> Seconds) -> Bool {
            count += lines
            return count & 7 == 0 && clock() > deadline
        }
    }
}
