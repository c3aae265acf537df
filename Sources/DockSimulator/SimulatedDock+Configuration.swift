public import Geometry

extension SimulatedDock {
    /// The configuration of a simulated dock.
    public struct Configuration: Sendable {
        /// The mechanics.
        public var model = RigModel.good
        /// Seed of noise, jitter and the line's faults.
        public var seed: UInt64 = 1
        /// The dock's unique number.
        public var uniqueID: UInt64 = 0xD0CF_ACE0_0000_0001
        /// The stored counter of boots.
        public var bootID: UInt16 = 1
        /// The dock's microseconds at boot, to test wraps.
        public var clockStart: UInt32 = 0
        /// The battery.
        public var battery = SimulatedBattery()
        /// The head's first pose, rad.
        public var pose = PanTilt.zero
        /// If false, the firmware never stops by itself. It repeats its last set-point indefinitely until the host
        /// stops it. Limits, latches and stall detection remain.
        public var hasDeadman = true
        /// Axes whose motor is mounted the other way round, so that its readings and commands have the opposite sign of
        /// the head.
        public var inverted: Set<Axis> = []

        /// Whether it sends nothing from its boot on: ``Faults/isMute`` is set before its first output.
        public var isMute = false

        /// A good rig at zero.
        public init() {}

        /// A rig of the model at zero.
        public init(model: RigModel, seed: UInt64 = 1) {
            self.model = model
            self.seed = seed
        }
    }
}
