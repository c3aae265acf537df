internal import Geometry

/// What was last requested of the motors' torque, and whether its release has been reported.
///
/// The rules are the same for every device: a dry run moves nothing and switches nothing; a head that was let go of stays so
/// through every greeting, until its torque is requested again; and each release is reported once.
struct TorqueRequest: Sendable, Equatable {
    /// Nothing may be moved: a dry run, or the torque is off.
    private(set) var isMotionless = false
    /// A person switched the torque off.
    private(set) var isReleased = false
    private var isReleaseReported = false

    /// A conversation begins; `motionless`: a dry run.
    mutating func begin(motionless: Bool) {
        isMotionless = motionless
        if !motionless { isReleased = false }
    }

    /// The torque is requested on or off.
    mutating func request(_ on: Bool) { (isMotionless, isReleased, isReleaseReported) = (!on, !on, false) }

    /// The device was greeted again and must confirm the release again.
    mutating func awaitRelease() { isReleaseReported = false }

    /// The device confirms that its torque is off. Returns true if the release was requested and has not been reported.
    mutating func confirmRelease() -> Bool {
        guard isReleased, !isReleaseReported else { return false }
        isReleaseReported = true
        return true
    }
}
