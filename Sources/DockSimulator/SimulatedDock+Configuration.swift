public import Geometry

extension SimulatedDock {
    /// What a simulated dock is made of.
    public struct Configuration: Sendable {
        /// The mechanics.
        public var model = RigModel.good
        /// Seed of noise, jitter and the line's faults.
        public var seed: UInt64 = 1
        /// The dock's own number.
        public var uniqueID: UInt64 = 0xD0CF_ACE0_0000_0001
        /// The stored counter of boots.
        public var bootID: UInt16 = 1
        /// The dock's microseconds at boot, to test wraps.
        public var clockStart: UInt32 = 0
        /// The battery.
        public var battery = SimulatedBattery()
        /// Where the head looks at first, rad.
        public var pose = PanTilt.zero
        /// False: a rig whose firmware never stops by itself. It repeats its last set-point for ever, however old, until
        /// the host stops it; limits, latches and stall detection stay.
        public var hasDeadman = true
        /// Axes whose motor is mounted the other way round: what it counts and is told has the other sign than the head.
        public var inverted: Set<Axis> = []

        /// It says nothing from its boot on: ``Faults/isMute`` is set before its first word.
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
