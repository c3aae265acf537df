internal import DockWire
public import Geometry

/// DLP/1, the protocol of our own dock: velocity set-points with a deadman, unsolicited motion reports, acknowledged
/// settings.
///
/// The conversation: HELLO until the dock answers; then limits, clock and torque, each repeated until acknowledged;
/// then set-points.
public struct DlpDriver: DockDriver {
    /// The name in profiles.
    public static let name = "dlp"
    /// DLP/1 has no options.
    public static let options: [String: DriverOption] = [:]
    /// The abilities of a DLP/1 dock. The deadman time is the one that this driver requests.
    public let abilities: DriverAbilities
    /// The bytes of a set-point's frame, with its delimiter.
    static let setpointBytes = 29

    /// The state of the conversation.
    enum Phase: Equatable {
        case closed, greeting, configuring, ready, refused
    }

    static let greetingInterval: Seconds = 0.5
    static let retryInterval: Seconds = 0.04, retries = 3
    /// The time in seconds after which the driver reports that the torque does not match the last command.
    static let torqueTime: Seconds = 1
    /// How long to wait for the answer to a clear request, in seconds. The loop gives up earlier
    /// (`LatchLedger.clearPatience`), and is notified only after this time that the dock is free.
    static let clearTime: Seconds = 0.6
    /// The number of consecutive reports without torque after which the dock counts as having switched it off. A single
    /// report may be corrupt.
    static let letGoReports = 2
    /// Allowed difference between the dock's clock and ours across a handshake, in seconds. A line can delay data for
    /// this time.
    static let clockTolerance: Seconds = 2
    /// The allowed difference per elapsed time, in addition: ten times the error of a microcontroller's RC oscillator
    /// (1 %).
    static let clockDrift = 0.1
    static let deadman: UInt8 = 25  // x 10 ms
    static let activeRate: Int32 = 50, restRate: Int32 = 10  // MOTION reports per second

    var phase = Phase.closed
    let profile: RigProfile
    private var encoder = FrameEncoder()
    private var decoder = FrameDecoder()
    var clock = DlpClock()
    var events = DlpEvents()
    var acknowledgements: [UInt8] = []
    var requests = DlpRequests()
    var hearing = DlpHearing()
    var greeting = DlpGreeting()
    var torque = DlpTorque()
    var latch = DlpLatch()
    /// The time that the last call passed in.
    var latest: Seconds = 0

    /// Creates a driver for one rig.
    public init(profile: RigProfile) {
        self.profile = profile
        // Ten bits a byte.
        abilities = DriverAbilities(
            deadman: 0.25, setpointTime: Double(10 * Self.setpointBytes) / Double(profile.serial.baud),
            reportsPose: true, reportsBattery: true)
        acknowledgements.reserveCapacity(16)
    }

    /// The number of byte runs that were not a frame.
    public var invalidBytes: Int { Int(decoder.invalidFrames) }

    /// Begins the conversation.
    public mutating func begin(now: Seconds, motionless: Bool) {
        torque.staysOff = motionless
        latest = now
        if !motionless { torque.isReleased = false }
        phase = .greeting
        decoder.reset()
        clock.reset()
        requests.clear()
        hearing = DlpHearing()
        (greeting.bootID, greeting.uniqueID) = (nil, nil)
        (torque.isAwaited, torque.reportsWithout) = (false, 0)
        latch.fault = nil
        latch.clearing = nil
        greeting.nextAt = now
        greeting.isSent = false
    }

    /// Appends what is due: greeting, clock comparison, retries, acknowledgements. Returns when it must be called
    /// again.
    public mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        for id in acknowledgements { append(.eventAcknowledge(id: id), to: &bytes) }
        acknowledgements.removeAll(keepingCapacity: true)
        switch phase {
        case .closed, .refused:
            return now + 1
        case .greeting:
            if now >= greeting.nextAt {
                bytes.append(0)  // flushes a truncated frame out of the dock's decoder
                append(.hello(Hello()), to: &bytes)
                greeting.isSent = true
                greeting.nextAt = now + Self.greetingInterval
            }
            return greeting.nextAt
        case .configuring, .ready:
            var next = clock.nextRequest
            if now >= next {
                append(.timeSync(hostMicroseconds: clock.begin(now: now)), to: &bytes)
                next = clock.nextRequest
            }
            if let request = requests.due(now: now) {
                let frame = append(message(request), to: &bytes)
                requests.sent(request, sequence: frame.sequence, now: now)
            }
            return min(next, requests.nextDue)
        }
    }

    /// Waits for the answer to the next HELLO. The dock did not receive this one, and HELLO_ACK does not tell which one
    /// it answers.
    public mutating func wasCut() {
        if phase == .greeting { greeting.isSent = false }
    }

    /// Appends a set-point.
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

    /// Appends a zero, which ends any unfinished run of bytes.
    public mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0) }

    /// Appends the resync prefix and a stop.
    public mutating func encodeStop(into bytes: inout [UInt8]) {
        if !SafetyMutant.stopsWithoutPrefix.isOn { encodeResync(into: &bytes) }
        append(.setpoint(.stop), to: &bytes)
    }

    /// Appends the resync prefix and three copies of a latched emergency stop.
    public mutating func encodeEmergencyStop(into bytes: inout [UInt8]) {
        latch.clearing = nil
        encodeResync(into: &bytes)
        for _ in 0..<3 { append(.emergencyStop(.stop), to: &bytes) }
    }

    /// Appends a clear request.
    public mutating func encodeClear(into bytes: inout [UInt8]) {
        latch.clearing = (append(.emergencyStop(.clear), to: &bytes).sequence, latest + Self.clearTime)
    }

    /// Appends torque on or off for both axes. `service` repeats it until the dock confirms it. The last request also
    /// applies if the dock has to be greeted again.
    public mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        // If the dock has not answered an earlier `torque on`, it may still switch on after it has reported that the
        // torque is off.
        torque.releaseReportedFrom = latest + (requests.isOpen(.torque) && requests.torque ? Self.torqueTime : 0)
        torque.staysOff = !on
        torque.isReleased = !on
        torque.isReleaseReported = false
        torque.askedAt = latest
        (torque.isAwaited, torque.reportsWithout) = (false, 0)
        let frame = append(.torque(mask: 0b11, on: on), to: &bytes)
        requests.ask(torque: on)
        requests.sent(.torque, sequence: frame.sequence, now: latest)
    }

    /// Requests 50 reports a second while the dock moves, and 10 at rest.
    public mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        requests.motionRate = active ? Self.activeRate : Self.restRate
        requests.ask(.motionRate)
    }

    /// Processes bytes that arrived and appends the reports that they contain.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        for byte in bytes {
            // The decoder counts a run that is not a frame, and drops it as a whole. The resync costs at most one
            // frame.
            guard let frame = try? decoder.push(byte), let message = try? DockMessage(frame) else { continue }
            handle(message, now: now, into: &reports)
        }
        for event in events.overdue(now: now) { report(event, now: now, into: &reports) }
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
