extension ViscaCamera {
    /// In what a camera differs from other cameras.
    public struct Quirks: Sendable {
        /// Whether it completes commands without acknowledging them.
        public var completesWithoutACK = false
        /// Whether it rejects the question where its lens is.
        public var hidesLens = false
    }

    /// What a person, or a camera's own program, has done to it.
    public struct Condition: Sendable {
        /// Number of commands that find both sockets busy. Inquiries are not affected.
        public var fullFor = 0
        /// Whether a menu is open. The camera then executes no pan or tilt command.
        public var isInMenu = false
        /// Whether it was switched off by a command. It then answers but does not move.
        public var isInStandby = false
        /// Whether it sends nothing.
        public var isMute = false
    }
}
