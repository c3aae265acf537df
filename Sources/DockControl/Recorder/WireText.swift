internal import DockWire
public import Geometry
internal import PlainText

/// One message on the wire, as text.
public struct WireLine: Sendable, Equatable {
    /// The type, in capitals as in the protocol's description.
    public var name: String
    /// The content, in degrees and degrees per second.
    public var text: String
    /// For a set-point, the commanded velocity, in rad/s, with the sign as on the wire; zero for a stop.
    public var velocity: PanTilt?
}

/// Decodes the bytes of a trace into messages, if the driver's protocol is known here.
public struct WireReader: Sendable {
    private var toDock = FrameDecoder(), fromDock = FrameDecoder()
    /// Whether the driver's protocol is decoded. If not, no bytes become messages.
    public let isKnown: Bool

    /// Creates a reader for the protocol of a driver, by its name in the driver table.
    public init(driver: String) { isKnown = driver == DlpDriver.name }

    /// The number of byte runs that were not a message, in both directions.
    public var invalid: Int { Int(toDock.invalidFrames) + Int(fromDock.invalidFrames) }

    /// Returns the messages to the dock that these bytes complete.
    public mutating func sent(_ bytes: [UInt8]) -> [WireLine] {
        guard isKnown else { return [] }
        return bytes.compactMap { byte in
            guard let frame = try? toDock.push(byte) else { return nil }
            guard let message = try? HostMessage(frame) else {
                return WireLine(name: "BAD", text: "a body that does not match type \(frame.type)")
            }
            return Self.line(message)
        }
    }

    /// Returns the messages from the dock that these bytes complete.
    public mutating func received(_ bytes: [UInt8]) -> [WireLine] {
        guard isKnown else { return [] }
        return bytes.compactMap { byte in
            guard let frame = try? fromDock.push(byte) else { return nil }
            guard let message = try? DockMessage(frame) else {
                return WireLine(name: "BAD", text: "a body that does not match type \(frame.type)")
            }
            return Self.line(message)
        }
    }

    private static func line(_ message: HostMessage) -> WireLine {
        switch message {
        case .hello(let hello):
            return WireLine(name: "HELLO", text: "version \(hello.minimumVersion) to \(hello.maximumVersion)")
        case .timeSync(let micros): return WireLine(name: "TIME_SYNC", text: "host \(micros) us")
        case .setpoint(let setpoint): return line(setpoint)
        case .setLimits(let set): return WireLine(name: "LIMITS", text: words(set))
        case .getLimits(let axis): return WireLine(name: "GET_LIMITS", text: "\(axis)")
        case .parameter(let request):
            return WireLine(name: "PARAM", text: "\(request.operation) \(request.key) \(request.value)")
        case .torque(let mask, let on): return WireLine(name: "TORQUE", text: "\(on ? "on" : "off"), axes \(mask)")
        case .home: return WireLine(name: "HOME", text: "")
        case .save: return WireLine(name: "SAVE", text: "")
        case .reboot: return WireLine(name: "REBOOT", text: "")
        case .emergencyStop(let operation):
            return WireLine(name: "ESTOP", text: "\(operation)", velocity: operation == .stop ? .zero : nil)
        case .eventAcknowledge(let id): return WireLine(name: "EVENT_ACK", text: "event \(id)")
        case .unknown(let type): return WireLine(name: "UNKNOWN", text: "type \(type)")
        }
    }

    private static func line(_ setpoint: Setpoint) -> WireLine {
        let velocity = PanTilt(
            pan: .degrees(Double(setpoint.panVelocity) / 1000), tilt: .degrees(Double(setpoint.tiltVelocity) / 1000))
        switch setpoint.mode {
        case .idle: return WireLine(name: "SETPOINT", text: "stop", velocity: .zero)
        case .velocity:
            return WireLine(
                name: "SETPOINT",
                text: "pan \(degrees(setpoint.panVelocity)) tilt \(degrees(setpoint.tiltVelocity)) deg/s, deadman "
                    + "\(setpoint.deadmanMilliseconds) ms", velocity: velocity)
        case .position, .positionWithFeedForward:
            return WireLine(
                name: "SETPOINT",
                text: "to pan \(degrees(setpoint.panPosition)) tilt \(degrees(setpoint.tiltPosition)) deg",
                velocity: velocity)
        }
    }

    private static func line(_ message: DockMessage) -> WireLine {
        switch message {
        case .helloAck(let who):
            let version = "\(who.firmware.major).\(who.firmware.minor).\(who.firmware.patch)"
            return WireLine(
                name: "HELLO_ACK",
                text:
                    "\(ForeignText.name(who.model.string)) \(String(who.uniqueID, radix: 16)), firmware \(version), boot \(who.bootID)"
            )
        case .timeSync(_, let dock): return WireLine(name: "TIME_SYNC", text: "dock \(dock) us")
        case .limits(let set): return WireLine(name: "LIMITS", text: words(set))
        case .parameterValue(let value): return WireLine(name: "PARAM_VALUE", text: "\(value.key) is \(value.value)")
        case .motion(let report): return line(report)
        case .power(let report):
            let percent = report.percent.map { "\($0) %" } ?? "charge unknown"
            return WireLine(name: "POWER", text: "\(report.millivolts) mV, \(percent), \(report.state)")
        case .event(let event): return WireLine(name: "EVENT", text: "\(event.id): \(event.kind) \(event.value)")
        case .log(let log): return WireLine(name: "LOG", text: ForeignText.name(log.text.string))
        case .acknowledge(let answer):
            return WireLine(
                name: answer.code == .ok ? "ACK" : "NAK",
                text: "type 0x\(String(answer.ofType, radix: 16)) number \(answer.ofSequence): \(answer.code)")
        case .unknown(let type): return WireLine(name: "UNKNOWN", text: "type \(type)")
        }
    }

    private static func line(_ report: MotionReport) -> WireLine {
        let flags: [(MotionFlags, String)] = [
            (.emergencyStop, "EMERGENCY STOP"), (.deadman, "deadman"), (.stalled, "STALLED"),
            (.overTemperature, "TOO HOT"), (.notGreeted, "not greeted"), (.panAtMinimum, "pan at its minimum"),
            (.panAtMaximum, "pan at its maximum"), (.tiltAtMinimum, "tilt at its minimum"),
            (.tiltAtMaximum, "tilt at its maximum"),
        ]
        var words = "pan \(degrees(report.pan)) tilt \(degrees(report.tilt)) deg, "
        words += "turning \(degrees(report.panRate)) \(degrees(report.tiltRate)) deg/s"
        for (flag, name) in flags where report.flags.contains(flag) { words += ", " + name }
        if !report.flags.contains(.torque) { words += ", torque off" }
        if report.fault != 0 { words += ", fault \(report.fault)" }
        return WireLine(name: "MOTION", text: words)
    }

    private static func words(_ set: LimitSet) -> String {
        let limits = set.limits
        return "\(set.axis) \(degrees(limits.minimumPosition)) to \(degrees(limits.maximumPosition)) deg, "
            + "\(limits.velocity / 1000) deg/s, \(limits.acceleration / 1000) deg/s2"
    }

    /// Formats millidegrees as degrees with two decimals.
    private static func degrees(_ milli: Int32) -> String {
        let hundredths = (Int64(milli.magnitude) + 5) / 10, sign = milli < 0 && hundredths > 0 ? "-" : "+"
        let rest = hundredths % 100
        return "\(sign)\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
