public import Geometry
internal import Glibc

/// A gimbal that is its own gimbal manager, with MAVLink's gimbal protocol v2.
///
/// Implements mavlink.io: the packet format (`MavlinkGimbalLine`), the services "command" and "gimbal v2", the messages of
/// common.xml.
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
    /// What it has received.
    public private(set) var received = Received()

    /// Counts of received messages.
    public struct Received: Sendable, Equatable {
        /// Number of executed set-points, and of those from a component without control.
        public fileprivate(set) var obeyed = 0, ignored = 0
        /// Number of heartbeats.
        public fileprivate(set) var heartbeats = 0
    }

    /// Its own clock, which starts when it boots.
    private struct Clock: Sendable {
        var time: Seconds = 0
        /// nil: it has no power yet.
        var bootAt: Seconds?

        /// Time since the boot, ms.
        var sinceBoot: UInt32 { UInt32(max(0, (time - (bootAt ?? time)) * 1000)) }
    }

    private var line = MavlinkGimbalLine()
    private var motors: MavlinkGimbalMotors
    private var schedule = MavlinkGimbalSchedule()
    private var clock = Clock()
    private var inEarthFrame = false

    /// System 1, component 154.
    public init(model: RigModel, options: [String: Double]) {
        motors = MavlinkGimbalMotors(model: model)
    }

    /// Gives control to another component, or to none (0, 0), and reports that to all.
    public mutating func giveControl(to owner: Owner) {
        self.owner = owner
        schedule.hastenStatus(at: time)
    }

    /// Axes whose motor holds or turns.
    public var powered: Set<Axis> { Set(Axis.allCases) }
    /// Time of its next unasked message, seconds.
    public var nextWord: Seconds { schedule.next }

    /// Returns the output so far.
    public mutating func drainOutput() -> [UInt8] { line.drainOutput() }

    /// Interrupts the supply. It sends nothing for a second.
    public mutating func reboot() {
        (clock.bootAt, owner) = (nil, Owner(0, 0))
        motors.goal = MavlinkGimbalMotors.Goal()
        line.reboot()
        schedule.reboot(at: time)
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors places: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        clock.time = time
        motors.measure(places, rate)
        if clock.bootAt == nil {
            // The first gyro calibration has ended.
            clock.bootAt = time - 2
            inEarthFrame = north != nil
        }
        report()
        return motors.demand(at: time)
    }

    // MARK: output

    private mutating func report() {
        if schedule.isHeartbeatDue(at: time) {
            line.say(0, long(0) + [26, 8, 0, 4, 3])
            if let battery {
                var payload = long(.max) + long(.max) + word(.max) + word(UInt16(battery.volts * 1000))
                for _ in 1..<10 { payload += word(.max) }
                line.say(147, payload + word(.max) + [0, 0, 1, UInt8(bitPattern: battery.percent)])
            }
        }
        if schedule.isStatusDue(at: time) {
            line.say(
                281, long(bootTime) + long(12) + [MavlinkGimbalLine.component, owner.system, owner.component, 0, 0])
        }
        if schedule.isAttitudeDue(at: time) { sayAttitude() }
    }

    private var time: Seconds { clock.time }
    private var bootTime: UInt32 { clock.sinceBoot }

    private mutating func sayAttitude() {
        let yaw = motors.places.pan + (inEarthFrame ? north ?? 0 : 0), pitch = motors.places.tilt
        let (cy, sy, cp, sp) = (cos(yaw / 2), sin(yaw / 2), cos(pitch / 2), sin(pitch / 2))
        var payload = long(bootTime)
        for value in [cy * cp, -sy * sp, cy * sp, sy * cp] { payload += real(value) }
        // About the axes of its payload.
        for value in [-motors.rates.pan * sin(pitch), motors.rates.tilt, motors.rates.pan * cos(pitch)] {
            payload += real(value)
        }
        payload += long(failures) + word(inEarthFrame ? 4 | 8 | 16 | 64 : 4 | 8 | 32) + [0, 0]
        line.say(285, payload + real(inEarthFrame ? Double.nan : north ?? .nan) + real(.nan) + [0])
    }

    private mutating func sayInformation() {
        var payload: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1] + long(bootTime) + long(0x0003_0201) + long(0)
        for value in [
            -0.6, 0.6, motors.bounds.tilt.lowerBound, motors.bounds.tilt.upperBound, motors.bounds.pan.lowerBound,
            motors.bounds.pan.upperBound,
        ] {
            payload += real(value)
        }
        payload += word(0) + word(0)
        for name in ["Acme", "Gimbal 3", ""] {
            payload += Array(name.utf8) + [UInt8](repeating: 0, count: 32 - name.utf8.count)
        }
        line.say(283, payload + [0])
    }

    /// As a gimbal manager: it has pitch and yaw, keeps roll and pitch level, and yaw follows its base.
    private mutating func sayManager() {
        var payload = long(bootTime) + long(16 | 32 | 128 | 256 | 512)
        for value in [
            0, 0, motors.bounds.tilt.lowerBound, motors.bounds.tilt.upperBound, motors.bounds.pan.lowerBound,
            motors.bounds.pan.upperBound,
        ] {
            payload += real(value)
        }
        line.say(280, payload + [MavlinkGimbalLine.component])
    }

    private func long(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    private func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    private func real(_ value: Double) -> [UInt8] { long(Float(value).bitPattern) }

    // MARK: input

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        clock.time = time
        if let frame = line.receive(byte) { obey(frame) }
    }

    private mutating func obey(_ frame: MavlinkGimbalLine.Frame) {
        switch frame.id {
        case 0: received.heartbeats += 1
        case 76:
            guard frame.isForGimbal(at: 30) else { return }
            let command = Int(frame.payload[28]) | Int(frame.payload[29]) << 8, sender = frame.sender
            let result =
                command == 1001
                ? control(frame.number(0), frame.number(4), from: sender)
                : report(command, frame.number(0), frame.number(4))
            line.say(77, word(UInt16(command)) + [result, 0] + long(0) + [sender.system, sender.component])
            guard result == 0, command == 512 else { return }
            switch frame.number(0) {
            case 280: sayManager()
            case 283: sayInformation()
            default: sayAttitude()
            }
        case 287:
            guard frame.isForGimbal(at: 20) else { return }
            guard frame.sender == owner else {
                received.ignored += 1
                return
            }
            received.obeyed += 1
            move(frame)
        default: break
        }
    }

    private mutating func move(_ frame: MavlinkGimbalLine.Frame) {
        let flags = frame.payload[0]
        if flags & 32 != 0 { inEarthFrame = false }
        let pitch = frame.number(4), yaw = frame.number(8), pitchRate = frame.number(12), yawRate = frame.number(16)
        if pitch.isFinite, yaw.isFinite {
            // A set-point converted by its sensors.
            motors.goal.angles = PanTilt(pan: yaw - (flags & 64 != 0 ? north ?? 0 : 0), tilt: pitch)
            motors.goal.rates = .zero
        } else if pitchRate.isFinite, yawRate.isFinite {
            motors.goal = MavlinkGimbalMotors.Goal(angles: nil, rates: PanTilt(pan: yawRate, tilt: pitchRate))
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
        schedule.hastenStatus(at: time)
        return 0
    }

    private mutating func report(_ command: Int, _ id: Double, _ microseconds: Double) -> UInt8 {
        switch (command, id) {
        case (512, 283): return isNameless ? 3 : 0
        case (512, 280), (512, 285): return 0
        case (511, 285):
            if knowsNoRates { return 3 }
            schedule.setInterval(microseconds: microseconds, at: time)
            return 0
        default: return 3
        }
    }
}
