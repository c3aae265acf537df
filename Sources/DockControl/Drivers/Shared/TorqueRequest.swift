internal import Geometry

/// The last torque request to the motors, and whether their release has been reported.
///
/// The rules are the same for every device: a dry run moves nothing and switches nothing. A head whose torque was
/// switched off stays that way through every greeting, until its torque is requested again. Each release is reported
/// once.
struct TorqueRequest: Sendable, Equatable {
    /// Whether nothing may be moved, because this is a dry run or the torque is off.
    private(set) var isMotionless = false
    /// Whether a person switched the torque off.
    private(set) var isReleased = false
    private var isReleaseReported = false

    /// Begins a conversation; `motionless` means a dry run.
    mutating func begin(motionless: Bool) {
        isMotionless = motionless
        if !motionless { isReleased = false }
    }

    /// Records that the torque is requested on or off.
    mutating func request(_ on: Bool) { (isMotionless, isReleased, isReleaseReported) = (!on, !on, false) }

    /// Records that the device was greeted again and must confirm the release again.
    mutating func awaitRelease() { isReleaseReported = false }

    /// Records that the device confirms that its torque is off. Returns true if the release was requested and has not
    /// been reported.
    mutating func confirmRelease() -> Bool {
        guard isReleased, !isReleaseReported else { return false }
        isReleaseReported = true
        return true
    }
}
