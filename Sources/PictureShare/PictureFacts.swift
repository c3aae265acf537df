public import Geometry

/// The pose of the head at the exposure of a picture.
public struct PicturePose: Sendable, Equatable {
    /// Pan and tilt, in radians.
    public var pose: PanTilt
    /// Their rates, in rad/s.
    public var rate: PanTilt

    /// Creates a pose (rad) with its rate (rad/s).
    public init(pose: PanTilt, rate: PanTilt) { (self.pose, self.rate) = (pose, rate) }
}

/// What is known about a picture besides its pixels.
public struct PictureFacts: Sendable, Equatable {
    /// The number of the camera's frame, from 0. Detections name the same number.
    public var sequence: Int
    /// When it was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// When it arrived, CLOCK_MONOTONIC.
    public var arrival: Seconds
    /// Whether `exposure` is estimated from `arrival`.
    public var isEstimated: Bool
    /// The pose of the head at the exposure, or nil if unknown.
    public var pose: PicturePose?
    /// Which camera took it, and how much it is magnified.
    public var optics: FrameOptics

    /// Creates facts.
    public init(
        sequence: Int, exposure: Seconds, arrival: Seconds, isEstimated: Bool = false, pose: PicturePose? = nil,
        optics: FrameOptics = .usual
    ) {
        (self.sequence, self.exposure, self.arrival) = (sequence, exposure, arrival)
        (self.isEstimated, self.pose, self.optics) = (isEstimated, pose, optics)
    }

    func store(in memory: SharedMemory, at place: Int) {
        memory.store(UInt64(bitPattern: Int64(sequence)), place + ShareField.sequence)
        memory.store(exposure, place + ShareField.exposure)
        memory.store(arrival, place + ShareField.arrival)
        let motion = pose ?? PicturePose(pose: .zero, rate: .zero)
        memory.store(motion.pose.pan, place + ShareField.pan)
        memory.store(motion.pose.tilt, place + ShareField.tilt)
        memory.store(motion.rate.pan, place + ShareField.panRate)
        memory.store(motion.rate.tilt, place + ShareField.tiltRate)
        memory.store(UInt64((isEstimated ? 1 : 0) | (pose == nil ? 0 : 2)), place + ShareField.flags)
        memory.store(optics.zoom, place + ShareField.zoom)
        memory.store(UInt64(optics.camera), place + ShareField.camera)
    }

    init(in memory: SharedMemory, at place: Int) {
        let flags = memory.load(place + ShareField.flags)
        sequence = Int(Int64(bitPattern: memory.load(place + ShareField.sequence)))
        exposure = memory.number(place + ShareField.exposure)
        arrival = memory.number(place + ShareField.arrival)
        isEstimated = flags & 1 != 0
        let pan = memory.number(place + ShareField.pan), tilt = memory.number(place + ShareField.tilt)
        let panRate = memory.number(place + ShareField.panRate), tiltRate = memory.number(place + ShareField.tiltRate)
        pose =
            flags & 2 == 0
            ? nil : PicturePose(pose: PanTilt(pan: pan, tilt: tilt), rate: PanTilt(pan: panRate, tilt: tiltRate))
        // A writer that states no magnification has written 0.
        optics = FrameOptics(
            camera: Int(truncatingIfNeeded: memory.load(place + ShareField.camera) & 0xFF),
            zoom: memory.number(place + ShareField.zoom))
    }
}
