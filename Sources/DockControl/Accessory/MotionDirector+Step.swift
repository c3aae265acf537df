public import Geometry

extension MotionDirector {
    /// What one step decided.
    public struct Step: Sendable, Equatable {
        /// rad/s, inside all limits.
        public var velocity = PanTilt.zero
        /// Who wanted it.
        public var owner = MotionOwner.none
        /// Why.
        public var reason = MotionReason.nothingToDo
        /// Why, for each axis.
        public var reasons = AxisReasons(.nothingToDo)
    }

    /// A motion that somebody asked for, under way.
    struct Active: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            /// A velocity or a move.
            case manual(ManualMotion)
            /// A motion script, and the mode that comes back after it.
            case script(ScriptRun, before: TrackingMode)
        }
        /// Nil: a pulse of a chevron key, about which nobody asks later.
        var id: MotionID?
        /// The program that asked for it; nil: none did.
        var program: ProgramID?
        var name: String
        var start: Seconds
        var duration: Seconds
        var kind: Kind
        /// Since when a limit has kept it from going on.
        var blockedSince: Seconds?
    }
}
