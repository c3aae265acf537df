import DockFirmware
import DockWire

/// A firmware on a bench in virtual time: motors that follow at once, and a host that sends what the test says.
struct Bench {
    var firmware: DockFirmware
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var now: UInt32
    /// The dock's messages, with their times.
    var heard: [(at: UInt32, message: DockMessage)] = []
    /// The largest change of velocity in a millisecond so far, milli-degrees per second.
    var largestGain: Int32 = 0
    /// Whether the sensors follow the targets.
    var isFollowing = true
    /// The reading of a blocked pan axis; nil: the sensors are silent. Only used while they do not follow.
    var blockedAt: Int32?
    private var lastVelocity: Int32 = 0

    static let pan = AxisLimits(
        minimumPosition: -170_000, maximumPosition: 170_000, velocity: 120_000, acceleration: 600_000, jerk: 12_000_000)
    static let tilt = AxisLimits(
        minimumPosition: -30_000, maximumPosition: 80_000, velocity: 120_000, acceleration: 600_000, jerk: 12_000_000)

    init(start: UInt32 = 1_000_000, followingError: Int32 = 0, settings: FirmwareSettings = FirmwareSettings()) {
        now = start
        let identity = Identity(
            capabilities: [.pose, .save], firmware: FirmwareVersion(major: 1, minor: 0, patch: 0), hardware: 1,
            uniqueID: 7, model: "bench", bootID: 17)
        firmware = DockFirmware(
            configuration: FirmwareConfiguration(
                identity: identity, pan: Self.pan, tilt: Self.tilt, followingError: followingError, settings: settings),
            now: start)
        place(pan: 0, tilt: 0)
        drain()
    }

    /// A dock that is greeted and has torque.
    static func armed(start: UInt32 = 1_000_000, followingError: Int32 = 0) -> Bench {
        var bench = Bench(start: start, followingError: followingError)
        bench.send(.hello(Hello()))
        bench.send(.torque(mask: 3, on: true))
        return bench
    }

    mutating func send(_ message: HostMessage) { deliver(encoder.encode(message).array) }

    mutating func deliver(_ bytes: [UInt8]) {
        for byte in bytes { firmware.receive(byte, now: now) }
        drain()
    }

    mutating func velocity(pan: Int32, tilt: Int32 = 0, deadman: UInt8 = 25, sent: UInt32 = 0) {
        send(
            .setpoint(
                Setpoint(
                    mode: .velocity, deadman: deadman, panVelocity: pan, tiltVelocity: tilt, sentMicroseconds: sent)))
    }

    /// Runs for a number of milliseconds.
    mutating func run(_ milliseconds: Int) {
        for _ in 0..<milliseconds {
            now &+= 1000
            if isFollowing { follow() } else if let blockedAt { place(pan: blockedAt, tilt: 0) }
            firmware.tick(now: now)
            let velocity = firmware.axes.pan.velocity
            largestGain = max(largestGain, abs(velocity - lastVelocity))
            lastVelocity = velocity
            drain()
        }
    }

    /// Runs for a number of milliseconds and repeats the set-point every 20 ms.
    mutating func run(_ milliseconds: Int, repeating setpoint: Setpoint) {
        for _ in 0..<milliseconds / 20 {
            send(.setpoint(setpoint))
            run(20)
        }
    }

    mutating func place(pan: Int32, tilt: Int32) {
        firmware.measured(pan: pan, tilt: tilt, panRate: 0, tiltRate: 0, now: now)
    }

    private mutating func follow() {
        let axes = firmware.axes
        firmware.measured(
            pan: axes.pan.position, tilt: axes.tilt.position, panRate: axes.pan.velocity, tiltRate: axes.tilt.velocity,
            now: now)
    }

    mutating func drain() {
        while let byte = firmware.nextByte(now: now) {
            do throws(WireError) {
                if let frame = try decoder.push(byte) { heard.append((now, try DockMessage(frame))) }
            } catch { continue }
        }
    }

    /// Returns all received messages of one kind, in order, and discards all others.
    mutating func take<Value>(_ pick: (DockMessage) -> Value?) -> [Value] {
        defer { heard = [] }
        return heard.compactMap { pick($0.message) }
    }

    mutating func answers() -> [ResultCode] {
        take { if case .acknowledge(let answer) = $0 { answer.code } else { nil } }
    }

    mutating func motions() -> [MotionReport] { take { if case .motion(let report) = $0 { report } else { nil } } }

    mutating func events() -> [EventReport] { take { if case .event(let report) = $0 { report } else { nil } } }

    var pan: AxisTarget { firmware.axes.pan }
}
