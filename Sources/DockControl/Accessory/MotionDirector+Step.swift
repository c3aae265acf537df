public import Geometry

extension MotionDirector {
    /// The decision of one step.
    public struct Step: Sendable, Equatable {
        /// The velocity, in rad/s, inside all limits.
        public var velocity = PanTilt.zero
        /// The owner of the motion.
        public var owner = MotionOwner.none
        /// The reason.
        public var reason = MotionReason.nothingToDo
        /// The reason for each axis.
        public var reasons = AxisReasons(.nothingToDo)
    }

    /// A requested motion under way.
    struct Active: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            /// A velocity or a move.
            case manual(ManualMotion)
            /// A motion script, and the mode that is restored after it.
            case script(ScriptRun, before: TrackingMode)
        }
        /// The number of the motion; nil: a pulse of a chevron key, which needs none.
        var id: MotionID?
        /// The program that requested it; nil: none.
        var program: ProgramID?
        var name: String
        var start: Seconds
        var duration: Seconds
        var kind: Kind
        /// Since when a limit has blocked it.
        var blockedSince: Seconds?
    }
}
