internal import DockWire
public import Geometry

/// DLP/1, our own dock's protocol: velocity set-points with a deadman, pushed motion reports, acknowledged settings.
///
/// The conversation: HELLO until answered; then limits, clock and torque, each repeated until acknowledged; then set-points.
public struct DlpDriver: DockDriver {
    /// Name in profiles.
    public static let name = "dlp"
    /// It has no options of its own.
    public static let options: [String: DriverOption] = [:]
    /// What it can do; the deadman is the one this driver asks for.
    public let abilities = DriverAbilities(
        deadman: 0.25, reportsPose: true, reportsBattery: true)

    /// Where the conversation is.
    enum Phase: Equatable {
        case closed, greeting, configuring, ready, refused
    }

    static let greetingInterval: Seconds = 0.5
    static let retryInterval: Seconds = 0.04, retries = 3
    /// A dock whose torque is not as it was told to be after so long is told to the user, seconds.
    static let torqueTime: Seconds = 1
    /// How long to wait for the answer to a request to release the latch, seconds. The loop gives up before (`LatchLedger.clearPatience`),
    /// and learns after it that the dock is free.
    static let clearTime: Seconds = 0.6
    /// So many reports in a row without torque say that the dock has let go of it: one may be broken.
    static let letGoReports = 2
    /// The dock's clock may differ so much from ours across a greeting, seconds: what a line holds back.
    static let clockTolerance: Seconds = 2
    /// ... and by so much of the time between: ten times what the RC oscillator of a microcontroller is off (1 %).
    static let clockDrift = 0.1
    static let deadman: UInt8 = 25  // x 10 ms
    static let activeRate: Int32 = 50, restRate: Int32 = 10  // MOTION reports per second

    var phase = Phase.closed
    let profile: RigProfile
    var motionless = false
    private var encoder = FrameEncoder()
    private var decoder = FrameDecoder()
    var clock = DlpClock()
    var events = EventWindow()
    var requests = DlpRequests()
    var hearing = DlpHearing()
    var acknowledgements: [UInt8] = []
    var nextGreeting: Seconds = 0
    var hasGreeted = false
    /// When the dock last said who it is.
    var identifiedAt: Seconds = 0
    var hasTorque = false
    /// A person switched the torque off; holds however often the dock is greeted, until he switches it on.
    var isReleased = false
    /// ... and the dock has said that it is off.
    var isReleaseTold = false
    /// Reports that the torque is off are believed from then on; its acknowledgement always is.
    var releaseReportedFrom: Seconds = 0
    /// When the torque was last asked for, until it is judged what came of it.
    var torqueAsked: Seconds?
    /// The boot in which the dock last said that its torque is on. Greeted again in that boot, it is not told to hold before it has
    /// reported that it still does: it may have let go meanwhile.
    var armedBoot: UInt16?
    var awaitsTorque = false
    /// The dock's clock in its newest report, microseconds, and when that arrived.
    var newest: (microseconds: UInt32, at: Seconds)?
    /// Reports in a row without torque, although it was switched on.
    var reportsWithoutTorque = 0
    /// The time of the last call that told it.
    var latest: Seconds = 0
    var bootID: UInt16?
    /// The number of the dock that is talked to.
    var uniqueID: UInt64?
    var fault: DockFault?
    /// The request to release the latch that the dock has not answered yet: its sequence number, and until when the answer is waited for.
    var clearing: (sequence: UInt8, until: Seconds)?
    /// Settings that stayed unanswered; the profile's values hold then.
    private(set) var unanswered = 0

    /// A driver for one rig.
    public init(profile: RigProfile) {
        self.profile = profile
        acknowledgements.reserveCapacity(16)
    }

    /// Runs of bytes that were no frame.
    public var invalidBytes: Int { Int(decoder.invalidFrames) }

    /// Begins the conversation.
    public mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        latest = now
        if !motionless { isReleased = false }
        phase = .greeting
        decoder.reset()
        clock.reset()
        requests.clear()
        hearing = DlpHearing()
        (bootID, uniqueID) = (nil, nil)
        (awaitsTorque, reportsWithoutTorque) = (false, 0)
        fault = nil
        clearing = nil
        nextGreeting = now
        hasGreeted = false
    }

    /// What is due: greeting, clock, retries, acknowledgements.
    public mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        for id in acknowledgements { append(.eventAcknowledge(id: id), to: &bytes) }
        acknowledgements.removeAll(keepingCapacity: true)
        switch phase {
        case .closed, .refused:
            return now + 1
        case .greeting:
            if now >= nextGreeting {
                bytes.append(0)  // ends whatever a cut frame left in the dock's decoder
                append(.hello(Hello()), to: &bytes)
                hasGreeted = true
                nextGreeting = now + Self.greetingInterval
            }
            return nextGreeting
        case .configuring, .ready:
            var next = clock.nextRequest
            if now >= next {
                append(.timeSync(hostMicroseconds: clock.begin(now: now)), to: &bytes)
                next = clock.nextRequest
            }
            if let (request, isLast) = requests.due(now: now) {
                let frame = append(message(request), to: &bytes)
                requests.sent(request, sequence: frame.sequence, now: now)
                if isLast { unanswered += 1 }
            }
            return min(next, requests.nextDue)
        }
    }

    /// A set-point.
    public mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        switch setpoint {
        case .stop:
            append(.setpoint(.stop), to: &bytes)
        case .velocity(let velocity):
            var wire = Setpoint(mode: .velocity, deadman: Self.deadman)
            wire.panVelocity = milliDegrees(SafetyMutant.swapsSign.isOn ? -velocity.pan : velocity.pan, .pan)
            wire.tiltVelocity = milliDegrees(velocity.tilt, .tilt)
            if !SafetyMutant.hidesAge.isOn { wire.sentMicroseconds = clock.stamp(at: now) }
            append(.setpoint(wire), to: &bytes)
        }
    }

    /// A zero: the end of whatever run there is.
    public mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0) }

    /// Resync prefix and stop.
    public mutating func encodeStop(into bytes: inout [UInt8]) {
        if !SafetyMutant.stopsWithoutPrefix.isOn { encodeResync(into: &bytes) }
        append(.setpoint(.stop), to: &bytes)
    }

    /// Resync prefix and latched emergency stop, three times.
    public mutating func encodeEmergencyStop(into bytes: inout [UInt8]) {
        clearing = nil
        encodeResync(into: &bytes)
        for _ in 0..<3 { append(.emergencyStop(.stop), to: &bytes) }
    }

    /// The request to release the latch.
    public mutating func encodeClear(into bytes: inout [UInt8]) {
        clearing = (append(.emergencyStop(.clear), to: &bytes).sequence, latest + Self.clearTime)
    }

    /// Torque on or off, both axes, repeated by `service` until the dock says that it is so. What was wanted last also
    /// holds when the dock has to be greeted again.
    public mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        // Where the dock was told to hold and has not answered yet, it may do so after it has reported that it does not.
        releaseReportedFrom = latest + (requests.isOpen(.torque) && requests.torque ? Self.torqueTime : 0)
        motionless = !on
        isReleased = !on
        isReleaseTold = false
        torqueAsked = latest
        (awaitsTorque, reportsWithoutTorque) = (false, 0)
        let frame = append(.torque(mask: 0b11, on: on), to: &bytes)
        requests.ask(torque: on)
        requests.sent(.torque, sequence: frame.sequence, now: latest)
    }

    /// Reports 50 times a second while moving and 10 times while still.
    public mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        requests.motionRate = active ? Self.activeRate : Self.restRate
        requests.ask(.motionRate)
    }

    /// Bytes that arrived.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        for byte in bytes {
            // A run that is no frame is counted by the decoder and dropped whole: the resync costs at most one frame.
            guard let frame = try? decoder.push(byte), let message = try? DockMessage(frame) else { continue }
            take(message, now: now, into: &reports)
        }
    }

    private func message(_ request: DlpRequests.Kind) -> HostMessage {
        switch request {
        case .panLimits: .setLimits(LimitSet(axis: .pan, limits: limits(.pan)))
        case .tiltLimits: .setLimits(LimitSet(axis: .tilt, limits: limits(.tilt)))
        case .torque: .torque(mask: 0b11, on: requests.torque)
        case .motionRate: .parameter(.set(.motionRate, to: requests.motionRate))
        }
    }

    private func limits(_ axis: Axis) -> AxisLimits {
        let row = profile[axis]
        let ends = [milliDegrees(row.range.lowerBound, axis), milliDegrees(row.range.upperBound, axis)].sorted()
        func unsigned(_ value: Double) -> UInt32 { UInt32((value.inDegrees * 1000).clamped(to: 0...4_000_000_000)) }
        return AxisLimits(
            minimumPosition: ends[0], maximumPosition: ends[1], velocity: unsigned(row.maxSpeed),
            acceleration: unsigned(row.maxAcceleration), jerk: unsigned(row.maxJerk))
    }

    private func milliDegrees(_ value: Double, _ axis: Axis) -> Int32 {
        guard value.isFinite else { return 0 }
        let signed = profile[axis].invert ? -value : value
        return Int32((signed.inDegrees * 1000).clamped(to: -2_000_000_000...2_000_000_000).rounded())
    }

    @discardableResult
    private mutating func append(_ message: HostMessage, to bytes: inout [UInt8]) -> EncodedFrame {
        let frame = encoder.encode(message)
        frame.withBytes { span in span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) } }
        if case .setpoint = message { hearing.wrote(sequence: frame.sequence, now: latest) }
        return frame
    }
}
