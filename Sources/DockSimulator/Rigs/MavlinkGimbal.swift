public import Geometry
internal import Glibc

/// A gimbal that is its own gimbal manager, with MAVLink's gimbal protocol v2.
///
/// Implements mavlink.io: the packet format, the services "command" and "gimbal v2", the messages of common.xml. Its
/// receiver works like the C library's: it waits for the length in the header, and discards the whole packet if the
/// checksum is wrong.
public struct MavlinkGimbal: RigElectronics {
    /// A component that may control the gimbal.
    public struct Owner: Sendable, Equatable {
        /// System and component id.
        public var system: UInt8, component: UInt8

        /// A component of a system; 0 and 0 mean none.
        public init(_ system: UInt8, _ component: UInt8) { (self.system, self.component) = (system, component) }
    }

    /// Whether it answers control requests with "denied".
    public var deniesControl = false
    /// Whether it rejects message rates.
    public var knowsNoRates = false
    /// Whether it sends no information about itself.
    public var isNameless = false
    /// GIMBAL_DEVICE_ERROR_FLAGS_.
    public var failures: UInt32 = 0
    /// Volts and percent; nil without a battery.
    public var battery: (volts: Double, percent: Int8)?
    /// The direction of its base, measured from north (rad). Yaw counts from north until a set-point changes that.
    public var north: Double?
    /// The component with primary control.
    public private(set) var owner = Owner(0, 0)
    /// Number of executed set-points, and of those from a component without control.
    public private(set) var obeyed = 0, ignored = 0
    /// Number of received heartbeats.
    public private(set) var heartbeats = 0

    /// The goal: angles (rad) or rates (rad/s).
    private struct Goal: Equatable, Sendable { var angles: PanTilt?, rates: PanTilt }

    private let lag: Seconds
    private var late: LateGoal<Goal>
    private let bounds: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)
    private var time: Seconds = 0
    private var bootAt: Seconds?
    private var angles: PanTilt?
    private var rates = PanTilt.zero
    private var motors = PanTilt.zero
    private var turning = PanTilt.zero
    private var inEarthFrame = false
    private var interval: Seconds = 0.2
    private var nextAttitude: Seconds = 0
    private var nextHeartbeat: Seconds = 0
    private var nextStatus: Seconds = 0
    private var heard: [UInt8] = []
    private var said: [UInt8] = []
    private var sequence: UInt8 = 0

    private static let system: UInt8 = 1, component: UInt8 = 154
    /// CRC_EXTRA of the received and sent messages.
    private static let extras: [UInt32: UInt8] = [
        0: 50, 76: 152, 77: 143, 147: 154, 280: 70, 281: 48, 283: 74, 285: 137, 287: 1,
    ]

    /// System 1, component 154.
    public init(model: RigModel, options: [String: Double]) {
        lag = max(model.lag, 0.01)
        late = LateGoal(delay: model.commandLatency)
        bounds = (model.panRange, model.tiltRange)
    }

    /// Gives control to another component, or to none (0, 0), and reports that to all.
    public mutating func giveControl(to owner: Owner) {
        self.owner = owner
        nextStatus = time
    }

    /// Axes whose motor holds or turns.
    public var powered: Set<Axis> { Set(Axis.allCases) }
    /// Time of its next unasked message, seconds.
    public var nextWord: Seconds { min(nextAttitude, nextHeartbeat, nextStatus) }

    /// Returns the output so far.
    public mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Interrupts the supply. It sends nothing for a second.
    public mutating func reboot() {
        bootAt = nil
        (angles, rates, owner) = (nil, .zero, Owner(0, 0))
        (heard, said, interval) = ([], [], 0.2)
        (nextHeartbeat, nextAttitude, nextStatus) = (time + 1, time + 1, time + 1)
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        self.time = time
        (self.motors, turning) = (motors, rate)
        if bootAt == nil {
            // The first gyro calibration has ended.
            bootAt = time - 2
            inEarthFrame = north != nil
        }
        report()
        let goal = late.admit(Goal(angles: angles, rates: rates), at: time, holds: true)
        var wish = goal.rates
        if let angles = goal.angles {
            for axis in Axis.allCases {
                let range = axis == .pan ? bounds.pan : bounds.tilt
                let way = min(max(angles[axis], range.lowerBound), range.upperBound) - motors[axis]
                // Resolution of its sensors.
                wish[axis] = abs(way) < 2e-4 ? 0 : way / lag
            }
        }
        return wish
    }

    // MARK: output

    private mutating func report() {
        if time >= nextHeartbeat {
            nextHeartbeat = time + 1
            say(0, long(0) + [26, 8, 0, 4, 3])
            if let battery {
                var payload = long(.max) + long(.max) + word(.max) + word(UInt16(battery.volts * 1000))
                for _ in 1..<10 { payload += word(.max) }
                say(147, payload + word(.max) + [0, 0, 1, UInt8(bitPattern: battery.percent)])
            }
        }
        if time >= nextStatus {
            nextStatus = time + 1
            say(281, long(bootTime) + long(12) + [Self.component, owner.system, owner.component, 0, 0])
        }
        if time >= nextAttitude, interval > 0 {
            nextAttitude = time + interval
            sayAttitude()
        }
    }

    private var bootTime: UInt32 { UInt32(max(0, (time - (bootAt ?? time)) * 1000)) }

    private mutating func sayAttitude() {
        let yaw = motors.pan + (inEarthFrame ? north ?? 0 : 0), pitch = motors.tilt
        let (cy, sy, cp, sp) = (cos(yaw / 2), sin(yaw / 2), cos(pitch / 2), sin(pitch / 2))
        var payload = long(bootTime)
        for value in [cy * cp, -sy * sp, cy * sp, sy * cp] { payload += real(value) }
        // About the axes of its payload.
        for value in [-turning.pan * sin(pitch), turning.tilt, turning.pan * cos(pitch)] { payload += real(value) }
        payload += long(failures) + word(inEarthFrame ? 4 | 8 | 16 | 64 : 4 | 8 | 32) + [0, 0]
        say(285, payload + real(inEarthFrame ? Double.nan : north ?? .nan) + real(.nan) + [0])
    }

    private mutating func sayInformation() {
        var payload: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1] + long(bootTime) + long(0x0003_0201) + long(0)
        for value in [
            -0.6, 0.6, bounds.tilt.lowerBound, bounds.tilt.upperBound, bounds.pan.lowerBound, bounds.pan.upperBound,
        ] {
            payload += real(value)
        }
        payload += word(0) + word(0)
        for name in ["Acme", "Gimbal 3", ""] {
            payload += Array(name.utf8) + [UInt8](repeating: 0, count: 32 - name.utf8.count)
        }
        say(283, payload + [0])
    }

    /// As a gimbal manager: it has pitch and yaw, keeps roll and pitch level, and yaw follows its base.
    private mutating func sayManager() {
        var payload = long(bootTime) + long(16 | 32 | 128 | 256 | 512)
        for value in [
            0, 0, bounds.tilt.lowerBound, bounds.tilt.upperBound, bounds.pan.lowerBound, bounds.pan.upperBound,
        ] {
            payload += real(value)
        }
        say(280, payload + [Self.component])
    }

    private mutating func say(_ id: UInt32, _ payload: [UInt8]) {
        var sent = payload
        while sent.count > 1, sent.last == 0 { sent.removeLast() }
        var frame: [UInt8] = [UInt8(sent.count), 0, 0, sequence, Self.system, Self.component]
        frame += [UInt8(id & 0xFF), UInt8(id >> 8 & 0xFF), UInt8(id >> 16 & 0xFF)] + sent
        sequence &+= 1
        let sum = Self.checksum(frame + [Self.extras[id] ?? 0])
        said += [0xFD] + frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    private func long(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    private func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    private func real(_ value: Double) -> [UInt8] { long(Float(value).bitPattern) }

    /// X.25, byte by byte as on mavlink.io.
    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum = 0xFFFF
        for byte in bytes {
            var mixed = (Int(byte) ^ (sum & 0xFF)) & 0xFF
            mixed = (mixed ^ (mixed << 4)) & 0xFF
            sum = ((sum >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)) & 0xFFFF
        }
        return sum
    }

    // MARK: input

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        self.time = time
        if heard.isEmpty, byte != 0xFD { return }
        heard.append(byte)
        guard heard.count >= 3 else { return }
        let count = 12 + Int(heard[1]) + (heard[2] & 1 != 0 ? 13 : 0)
        guard heard.count >= count else { return }
        let frame = heard
        heard = []
        let id = UInt32(frame[7]) | UInt32(frame[8]) << 8 | UInt32(frame[9]) << 16, end = 10 + Int(frame[1])
        guard let extra = Self.extras[id], frame[2] & ~1 == 0 else { return }
        let sum = Self.checksum(Array(frame[1..<end]) + [extra])
        guard Int(frame[end]) | Int(frame[end + 1]) << 8 == sum else { return }
        let payload = Array(frame[10..<end]) + [UInt8](repeating: 0, count: 64)
        obey(id, payload, from: Owner(frame[5], frame[6]))
    }

    private mutating func obey(_ id: UInt32, _ payload: [UInt8], from sender: Owner) {
        func number(_ place: Int) -> Double {
            var bits: UInt32 = 0
            for index in 0..<4 { bits |= UInt32(payload[place + index]) << (8 * UInt32(index)) }
            return Double(Float(bitPattern: bits))
        }
        switch id {
        case 0: heartbeats += 1
        case 76:
            guard [0, Self.system].contains(payload[30]), [0, Self.component].contains(payload[31]) else { return }
            let command = Int(payload[28]) | Int(payload[29]) << 8
            let result =
                command == 1001 ? control(number(0), number(4), from: sender) : report(command, number(0), number(4))
            say(77, word(UInt16(command)) + [result, 0] + long(0) + [sender.system, sender.component])
            guard result == 0, command == 512 else { return }
            switch number(0) {
            case 280: sayManager()
            case 283: sayInformation()
            default: sayAttitude()
            }
        case 287:
            guard [0, Self.system].contains(payload[20]), [0, Self.component].contains(payload[21]) else { return }
            guard sender == owner else {
                ignored += 1
                return
            }
            obeyed += 1
            let flags = payload[0]
            if flags & 32 != 0 { inEarthFrame = false }
            let pitch = number(4), yaw = number(8), pitchRate = number(12), yawRate = number(16)
            if pitch.isFinite, yaw.isFinite {
                // A set-point converted by its sensors.
                (angles, rates) = (PanTilt(pan: yaw - (flags & 64 != 0 ? north ?? 0 : 0), tilt: pitch), .zero)
            } else if pitchRate.isFinite, yawRate.isFinite {
                (angles, rates) = (nil, PanTilt(pan: yawRate, tilt: pitchRate))
            }
        default: break
        }
    }

    private mutating func control(_ system: Double, _ component: Double, from sender: Owner) -> UInt8 {
        if deniesControl { return 2 }
        switch system {
        case 0...255: owner = Owner(UInt8(system), UInt8(min(max(component, 0), 255)))
        case -2: owner = sender
        case -3: if owner == sender { owner = Owner(0, 0) }
        default: break
        }
        nextStatus = time
        return 0
    }

    private mutating func report(_ command: Int, _ id: Double, _ microseconds: Double) -> UInt8 {
        switch (command, id) {
        case (512, 283): return isNameless ? 3 : 0
        case (512, 280), (512, 285): return 0
        case (511, 285):
            if knowsNoRates { return 3 }
            interval = microseconds > 0 ? microseconds / 1e6 : microseconds < 0 ? 0 : 0.2
            nextAttitude = min(nextAttitude, time)
            return 0
        default: return 3
        }
    }
}
