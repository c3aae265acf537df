import DockWire

/// Valid messages with values from their whole ranges.
enum WireSamples {
    static func host(_ random: inout Random) -> HostMessage {
        let wild = { (random: inout Random) in Int32(bitPattern: random.wild32()) }
        switch random.below(16) {
        case 0: return .hello(Hello())
        case 1: return .hello(Hello(minimumVersion: random.byte(), maximumVersion: random.byte()))
        case 2: return .timeSync(hostMicroseconds: random.wild32())
        case 3, 4, 5:
            return .setpoint(
                Setpoint(
                    mode: [.idle, .velocity, .position, .positionWithFeedForward][random.below(4)],
                    deadman: random.byte(), panPosition: wild(&random), tiltPosition: wild(&random),
                    panVelocity: wild(&random), tiltVelocity: wild(&random),
                    sentMicroseconds: random.chance(2) ? 0 : random.wild32(),
                    flags: SetpointFlags(rawValue: random.byte())))
        case 6: return .setLimits(limits(&random))
        case 7: return .getLimits(random.chance(2) ? .pan : .tilt)
        case 8:
            return .parameter(.set([.motionRate, .panTrim, .tiltTrim, .idleRelax][random.below(4)], to: wild(&random)))
        case 9: return .parameter(.get(.motionRate))
        case 10: return .torque(mask: random.byte(), on: random.chance(2))
        case 11: return random.chance(2) ? .home : .save
        case 12: return .reboot(magic: random.chance(2) ? HostMessage.rebootMagic : random.wild32())
        case 13: return .emergencyStop(random.chance(2) ? .stop : .clear)
        default: return .eventAcknowledge(id: random.byte())
        }
    }

    static func dock(_ random: inout Random) -> DockMessage {
        let wild = { (random: inout Random) in Int32(bitPattern: random.wild32()) }
        switch random.below(10) {
        case 0:
            return .helloAck(
                Identity(
                    protocolVersion: random.chance(4) ? random.byte() : 1, capabilities: [.pose],
                    firmware: FirmwareVersion(major: 1, minor: 0, patch: random.byte()), hardware: 1,
                    uniqueID: random.next(), model: "fuzzed", bootID: UInt16(random.below(3))))
        case 1: return .timeSync(hostMicroseconds: random.wild32(), dockMicroseconds: random.wild32())
        case 2: return .limits(limits(&random))
        case 3: return .parameterValue(ParameterValue(key: random.byte(), value: wild(&random)))
        case 4, 5:
            return .motion(
                MotionReport(
                    microseconds: random.wild32(), pan: wild(&random), tilt: wild(&random), panRate: wild(&random),
                    tiltRate: wild(&random), flags: MotionFlags(rawValue: UInt16(truncatingIfNeeded: random.next())),
                    lastSetpointSequence: random.byte(), fault: random.chance(3) ? random.byte() : 0))
        case 6:
            return .power(
                PowerReport(
                    millivolts: UInt16(truncatingIfNeeded: random.next()), milliamperes: -1,
                    percent: random.chance(3) ? nil : random.byte() % 101, state: .discharging, temperature: 30))
        case 7:
            return .event(
                EventReport(
                    id: random.byte(),
                    kind: [.button, .shutter, .zoom, .flip, .trackingButton, .limit][random.below(6)],
                    value: Int16(truncatingIfNeeded: random.next()), microseconds: random.wild32()))
        case 8: return .log(LogReport(level: 1, text: "a line"))
        default:
            return .acknowledge(
                Acknowledgement(
                    ofType: random.byte(), ofSequence: UInt8(random.below(12)),
                    code: [.ok, .notArmed, .version, .emergencyStop, .range][random.below(5)]))
        }
    }

    private static func limits(_ random: inout Random) -> LimitSet {
        if random.chance(2) {
            // Limits that a host may request.
            return LimitSet(
                axis: random.chance(2) ? .pan : .tilt,
                limits: AxisLimits(
                    minimumPosition: -Int32(random.below(60_000)), maximumPosition: Int32(random.below(60_000)),
                    velocity: UInt32(1 + random.below(120_000)),
                    acceleration: random.pick([1000, 20_000, 300_000, 600_000]), jerk: 12_000_000))
        }
        return LimitSet(
            axis: random.chance(2) ? .pan : .tilt,
            limits: AxisLimits(
                minimumPosition: Int32(bitPattern: random.wild32()),
                maximumPosition: Int32(bitPattern: random.wild32()),
                velocity: random.wild32(), acceleration: random.wild32(), jerk: random.wild32()))
    }

    /// A stream of frames from one side, damaged or not. It sometimes contains noise, zeros, or runs at the edges of
    /// the byte stuffing.
    static func stream(fromHost: Bool, _ random: inout Random) -> [UInt8] {
        var encoder = FrameEncoder(firstSequence: random.byte())
        var bytes: [UInt8] = []
        for _ in 0...random.below(8) {
            switch random.below(12) {
            case 0: for _ in 0..<random.below(80) { bytes.append(random.byte()) }
            case 1: bytes += repeatElement(0, count: random.below(300))
            case 2: bytes += edge(&random)
            default:
                var frame = fromHost ? encoder.encode(host(&random)).array : encoder.encode(dock(&random)).array
                if random.chance(5) { Mutation.apply(to: &frame, &random) }
                bytes += frame
            }
        }
        if random.chance(3) { Mutation.apply(to: &bytes, &random) }
        return bytes
    }

    /// Runs of the longest length of a frame, one more and one less, with codes that end exactly, too early and too
    /// late; and valid frames with a body of any length and any type.
    private static func edge(_ random: inout Random) -> [UInt8] {
        if random.chance(2) {
            var body = FrameBody()
            let isZero = random.chance(2)
            for _ in 0..<[0, 1, 54, 55, 56][random.below(5)] { body.append(isZero ? 0 : random.byte()) }
            return EncodedFrame(Frame(type: random.byte(), sequence: random.byte(), body: body)).array
        }
        let length = [4, 5, 60, 61, 62, 255, 256, 257][random.below(8)]
        var run = [UInt8](repeating: 1 + random.byte() % 61, count: length)
        run[0] = UInt8(clamping: length + random.below(3) - 1)
        return run + [0]
    }
}
