public import Geometry

/// A stage between the exposure of a frame and the resulting motion of the image.
public enum LatencyStage: String, Sendable, CaseIterable {
    /// From the exposure of a frame to the arrival of its rectangles: through camera, detector and pipe.
    case delivered
    /// From arrival to the end of tracking: decoder, tracker, selection.
    case tracked
    /// From the end of tracking to a decided velocity, including the wait for the line's pace.
    case decided
    /// From the decision to the write to the port.
    case written
    /// The time that the rest of the port's queue needs just after the write, at the line's speed.
    case drained
    /// From the first command of a motion to the head's first motion, as its reports show it.
    case moved
    /// From the first motion to the exposure of the first frame in which the followed face has moved against it.
    case pictured
    /// From exposure to write: `delivered` to `written` together.
    case answered
    /// From the first command to the exposure of that frame: `moved` and `pictured` together.
    case seen

    /// The beginning and the end of the stage, in words for people.
    public var ends: (from: String, to: String) {
        switch self {
        case .delivered: ("exposure", "rectangle")
        case .tracked: ("rectangle", "track")
        case .decided: ("track", "command")
        case .written: ("command", "port")
        case .drained: ("port", "wire")
        case .moved: ("command", "first motion")
        case .pictured: ("first motion", "image moved")
        case .answered: ("exposure", "port")
        case .seen: ("command", "image moved")
        }
    }

    /// The index among all stages.
    var index: Int {
        switch self {
        case .delivered: 0
        case .tracked: 1
        case .decided: 2
        case .written: 3
        case .drained: 4
        case .moved: 5
        case .pictured: 6
        case .answered: 7
        case .seen: 8
        }
    }
}

/// The figures of one stage.
public struct StageFigures: Sendable, Equatable {
    /// The times, in seconds, that half of the values and 99 % of the values do not exceed, and the number of values.
    public struct Spread: Sendable, Equatable {
        /// The number of values.
        public var count = 0
        /// The median, in seconds, or nil if there are no values.
        public var p50: Seconds?
        /// The 99th percentile, in seconds, or nil if there are no values.
        public var p99: Seconds?
        /// The sum of all values, in seconds; 0 if only the newest are covered.
        public var sum: Seconds = 0
        /// For each of `LatencyHistogram.bounds`, the number of values that do not exceed it; 0 if only the newest are
        /// covered.
        public var counts = SIMD16<UInt32>()

        /// Creates a spread without values.
        public init() {}
    }

    /// The stage.
    public var stage: LatencyStage
    /// All values since the daemon began.
    public var all = Spread()
    /// The last `LatencyTally.window` values.
    public var recent = Spread()
    /// The reason why there is no value, or nil if there is one.
    public var why: String?

    /// Creates a stage without values.
    public init(stage: LatencyStage) { self.stage = stage }
}
