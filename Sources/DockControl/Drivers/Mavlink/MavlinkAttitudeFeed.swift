internal import Geometry

/// The attitude reports of the gimbal: how often they arrive, whether they must be requested one by one, and the newest
/// one.
struct MavlinkAttitudeFeed: Sendable {
    /// A request to the gimbal.
    enum Request: Equatable {
        /// Reports at a fixed rate.
        case rate
        /// One report.
        case report
    }

    /// The time after which missing or slow reports are requested again, in seconds.
    static let requestInterval: Seconds = 0.5
    /// The longest delay of a message, in seconds.
    static let longestDelay: Seconds = 1
    /// The length of a report, in bytes.
    static let length = 61

    /// The last attitude, or nil if there is none yet.
    private(set) var attitude: GimbalAttitude?
    /// Its pose in the profile's directions.
    private(set) var measured = MeasuredPose()
    var rate: FeedbackRate
    /// Whether the gimbal accepts no report rate, so that each report is requested.
    var needsRequests = false
    private var nextRequest: Seconds = 0

    /// Creates the feed for a line of this speed, in bits per second.
    init(baud: Int) { rate = FeedbackRate(reportLength: Self.length, baud: baud) }

    /// The longest time until the next request, in seconds.
    var patience: Seconds { FeedbackRate.interval(isMoving: needsRequests && rate.isActive) }

    /// Starts again: the gimbal is greeted at `now`.
    mutating func restart(now: Seconds) {
        attitude = nil
        measured.forget()
        (needsRequests, nextRequest) = (false, now)
    }

    /// Returns what to request now, or nil if the reports arrive and there is nothing to request.
    mutating func request(now: Seconds) -> Request? {
        guard now >= nextRequest, needsRequests || measured.age(now: now) > 3 * rate.interval else { return nil }
        nextRequest = now + (needsRequests ? rate.interval : Self.requestInterval)
        return needsRequests ? .report : .rate
    }

    /// Returns whether the gimbal has restarted: its clock went back, or is further behind ours than a slow line can
    /// delay a message.
    func showsRestart(_ new: GimbalAttitude, now: Seconds) -> Bool {
        guard let attitude else { return false }
        let ran = Double(Int32(bitPattern: new.bootTime &- attitude.bootTime)) / 1000
        return ran < -0.1 || ran < measured.age(now: now) - Self.longestDelay
    }

    /// Records an attitude, whose pose is `ours` in the profile's directions. Returns it as a pose of the head.
    mutating func record(_ new: GimbalAttitude, pose ours: PanTilt, now: Seconds) -> MotionSample {
        attitude = new
        var ours = ours
        // Beyond half a turn, the angle jumps by a whole turn; the head does not.
        if let pose = measured.pose { ours.pan += ((pose.pan - ours.pan) / (2 * .pi)).rounded() * 2 * .pi }
        measured.record(ours, measuredAt: Seconds(new.bootTime) / 1000, now: now)
        return MotionSample(time: now, pose: ours, rate: measured.rate)
    }
}
