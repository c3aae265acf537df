public import Geometry

/// What must hold in every story; docs/SAFETY.md says why.
public enum Rule: String, Sendable, CaseIterable {
    /// After a stop, a fault or an emergency stop nothing moves until somebody wants it.
    case stillAfterStop
    /// A stop is on the wire when the turn that took it is over.
    case stopIsWritten
    /// After a stop on a sound line the axes stand when they can.
    case stopIsEffective
    /// A stop goes out behind the resync prefix, and more than once.
    case stopsAgain
    /// A dock that comes back is stopped before it is turned.
    case stopsFirst
    /// An axis never leaves its range by more than play and noise.
    case staysInRange
    /// No set-point from which the head could not stop before the end of its range and margin.
    case brakingEnvelope
    /// No set-point is faster than the axis may turn.
    case speedLimit
    /// An axis outside its range turns inward only, and slowly.
    case slowReturn
    /// A real rig that nobody has checked turns slowly.
    case uncheckedIsSlow
    /// A low battery halves the speed.
    case lowBatteryIsSlow
    /// An axis moves only on set-points younger than the deadman.
    case freshSetpoints
    /// An axis whose motor or encoder lies is stopped.
    case liarStands
    /// An axis whose encoder is dead is not walked on by short motions.
    case deadEncoderStands
    /// An axis that is blocked is not pressed for long.
    case blockedStands
    /// An axis backs off from what blocked it: against the motion, slowly, a little, once.
    case backsOffOnce
    /// A dock that says it is latched gets no motion.
    case latchedStands
    /// An emergency stop reaches the dock, however often it must be said.
    case emergencyArrives
    /// Nobody is told that a latch is released while the dock keeps it.
    case clearIsTrue
    /// Nobody is told that the motors have let go while they hold.
    case releaseIsTrue
    /// Motors that somebody let go of hold again only when somebody asks for it.
    case staysReleased
    /// A stop or an emergency stop is refused to nobody.
    case anybodyStops
    /// What a person has latched no program releases.
    case handKeepsLatch
    /// Tracking turns an axis slowly until it has proven its sign.
    case unprovenIsSlow
    /// Pan is not turned after whoever stands above the head.
    case poleIsFrozen
    /// A right rig is accused of nothing.
    case fairAccusation
    /// Nothing moves from a pose that nobody knows.
    case knownPose
    /// Nothing moves a dock that was not greeted on this port, or since the machine slept.
    case greetedFirst
    /// Nothing but a greeting or a stop goes to another dock.
    case sameDock
    /// Tracking turns only while frames come.
    case staleDetector
    /// Nobody in the picture: tracking fades, looks slowly, and goes home.
    case lostSlowsDown
    /// Manual motion ends by its time.
    case motionExpires
    /// Hands are waited for.
    case carefulArming
    /// Never two set-points within 1/60 s.
    case pace
    /// Programs do not move what a person holds.
    case oneOwner
    /// What a program moved under its lease ends with the lease, and what it still wanted does not begin.
    case deadLease
    /// After a person's stop no program sets anything going until a person gives the dock back.
    case stopLasts
    /// The last words to the dock are the stop.
    case lastWord
    /// Who clears a latch whose cause is over, at a sound dock, is not refused.
    case latchClears
    /// A dock that says nothing does not count as ready.
    case silenceIsNoticed
    /// When every trouble is over the dock is there again and does what it is told.
    case comesBack
    /// Somebody who stands before a sound dock is followed.
    case followsAgain
    /// A dock that never stops by itself is turned only while a guard stands by.
    case guarded
    /// The guard stops a dock that is moved while the loop gets no time.
    case guardStops
    /// A dock that never stops by itself is stopped until it stands.
    case stopsUntilItStands
    /// A dock that does not hear while it is moved is stopped and greeted anew.
    case deafIsNoticed
    /// A camera that is mirrored, or not on the head, is noticed.
    case wrongCameraStands
    /// What waited when somebody stopped is not carried out after that.
    case stopGoesFirst
    /// Where set-points end, a stop was the last of them.
    case stopIsOwed
    /// The loop sleeps when there is nothing to do.
    case rests
    /// Every command is answered once, every motion ends once.
    case everythingAnswered
    /// Queues stay within their bounds.
    case bounded
}

/// A rule that was broken.
public struct Violation: Sendable, Equatable {
    /// Which.
    public var rule: Rule
    /// The world's time, seconds.
    public var time: Seconds
    /// What happened.
    public var text: String
}
