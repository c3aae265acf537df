public import Geometry

/// A stage between the exposure of a frame and the image that moves because of it.
public enum LatencyStage: String, Sendable, CaseIterable {
    /// From the exposure of a frame to the arrival of its rectangles: camera, detector, pipe.
    case delivered
    /// From arrival to tracked: decoder, tracker, selection.
    case tracked
    /// From tracked to a decided velocity, with the wait for the line's pace.
    case decided
    /// From decided to written to the port.
    case written
    /// Time that the rest of the port's queue needs just after the write, at the line's speed.
    case drained
    /// From the first command of a motion to the head's first motion, as its reports show it.
    case moved
    /// From the first motion to the exposure of the first frame in which the followed face has moved against it.
    case pictured
    /// From exposure to written: `delivered` to `written` together.
    case answered
    /// From the first command to the exposure of that frame: `moved` and `pictured` together.
    case seen

    /// Where the stage begins and ends, for people.
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

    /// Index among all stages.
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
    /// Half of the values and 99 of 100 are at most this long, seconds; and the number of values.
    public struct Spread: Sendable, Equatable {
        /// Number of values.
        public var count = 0
        /// Median, seconds; nil: no values.
        public var p50: Seconds?
        /// 99th percentile, seconds; nil: no values.
        public var p99: Seconds?
        /// Sum of all values, seconds; 0 if only the newest are covered.
        public var sum: Seconds = 0
        /// How many values are at most as large as each of `LatencyHistogram.bounds`; 0 if only the newest are covered.
        public var counts = SIMD16<UInt32>()

        /// No values.
        public init() {}
    }

    /// The stage.
    public var stage: LatencyStage
    /// All values since the daemon began.
    public var all = Spread()
    /// The last `LatencyTally.window` values.
    public var recent = Spread()
    /// Why there is no value; nil: there is one.
    public var why: String?

    /// A stage without values.
    public init(stage: LatencyStage) { self.stage = stage }
}
