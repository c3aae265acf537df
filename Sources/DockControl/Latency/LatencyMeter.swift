public import Geometry

/// Measures during operation how long each stage takes. It receives times and returns figures. The loop's thread reads
/// its clock three times per frame for it.
public struct LatencyMeter: Sendable {
    private var tallies = [LatencyTally](repeating: LatencyTally(), count: LatencyStage.allCases.count)
    /// The oldest frame that has not been followed by a set-point.
    private var waiting: (exposure: Seconds?, tracked: Seconds, decided: Seconds?)?
    private var pan: MotionOnset, tilt: MotionOnset
    private var picture = PictureOnset()
    /// The start in progress, or the last one: its axis, and when each of its ends was detected.
    private var start: (axis: Axis, commanded: Seconds, moved: Seconds?, pictured: Seconds?)?
    private let isMeasured: Bool, isOnHead: Bool, baud: Double
    private var hasFrames = false, isGuessed = false, isHardware = false
    private var lastSighting: Seconds = -.infinity

    /// Creates a meter for a rig. `isMeasured`: the rig reports a measured pose.
    public init(profile: RigProfile, isMeasured: Bool) {
        pan = MotionOnset(lag: profile.pan.lag, acceleration: profile.pan.maxAcceleration)
        tilt = MotionOnset(lag: profile.tilt.lag, acceleration: profile.tilt.maxAcceleration)
        self.isMeasured = isMeasured
        isOnHead = profile.camera.mount == .head
        baud = Double(profile.serial.baud)
    }

    private mutating func add(_ stage: LatencyStage, _ seconds: Seconds) { tallies[stage.index].add(seconds) }

    // MARK: from a frame to the port

    /// Records that frames arrived and were tracked. `exposure` is that of the newest frame, or nil if the detector
    /// does not report it.
    public mutating func arrived(at arrival: Seconds, exposure: Seconds?, tracked: Seconds) {
        hasFrames = true
        isGuessed = exposure == nil
        if let exposure { add(.delivered, arrival - exposure) }
        add(.tracked, tracked - arrival)
        if waiting == nil { waiting = (exposure, tracked, nil) }
    }

    /// Whether a frame waits for its set-point, so that the time of the decision is needed.
    public var isWaiting: Bool { waiting != nil }

    /// Records that a velocity was decided.
    public mutating func decided(at time: Seconds) { waiting?.decided = time }

    /// Records that the dock is at rest, so that no set-point follows.
    public mutating func rested() { waiting = nil }

    /// Records that a set-point (rad/s) was written.
    public mutating func written(_ velocity: PanTilt, at time: Seconds) {
        if let last = waiting, let decided = last.decided {
            add(.decided, decided - last.tracked)
            add(.written, time - decided)
            if let exposure = last.exposure { add(.answered, time - exposure) }
        }
        waiting = nil
        commanded(velocity, at: time)
    }

    /// Records that this many bytes were left in a real port's queue after a set-point.
    public mutating func queued(_ bytes: Int) {
        isHardware = true
        // Each byte has eight data bits, a start bit and a stop bit.
        add(.drained, Double(bytes) * 10 / baud)
    }

    // MARK: from a command to the image

    /// Records that a velocity (rad/s) was sent to the dock; zero means a stop.
    public mutating func commanded(_ velocity: PanTilt, at time: Seconds) {
        guard isMeasured else { return }
        for axis in Axis.allCases {
            let before = onset(axis).beganAt
            if axis == .pan { pan.commanded(velocity.pan, at: time) } else { tilt.commanded(velocity.tilt, at: time) }
            guard before == nil, let began = onset(axis).beganAt else { continue }
            if isOnHead { picture.begins(axis, direction: onset(axis).direction, at: time) }
            start = (axis, began, nil, nil)
        }
    }

    private func onset(_ axis: Axis) -> MotionOnset { axis == .pan ? pan : tilt }

    /// Records that the dock reported its pose.
    public mutating func measured(_ sample: MotionSample) {
        guard isMeasured else { return }
        note(pan.measured(position: sample.pose.pan, rate: sample.rate.pan, at: sample.time), of: .pan)
        note(tilt.measured(position: sample.pose.tilt, rate: sample.rate.tilt, at: sample.time), of: .tilt)
    }

    private mutating func note(_ seen: MotionOnset.Start?, of axis: Axis) {
        guard let seen else { return }
        add(.moved, seen.moved - seen.commanded)
        guard let known = start, known.axis == axis, known.commanded == seen.commanded else { return }
        start?.moved = seen.moved
        close()
    }

    /// Records that the followed face was seen by a dock at `pose`, in radians.
    public mutating func saw(_ bearing: PanTilt, of subject: Int, from pose: PanTilt, exposure: Seconds) {
        guard isOnHead, exposure > lastSighting else { return }
        lastSighting = exposure
        guard let moved = picture.saw(bearing, of: subject, from: pose, exposure: exposure) else { return }
        start?.pictured = moved
        close()
    }

    /// Counts a start once both of its ends are known.
    private mutating func close() {
        guard let known = start, let moved = known.moved, let pictured = known.pictured else { return }
        add(.pictured, pictured - moved)
        add(.seen, pictured - known.commanded)
        start = nil
    }

    /// Records that the dock was lost or was silent, so that a measurement in progress cannot be completed.
    public mutating func reset(now: Seconds) {
        pan.reset(now: now)
        tilt.reset(now: now)
        picture.reset()
        (start, waiting, lastSighting) = (nil, nil, -.infinity)
    }

    // MARK: results

    /// The figures of all stages, in the order in which the stages occur.
    public var figures: [StageFigures] {
        LatencyStage.allCases.map { tallies[$0.index].figures(of: $0, why: why($0)) }
    }

    /// Returns why a stage has no value.
    private func why(_ stage: LatencyStage) -> String {
        switch stage {
        case .delivered where hasFrames && isGuessed, .answered where hasFrames && isGuessed:
            "the detector does not report when its frames were taken"
        case .delivered, .tracked: "no frames have arrived"
        case .decided, .written, .answered: "no frame has led to a set-point yet"
        case .drained: isHardware ? "no set-point yet" : "the port is not serial hardware, or nothing was written yet"
        case .moved where !isMeasured, .pictured where !isMeasured, .seen where !isMeasured:
            "the rig does not measure its pose"
        case .moved: "no clear start of a motion yet: an axis must stand still for 0.3 s, then exceed 3 deg/s"
        case .pictured where !isOnHead, .seen where !isOnHead: "the camera does not turn with the dock"
        case .pictured, .seen: "no clear start of a motion yet while following a face that stands still"
        }
    }
}
