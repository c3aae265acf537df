/// A deliberate safety bug. The simulation must find each of them, which proves that it can find such bugs.
///
/// They exist only in a build with `DOCKFACE_MUTANTS` set. In any other build `isOn` is false and costs nothing.
package enum SafetyMutant: String, CaseIterable, Sendable {
    /// A stop drops the decided motion but writes nothing.
    case skipsStop
    /// The end of the program writes no stop.
    case leavesWithoutStop
    /// Tracking continues at its last velocity when no frames arrive.
    case holdsLastVelocity
    /// The soft limits are ignored.
    case ignoresLimits
    /// Set-points carry no time of sending, so the dock cannot recognise old ones.
    case hidesAge
    /// Pan turns in the wrong direction.
    case swapsSign
    /// A reboot of the dock clears the latch.
    case forgetsLatch
    /// Any dock that appears at the port is mistaken for ours.
    case takesAnyDock
    /// A pose never becomes too old.
    case believesOldPoses
    /// Arming does not wait until hands are away.
    case skipsArming
    /// A sleep of the machine is not detected.
    case sleepsThrough
    /// A dead program's motion continues.
    case keepsDeadLease
    /// Programs move a dock that a person controls.
    case ignoresPeople
    /// After a clear the earlier mode is restored.
    case resumesAfterClear
    /// Motion from before the dock was unplugged continues when the dock returns.
    case resumesAfterReplug
    /// A stop is written once, without the two repeats in case it is lost.
    case stopsOnce
    /// A stop has no prefix that ends a truncated message.
    case stopsWithoutPrefix
    /// A dock that returns is not stopped first.
    case returnsWithoutStop
    /// An emergency stop is sent once, without repeats.
    case saysEmergencyOnce
    /// The dock's report that its emergency button was pressed is ignored.
    case ignoresDockButton
    /// The dock's report that it is blocked or too hot is ignored.
    case ignoresDockFault
    /// A clear is not sent to the dock.
    case neverSendsClear
    /// A clear is reported as done whatever the dock reports.
    case clearsBlindly
    /// Torque is switched without stopping the motion first.
    case torqueKeepsMoving
    /// A pending clear also clears an emergency stop that came after it.
    case clearsNewerStop
    /// `torque off` is reported as done as soon as it is written.
    case reportsTorqueOffAtOnce
    /// The check that the axes follow is omitted.
    case watchesNothing
    /// Correct axes are reported as faulty.
    case reportsFalseFault
    /// An axis backs off toward the obstacle.
    case retreatsForward
    /// An axis backs off without end.
    case retreatsFar
    /// An axis outside its range returns at any speed.
    case returnsFast
    /// Braking before a limit ignores the delay.
    case brakesLate
    /// A rig that was not checked runs at full speed.
    case ignoresMissingCheck
    /// A low battery has no effect.
    case ignoresSupply
    /// A person who is near has no effect on the speed.
    case ignoresNearness
    /// A lost subject is searched for at twice the speed.
    case searchesFast
    /// A lost subject is followed as if it kept moving.
    case coastsOn
    /// A silent dock counts as ready.
    case missesSilence
    /// A dock without a deadman timer is turned without a guard.
    case movesUnguarded
    /// A lost port is never opened again.
    case neverReopens
    /// A dock never becomes ready.
    case neverReady
    /// A client without the lease may not stop while another client has it.
    case stopNeedsLease
    /// A program clears a latch that a person has set.
    case programClears
    /// A repeated handshake switches the torque on, although it was switched off on request.
    case torqueComesBack
    /// An axis that has not proven its sign is turned at full speed.
    case unprovenFast
    /// Arming waits only after the first greeting.
    case armsOnce
    /// A silent detector is detected after twice the time.
    case staleLate
    /// Pan chases a person who is directly above the head.
    case chasesOverheadFace
    /// The heartbeat never reports motion to the guard.
    case sendsNoHeartbeat
    /// A dock without a deadman timer that has not received its stops is not stopped again.
    case stopsOnlyOnce
    /// A dock that sends but does not receive counts as healthy.
    case ignoresDeafness
    /// A verdict of the sign guard changes nothing, and its axis turns as if its sign were proven.
    case signsIgnored
    /// Commands that waited before a stop are executed after it.
    case stopKeepsQueue
    /// A truncated stop is not written again.
    case cutStopForgotten
    /// A loop that was held up does not detect it.
    case gapBlind
    /// A restarted daemon forgets an earlier latch.
    case beginsUnlatched
    /// The end of a lease is dropped while commands wait for the loop.
    case leaseEndsLate
    /// Two seconds after a person's stop, programs can set the mode and move the dock again.
    case stopExpires
    /// Unseen motion of an axis is forgotten in every pause.
    case forgetsPushes
    /// The reported rate is accepted even if it contradicts the poses.
    case believesRates
    /// The torque of a dock that switched it off by itself is switched on again.
    case torqueReturns
    /// A dock with our dock's boot ID is mistaken for ours.
    case trustsBootID
    /// A hello message from the detector resets everything known about the camera.
    case helloClearsState
    /// All frames are assumed to be as free of noise as good ones.
    case noiseProves
    /// An expected person is waited for without end.
    case expectsForever
    /// Sightings at poses that no report supports count as evidence about the signs.
    case judgesLostPoses

    #if SAFETY_MUTANTS
        /// The active bug, for the whole process.
        nonisolated(unsafe) package static var active: SafetyMutant?
        /// Whether this bug is active.
        package var isOn: Bool { Self.active == self }
    #else
        /// Whether this bug is active, which is never the case in this build.
        @inline(__always) package var isOn: Bool { false }
    #endif
}
