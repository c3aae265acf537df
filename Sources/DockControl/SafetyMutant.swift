/// A deliberate safety bug. The simulation must find each of them; that is how we know that it can find one.
///
/// They exist only in a build with `DOCKFACE_MUTANTS` set; everywhere else `isOn` is false and costs nothing.
package enum SafetyMutant: String, CaseIterable, Sendable {
    /// A stop drops what was decided and writes nothing.
    case skipsStop
    /// The end of the program writes nothing.
    case leavesWithoutStop
    /// Tracking turns on at its last velocity when no frames come.
    case holdsLastVelocity
    /// The soft limits are not looked at.
    case ignoresLimits
    /// Set-points carry no time of sending, so that the dock cannot tell old ones.
    case hidesAge
    /// Pan turns the other way round.
    case swapsSign
    /// A restart of the dock clears the latch.
    case forgetsLatch
    /// Whatever dock comes back is taken for ours.
    case takesAnyDock
    /// A pose is believed however old it is.
    case believesOldPoses
    /// Hands near the dock are not waited for.
    case skipsArming
    /// A sleep of the machine is not noticed.
    case sleepsThrough
    /// A dead program's motion goes on.
    case keepsDeadLease
    /// Programs move what a person holds.
    case ignoresPeople
    /// After a latch is cleared the mode is what it was.
    case resumesAfterClear

    #if SAFETY_MUTANTS
        /// The one that is switched on, for the whole process.
        nonisolated(unsafe) package static var active: SafetyMutant?
        /// Mutants are compiled in.
        package static let areCompiled = true
        /// Whether this one is switched on.
        package var isOn: Bool { Self.active == self }
    #else
        /// Mutants are not compiled in.
        package static let areCompiled = false
        /// Never.
        @inline(__always) package var isOn: Bool { false }
    #endif
}
