internal import DockWire
public import Geometry

/// DLP/1, our own dock's protocol: velocity set-points with a deadman, pushed motion reports, acknowledged settings.
///
/// The conversation: HELLO until answered; then limits, clock and torque, each repeated until acknowledged; then set-points.
public struct DlpDriver: DockDriver {
    /// Name in profiles.
    public static let name = "dlp"
    /// It has no options of its own.
    public static let options: [String: ClosedRange<Double>] = [:]
    /// What it can do; the deadman is the one this driver asks for.
    public let abilities = DriverAbilities(
        deadman: 0.25, reportsPose: true, reportsBattery: true, reportsEvents: true)

    /// Where the conversation is.
    enum Phase: Equatable {
        case closed, greeting, configuring, ready, refused
    }

    static let greetingInterval: Seconds = 0.5
    static let retryInterval: Seconds = 0.04, retries = 3
    static let deadman: UInt8 = 25  // x 10 ms
    static let activeRate: Int32 = 50, restRate: Int32 = 10  // MOTION reports per second

    private(set) var phase = Phase.closed
    private let profile: RigProfile
    private var motionless = false
    private var encoder = FrameEncoder()
    private var decoder = FrameDecoder()
    private var clock = DlpClock()
    private var events = EventWindow()
    private var requests = DlpRequests()
    private var acknowledgements: [UInt8] = []
    private var nextGreeting: Seconds = 0
    private var hasGreeted = false
    private var hasTorque = false
    private var bootID: UInt16?
    private var fault: DockFault?
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
        phase = .greeting
        decoder.reset()
        clock.reset()
        requests.clear()
        bootID = nil
        fault = nil
        nextGreeting = now
        hasGreeted = false
    }

    /// What is due: greeting, clock, retries, acknowledgements.
    public mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
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
        switch setpoint {
        case .stop:
            append(.setpoint(.stop), to: &bytes)
        case .velocity(let velocity):
            var wire = Setpoint(mode: .velocity, deadman: Self.deadman)
            wire.panVelocity = milliDegrees(velocity.pan, .pan)
            wire.tiltVelocity = milliDegrees(velocity.tilt, .tilt)
            wire.sentMicroseconds = clock.stamp(at: now)
            append(.setpoint(wire), to: &bytes)
        }
    }

    /// Resync prefix and stop.
    public mutating func encodeStop(into bytes: inout [UInt8]) {
        bytes.append(0)
        append(.setpoint(.stop), to: &bytes)
    }

    /// Resync prefix and latched emergency stop, three times.
    public mutating func encodeEmergencyStop(into bytes: inout [UInt8]) {
        bytes.append(0)
        for _ in 0..<3 { append(.emergencyStop(.stop), to: &bytes) }
    }

    /// The request to release the latch.
    public mutating func encodeClear(into bytes: inout [UInt8]) { append(.emergencyStop(.clear), to: &bytes) }

    /// Torque on or off, both axes.
    public mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        append(.torque(mask: 0b11, on: on), to: &bytes)
    }

    /// Reports 50 times a second while moving and 10 times while still.
    public mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        requests.motionRate = active ? Self.activeRate : Self.restRate
        requests.ask(.motionRate)
    }

    /// Bytes that arrived.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        for byte in bytes {
            // A run that is no frame is counted by the decoder and dropped whole: the resync costs at most one frame.
            guard let frame = try? decoder.push(byte), let message = try? DockMessage(frame) else { continue }
            take(message, now: now, into: &reports)
        }
    }

    private mutating func take(_ message: DockMessage, now: Seconds, into reports: inout [DockReport]) {
        switch message {
        case .helloAck(let identity): greet(identity, into: &reports)
        case .timeSync(let host, let dock):
            if clock.answer(host: host, dock: dock, now: now) { restart(into: &reports) }
        case .motion(let report): move(report, now: now, into: &reports)
        case .power(let report): reports.append(.battery(BatteryState(report)))
        case .event(let event): raise(event, now: now, into: &reports)
        case .acknowledge(let answer): acknowledge(answer, into: &reports)
        case .parameterValue(let value):
            if value.key == ParameterKey.motionRate.rawValue { requests.done(.motionRate) }
        case .limits, .log, .unknown: break
        }
    }

    private mutating func greet(_ identity: Identity, into reports: inout [DockReport]) {
        // A dock says who it is unasked when it boots; it has been greeted only when it answers us.
        guard phase != .closed, hasGreeted else { return }
        if identity.protocolVersion != 1 { return refuse(.versionMismatch, into: &reports) }
        if let bootID, bootID != identity.bootID { reports.append(.rebooted) } else if phase != .greeting { return }
        bootID = identity.bootID
        clock.reset()
        phase = .configuring
        hasTorque = false
        requests.clear()
        requests.ask(.panLimits)
        requests.ask(.tiltLimits)
        if !motionless { requests.ask(.torque) }
        reports.append(
            .identified(
                DockIdentity(
                    model: identity.model.string,
                    firmware: "\(identity.firmware.major).\(identity.firmware.minor).\(identity.firmware.patch)",
                    uid: String(identity.uniqueID, radix: 16))))
        if motionless { becomeReady(into: &reports) }
    }

    private mutating func move(_ report: MotionReport, now: Seconds, into reports: inout [DockReport]) {
        if report.flags.contains(.notGreeted), phase == .ready { return restart(into: &reports) }
        guard phase == .configuring || phase == .ready else { return }
        defer { if hasTorque, phase == .configuring { becomeReady(into: &reports) } }
        let unwrapped = clock.time(of: report.microseconds, now: now)
        if unwrapped.isNewEpoch { restart(into: &reports) }
        let sign = PanTilt(pan: profile.pan.invert ? -1 : 1, tilt: profile.tilt.invert ? -1 : 1)
        let unit = Double.degrees(0.001)
        reports.append(
            .motion(
                MotionSample(
                    time: unwrapped.time,
                    pose: PanTilt(
                        pan: Double(report.pan) * unit * sign.pan, tilt: Double(report.tilt) * unit * sign.tilt),
                    rate: PanTilt(
                        pan: Double(report.panRate) * unit * sign.pan, tilt: Double(report.tiltRate) * unit * sign.tilt)
                ),
                deadmanTripped: report.flags.contains(.deadman)))
        let present: DockFault? =
            report.flags.contains(.emergencyStop)
            ? .emergencyStop
            : report.flags.contains(.stalled)
                ? .stall
                : report.flags.contains(.overTemperature) ? .overTemperature : report.fault != 0 ? .device : nil
        if let present, present != fault { reports.append(.fault(present)) }
        if present == nil, fault != nil { reports.append(.faultCleared) }
        fault = present
    }

    private mutating func raise(_ event: EventReport, now: Seconds, into reports: inout [DockReport]) {
        if acknowledgements.count < 16 { acknowledgements.append(event.id) }
        guard events.isNew(id: event.id, bootID: bootID ?? 0) else { return }
        let isOld = now - clock.time(of: event.microseconds, now: now).time > 1
        switch event.kind {
        case .button: reports.append(.event(.button(id: Int(event.value) >> 8, pressed: event.value & 0xFF != 0)))
        case .trackingButton: reports.append(.event(.trackingButton(pressed: event.value != 0)))
        case .shutter: if !isOld, event.value != 0 { reports.append(.event(.cameraShutter)) }
        case .flip: if !isOld, event.value != 0 { reports.append(.event(.cameraFlip)) }
        case .zoom: if !isOld { reports.append(.event(.cameraZoom(steps: Int(event.value)))) }
        case .unknown, .limit, .stall, .animation, .fault, .undock: break
        }
    }

    private mutating func acknowledge(_ answer: Acknowledgement, into reports: inout [DockReport]) {
        switch answer.code {
        case .ok:
            if let done = requests.done(sequence: answer.ofSequence), done == .torque, phase == .configuring {
                // Ready is who can be moved, and that takes to know where it is: the next report says so.
                hasTorque = true
            }
        case .version: refuse(.versionMismatch, into: &reports)
        case .notArmed:
            // It never saw our greeting, or was started anew since: from the beginning.
            if phase == .configuring || phase == .ready { restart(into: &reports) }
        case .emergencyStop:
            if fault != .emergencyStop { reports.append(.fault(.emergencyStop)) }
            fault = .emergencyStop
        default:
            requests.refused(sequence: answer.ofSequence)
            reports.append(.refused("message 0x\(String(answer.ofType, radix: 16)): \(answer.code)"))
        }
    }

    private mutating func becomeReady(into reports: inout [DockReport]) {
        phase = .ready
        // The last host may have left it talking fifty times a second.
        requests.motionRate = Self.restRate
        requests.ask(.motionRate)
        reports.append(.ready)
    }

    private mutating func refuse(_ reason: DockFault, into reports: inout [DockReport]) {
        guard phase != .refused else { return }
        phase = .refused
        reports.append(.fault(reason))
    }

    /// The dock started anew, or its clock says so: greet it again.
    private mutating func restart(into reports: inout [DockReport]) {
        phase = .greeting
        nextGreeting = 0
        bootID = nil
        clock.reset()
        requests.clear()
        reports.append(.rebooted)
    }

    private func message(_ request: DlpRequests.Kind) -> HostMessage {
        switch request {
        case .panLimits: .setLimits(LimitSet(axis: .pan, limits: limits(.pan)))
        case .tiltLimits: .setLimits(LimitSet(axis: .tilt, limits: limits(.tilt)))
        case .torque: .torque(mask: 0b11, on: true)
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
        return frame
    }
}

extension BatteryState {
    fileprivate init(_ report: PowerReport) {
        let charge: Charge =
            switch report.state {
            case .charging, .full: .charging
            case .external, .unknown: .notChargeable
            case .discharging, .low, .critical: .notCharging
            }
        self.init(
            level: report.percent.map { Double($0) / 100 }, charge: charge,
            isLow: report.state == .low || report.state == .critical, voltage: Double(report.millivolts) / 1000)
    }
}
