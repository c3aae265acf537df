internal import Geometry

/// The attitude reports of the gimbal: how often they come, whether they must be requested one by one, and the newest one.
struct MavlinkAttitudeFeed: Sendable {
    /// What to request of the gimbal.
    enum Request: Equatable {
        /// Reports at a rate.
        case rate
        /// One report.
        case report
    }

    /// Reports that are missing or too slow are requested again after this time, seconds.
    static let requestInterval: Seconds = 0.5
    /// Longest delay of a message, seconds.
    static let longestDelay: Seconds = 1
    /// Bytes of a report.
    static let length = 61

    /// The last attitude; nil: none yet.
    private(set) var attitude: GimbalAttitude?
    /// Its pose in the profile's directions.
    private(set) var measured = MeasuredPose()
    var rate: FeedbackRate
    /// The gimbal accepts no report rate: each report is requested.
    var needsRequests = false
    private var nextRequest: Seconds = 0

    /// For a line of this speed, bits per second.
    init(baud: Int) { rate = FeedbackRate(reportLength: Self.length, baud: baud) }

    /// Longest time until the next request, seconds.
    var patience: Seconds { FeedbackRate.interval(isMoving: needsRequests && rate.isActive) }

    /// The gimbal is greeted again.
    mutating func restart(now: Seconds) {
        attitude = nil
        measured.forget()
        (needsRequests, nextRequest) = (false, now)
    }

    /// What to request now; nil: nothing, the reports come.
    mutating func request(now: Seconds) -> Request? {
        guard now >= nextRequest, needsRequests || measured.age(now: now) > 3 * rate.interval else { return nil }
        nextRequest = now + (needsRequests ? rate.interval : Self.requestInterval)
        return needsRequests ? .report : .rate
    }

    /// Whether the gimbal has restarted: its clock went back, or is further behind ours than a slow line delays a message.
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
