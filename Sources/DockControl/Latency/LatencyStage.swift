public import Geometry

/// A stage between the light on a sensor and the picture that moves because of it.
public enum LatencyStage: String, Sendable, CaseIterable {
    /// From the exposure of a picture to the arrival of its rectangles: camera, detector, pipe.
    case delivered
    /// From arrival to tracked: decoder, tracker, selection.
    case tracked
    /// From tracked to a decided velocity: waiting for the line's pace included.
    case decided
    /// From decided to written to the port.
    case written
    /// What was left in the port's queue just after the write, at the line's speed.
    case drained
    /// From the first command of a motion to the head's first motion, as its reports tell.
    case moved
    /// From the first motion to the exposure of the first picture in which the followed face has moved against it.
    case pictured
    /// From exposure to written: `delivered` to `written` together.
    case answered
    /// From the first command to the picture that has moved: `moved` and `pictured` together.
    case seen

    /// Where it begins and ends, for people.
    public var ends: (from: String, to: String) {
        switch self {
        case .delivered: ("exposure", "rectangle")
        case .tracked: ("rectangle", "track")
        case .decided: ("track", "command")
        case .written: ("command", "port")
        case .drained: ("port", "wire")
        case .moved: ("command", "first motion")
        case .pictured: ("first motion", "picture moved")
        case .answered: ("exposure", "port")
        case .seen: ("command", "picture moved")
        }
    }

    /// Its place among all.
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

/// What is known of one stage.
public struct StageFigures: Sendable, Equatable {
    /// Half and 99 of 100 take no longer, seconds; of how many values.
    public struct Spread: Sendable, Equatable {
        /// Values.
        public var count = 0
        /// Seconds; nil: there is no value.
        public var p50: Seconds?
        /// Seconds; nil: there is no value.
        public var p99: Seconds?
        /// All of them together, seconds; 0 where only the newest are told of.
        public var sum: Seconds = 0
        /// How many are at most as large as each of `LatencyHistogram.bounds`; 0 where only the newest are told of.
        public var counts = SIMD16<UInt32>()

        /// Of nothing.
        public init() {}
    }

    /// Which.
    public var stage: LatencyStage
    /// Since the daemon began.
    public var all = Spread()
    /// The last `LatencyTally.window` values.
    public var recent = Spread()
    /// Why there is no value; nil: there is one.
    public var why: String?

    /// A stage without values.
    public init(stage: LatencyStage) { self.stage = stage }
}
