public import Geometry

/// The rules that hold in every story. docs/SAFETY.md gives the reasons.
public enum Rule: String, Sendable, CaseIterable {
    /// After a stop, a fault or an emergency stop nothing moves without a request.
    case stillAfterStop
    /// A stop is on the wire when the turn that received it ends.
    case stopIsWritten
    /// After a stop on a working line, the axes come to rest within their coasting time.
    case stopIsEffective
    /// A stop is sent after the resync prefix, and more than once.
    case stopIsRepeated
    /// A dock that returns is stopped before it is turned.
    case stopPrecedesMotion
    /// An axis never leaves its range by more than play and noise.
    case staysInRange
    /// From every set-point, the head can stop before the end of its range and margin.
    case brakingEnvelope
    /// No set-point is faster than the axis may turn.
    case speedLimit
    /// An axis outside its range turns only inward, and slowly.
    case slowReturn
    /// A real rig that was not checked turns slowly.
    case uncheckedIsSlow
    /// A low battery halves the speed.
    case lowBatteryIsSlow
    /// While a person is near, the speed is lower.
    case nearIsSlow
    /// An axis moves only on set-points younger than the deadman time.
    case freshSetpoints
    /// An axis with a wrong motor or encoder is stopped.
    case faultyAxisStops
    /// Short motions do not carry an axis with a dead encoder further and further.
    case deadEncoderStops
    /// A blocked axis is not pressed for long.
    case blockedAxisStops
    /// An axis backs off from an obstacle against the motion, slowly, a little, once.
    case backsOffOnce
    /// A dock that reports a latch gets no motion.
    case latchedDockStaysStill
    /// An emergency stop reaches the dock, however often it must be repeated.
    case emergencyArrives
    /// A latch is not reported as released while the dock keeps it.
    case clearIsTrue
    /// Motors are not reported as released while they hold.
    case torqueOffReportIsTrue
    /// Motors without torque hold again only on request.
    case staysReleased
    /// A stop or an emergency stop is never rejected.
    case anyoneCanStop
    /// No program releases what a person has latched.
    case onlyPersonClearsPersonsLatch
    /// Tracking turns an axis slowly until it has proven its sign.
    case unprovenIsSlow
    /// Pan does not follow a person who is directly above the head.
    case noPanForOverheadFace
    /// A correct rig is never accused of a fault.
    case noFalseFault
    /// Nothing moves from an unknown pose.
    case knownPose
    /// Nothing moves a dock before the handshake on this port, or before the handshake after the machine slept.
    case greetedFirst
    /// Another dock receives only a greeting or a stop.
    case sameDock
    /// Tracking turns only while frames arrive.
    case staleDetector
    /// Without a person in the frames, tracking fades, searches slowly, and goes home.
    case lostSlowsDown
    /// Manual motion ends at its time.
    case motionExpires
    /// After a handshake, the rig waits and then starts slowly, because hands may be near.
    case carefulArming
    /// Set-points leave the line free for each other, and there are at most 60 a second.
    case pace
    /// Programs do not move a dock that a person controls.
    case oneOwner
    /// A program's motion ends with its lease, and its pending commands do not begin.
    case deadLease
    /// After a person's stop no program starts any motion until a person releases the dock.
    case stopLasts
    /// The last message to the dock is a stop.
    case lastMessageIsStop
    /// On a working dock, a clear is not rejected after the cause of the latch is over.
    case latchClears
    /// A silent dock does not count as ready.
    case silenceIsNoticed
    /// When every fault has ended, the dock is back and obeys.
    case comesBack
    /// A person in front of a working dock is followed.
    case followsAgain
    /// A dock without a deadman timer is turned only while a guard is ready.
    case guarded
    /// The guard stops a moving dock while the loop gets no CPU time.
    case guardStops
    /// A dock without a deadman timer is sent stops until it stands.
    case stopsUntilAtRest
    /// A dock that does not receive while it moves is stopped, and its handshake is repeated.
    case deafIsNoticed
    /// A camera that is mirrored, or not on the head, is noticed.
    case wrongCameraIsDetected
    /// A request that waited before a stop is not carried out after it.
    case stopGoesFirst
    /// When set-points end, the last of them is a stop.
    case setpointsEndWithStop
    /// The loop sleeps when it has nothing to do.
    case loopSleeps
    /// Every command is answered once, and every motion ends once.
    case everythingAnswered
    /// Queues stay within their bounds.
    case bounded
}

/// A broken rule.
public struct Violation: Sendable, Equatable {
    /// The rule.
    public var rule: Rule
    /// The world's time, seconds.
    public var time: Seconds
    /// What happened.
    public var text: String
}
