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
    /// What was wanted before the cable was pulled goes on when it is back.
    case resumesAfterReplug
    /// A stop goes out once, without the two that follow in case it got lost.
    case stopsOnce
    /// A stop has nothing before it that ends a cut frame.
    case stopsWithoutPrefix
    /// A dock that comes back is not stopped first.
    case returnsWithoutStop
    /// An emergency stop is said once.
    case saysEmergencyOnce
    /// The dock says that its emergency button was pressed, and nobody hears.
    case ignoresDockButton
    /// The dock says that it is blocked or too hot, and nobody hears.
    case ignoresDockFault
    /// A clear does not go to the dock.
    case neverSendsClear
    /// A clear is told as done whatever the dock says.
    case clearsBlindly
    /// Torque is switched under way.
    case torqueKeepsMoving
    /// A clear that is under way releases an emergency stop that came after it.
    case clearsNewerStop
    /// `torque off` is told as done when it has been written.
    case tellsReleaseAtOnce
    /// Nobody watches whether the axes follow.
    case watchesNothing
    /// Right axes are accused.
    case accusesRashly
    /// An axis backs off into what blocks it.
    case retreatsForward
    /// An axis backs off without an end.
    case retreatsFar
    /// An axis outside its range comes back at any speed.
    case returnsFast
    /// Braking toward a limit does not know the delay.
    case brakesLate
    /// A rig that nobody has checked runs at full speed.
    case ignoresMissingCheck
    /// A low battery changes nothing.
    case ignoresSupply
    /// Whoever is lost is looked for at twice the speed.
    case searchesFast
    /// Whoever is lost is followed as if they had walked on.
    case coastsOn
    /// A dock that says nothing counts as ready.
    case missesSilence
    /// A dock that never stops by itself is turned without a guard.
    case movesUnguarded
    /// A port that was lost is never opened again.
    case neverReopens
    /// A dock never becomes ready.
    case neverReady
    /// Who has no lease may not stop while another has it.
    case stopNeedsLease
    /// A program releases what a person has latched.
    case programClears
    /// A dock that is greeted again holds its axes, although somebody has let go of them.
    case torqueComesBack
    /// An axis that has proven nothing is turned at full speed.
    case unprovenFast
    /// Hands are waited for after the first greeting only.
    case armsOnce
    /// A silence of the detector is noticed after twice the time.
    case staleLate
    /// Pan chases whoever stands right above the head.
    case freezesNothing
    /// The guard is never told that the dock moves.
    case heartless
    /// A dock without a deadman that lost its stops is not stopped again.
    case standsOnce
    /// A dock that talks and does not hear counts as sound.
    case ignoresDeafness
    /// What the picture says of the signs is not heard.
    case signsIgnored
    /// What waited before a stop is carried out after it.
    case stopLetsWaiting
    /// A stop whose write was cut off is not written again.
    case cutStopForgotten
    /// A loop that was held up does not notice it.
    case gapBlind
    /// A daemon that is started anew forgets what was latched before.
    case beginsUnlatched
    /// The end of a lease is dropped while commands wait for the loop.
    case leaseEndsLate
    /// Two seconds after a person's stop, programs set the mode and go on.
    case stopWearsOff
    /// What an axis was told and has not been seen to do is forgotten in every pause.
    case forgetsPushes
    /// Whatever rate the dock reports is believed, whatever its poses say.
    case believesRates
    /// A dock that let go of its motors by itself is told to hold again.
    case torqueReturns
    /// A dock with our dock's boot id is taken for ours.
    case trustsBootID
    /// What was learnt of the camera is forgotten with every hello of the detector.
    case helloForgets
    /// Pictures are taken to tremble no more than good ones.
    case noiseProves

    #if SAFETY_MUTANTS
        /// The one that is switched on, for the whole process.
        nonisolated(unsafe) package static var active: SafetyMutant?
        /// Whether this one is switched on.
        package var isOn: Bool { Self.active == self }
    #else
        /// Never.
        @inline(__always) package var isOn: Bool { false }
    #endif
}
