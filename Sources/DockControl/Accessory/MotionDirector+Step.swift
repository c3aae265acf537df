internal import DockTypes
public import Geometry

extension MotionDirector {
    /// The decision of one step.
    public struct Step: Sendable, Equatable {
        /// The velocity, in rad/s, inside all limits.
        public var velocity = PanTilt.zero
        /// The owner of the motion.
        public var owner = MotionOwner.none
        /// The reason for the decision.
        public var reason = MotionReason.nothingToDo
        /// The reason for each axis.
        public var reasons = AxisReasons(.nothingToDo)
    }
}
