public import Geometry

/// A pan/tilt camera with VISCA at 9600 baud, with the speeds and positions of the camera in its profile. It has two
/// sockets, answers after one video frame, and its motors keep the speed of a code until the next command.
///
/// Implements the Technical Manual of the EVI-D100. Its output takes time on the line, and it reads one packet after
/// another.
public struct ViscaCamera: RigElectronics {
    /// Its address on the line, and the first byte of its packets.
    private let address: UInt8
    private var sender: UInt8 { 0x80 + address << 4 }
    /// Duration of a video frame, seconds.
    private static let picture: Seconds = 1.0 / 60

    /// Time that a command spends on the line and waiting behind an answer, seconds: a drive's nine bytes, and half of
    /// a position and its inquiry.
    static let lineShare: Seconds = 0.03

    /// In what it differs from other cameras.
    public var quirks = Quirks()
    /// What a person, or its own program, has done to it.
    public var condition = Condition()
    /// Number of commands that moved or stopped it.
    public private(set) var drives = 0
    /// The last commanded velocity, rad/s.
    public var command: PanTilt { motion.command }
    /// Position of its lens, 0 ... 4000 hex.
    public var lens: Int { optics.place }

    private var line = ViscaCameraLine()
    private var motion: ViscaCameraMotion
    private var optics: ViscaOptics
    private var place = PanTilt.zero
    private var time: Seconds = 0
    /// Times at which the sockets are free again, seconds; infinity: while it moves to a position.
    private var sockets: [Seconds] = [-1, -1]
    private var announces = false

    /// A camera that is switched on and at rest. The options select the model.
    public init(model: RigModel, options: [String: Double]) {
        motion = ViscaCameraMotion(model: model, options: options)
        optics = ViscaOptics(options: options)
        address = UInt8(options["address"] ?? 1)
    }

    /// Its motors are speed-controlled.
    public static var followsPlaces: Bool { false }

    /// Magnification of its lens.
    public var magnification: Double { optics.magnification }
    /// Always both, because it cannot switch torque off.
    public var powered: Set<Axis> { [.pan, .tilt] }
    /// Time at which the next packet has passed its line, seconds.
    public var nextWord: Seconds { line.next }

    /// Returns the output so far; each byte is returned once.
    public mutating func drainOutput() -> [UInt8] {
        let output = line.drain(until: time)
        return condition.isMute ? [] : output
    }

    /// Reports that it was switched on. It keeps its position.
    public mutating func reboot() {
        line.reboot(at: time)
        motion.stop()
        optics.stop()
        sockets = [-1, -1]
        announces = true
    }

    /// Advances by a millisecond.
    public mutating func tick(motors place: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        (self.place, self.time) = (place, time)
        optics.tick()
        if announces {
            announces = false
            say([0x88, 0x38, 0xFF], after: time + 0.1)
        }
        guard !condition.isInStandby else { return .zero }
        let demand = motion.demand(from: place)
        if let socket = motion.socket, demand == .zero, rate.magnitude < .degrees(0.5) {
            end(socket, [sender, 0x50 | UInt8(socket + 1), 0xFF], after: time)
        }
        return demand
    }

    /// Ends the motion to a position and sends the answer.
    private mutating func end(_ socket: Int, _ words: [UInt8], after moment: Seconds) {
        motion.stop()
        sockets[socket] = -1
        say(words, after: moment)
    }

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        self.time = max(time, self.time)
        if let heard = line.receive(byte, at: self.time) { obey(heard.packet, at: heard.readAt) }
    }

    /// Whether the speed codes exist: 1 to 18 (hex). Codes above the last one of a motor have that one's speed.
    private func knows(_ speeds: (pan: Int, tilt: Int)) -> Bool {
        (1...0x18).contains(speeds.pan) && (1...0x18).contains(speeds.tilt)
    }

    /// Sends bytes when its line is free, but not before `moment`.
    private mutating func say(_ bytes: [UInt8], after moment: Seconds) {
        line.say(bytes, after: moment)
    }

    private mutating func obey(_ packet: [UInt8], at moment: Seconds) {
        let answer = moment + Self.picture
        if packet == [0x88, 0x30, 0x01, 0xFF] { return say([0x88, 0x30, address + 1, 0xFF], after: moment) }
        if packet == [0x88, 0x01, 0x00, 0x01, 0xFF] {
            sockets = [-1, -1]
            if motion.socket != nil { motion.stop() }
            return say(packet, after: moment)
        }
        guard packet.first == 0x80 | address else {
            // It is for another device, or empty.
            if packet.count < 3 { say([sender, 0x60, 0x02, 0xFF], after: answer) }
            return
        }
        switch (packet.count, packet[1]) {
        case (5..., 0x09): inquire(packet, after: answer)
        case (3, 0x21), (3, 0x22):
            let name = packet[1] & 3
            if let socket = motion.socket, socket == Int(name) - 1 {
                return end(socket, [sender, 0x60 | name, 0x04, 0xFF], after: answer)
            }
            say([sender, 0x60 | name, 0x05, 0xFF], after: answer)
        case (9, 0x01) where packet[2] == 0x06 && packet[3] == 0x01: drive(packet, at: moment)
        case (5, 0x01) where packet[2] == 0x06 && packet[3] == 0x04: go(to: .zero, speeds: (0x18, 0x14), at: moment)
        case (15, 0x01) where packet[2] == 0x06 && (2...3).contains(packet[3]): turn(packet, at: moment)
        case (9, 0x01) where packet[2] == 0x04 && packet[3] == 0x47: zoom(packet, after: answer)
        case (3...16, _): say([sender, 0x60, 0x02, 0xFF], after: answer)
        default: say([sender, 0x60, 0x01, 0xFF], after: answer)
        }
    }

    /// Sends the lens to a position. Completion is reported when the lens begins to move, so that only a host that asks
    /// where the lens is knows when it has arrived.
    private mutating func zoom(_ packet: [UInt8], after answer: Seconds) {
        let wanted = packet[4..<8].reduce(0) { $0 << 4 | Int($1 & 15) }
        guard wanted <= 0x4000, packet[4..<8].allSatisfy({ $0 < 16 }) else {
            return say([sender, 0x60, 0x02, 0xFF], after: answer)
        }
        optics.goal = wanted
        say([sender, 0x41, 0xFF], after: answer)
        say([sender, 0x51, 0xFF], after: answer + Self.picture)
    }

    private mutating func inquire(_ packet: [UInt8], after answer: Seconds) {
        func nibbles(_ axis: Axis) -> [UInt8] {
            let units = Int((place[axis].inDegrees * motion.motor(axis).unitsPerDegree).rounded())
            return [12, 8, 4, 0].map { UInt8((units >> $0) & 0xF) }
        }
        switch packet[2...] {
        case [0x06, 0x12, 0xFF]: say([sender, 0x50] + nibbles(.pan) + nibbles(.tilt) + [0xFF], after: answer)
        case [0x00, 0x02, 0xFF]: say([sender, 0x50, 0x00, 0x01, 0x04, 0x0D, 0x01, 0x02, 0x02, 0xFF], after: answer)
        case [0x04, 0x47, 0xFF] where !quirks.hidesLens:
            say([sender, 0x50] + [12, 8, 4, 0].map { UInt8((lens >> $0) & 0xF) } + [0xFF], after: answer)
        case [0x04, 0x00, 0xFF]: say([sender, 0x50, condition.isInStandby ? 3 : 2, 0xFF], after: answer)
        default: say([sender, 0x60, 0x02, 0xFF], after: answer)
        }
    }

    private mutating func drive(_ packet: [UInt8], at moment: Seconds) {
        let answer = moment + Self.picture
        let speeds = (pan: Int(packet[4]), tilt: Int(packet[5])), ways = (pan: packet[6], tilt: packet[7])
        guard knows(speeds), (1...3).contains(ways.pan), (1...3).contains(ways.tilt) else {
            return say([sender, 0x60, 0x02, 0xFF], after: answer)
        }
        guard let socket = socket(at: moment) else { return }
        let name = UInt8(socket + 1)
        drives += 1
        func turning(_ speed: Double, _ way: UInt8, positive: UInt8) -> Double {
            way == 3 ? 0 : speed * (way == positive ? 1 : -1)
        }
        motion.turn(
            PanTilt(
                pan: turning(motion.motors.pan.speed(speeds.pan), ways.pan, positive: 2),
                tilt: turning(motion.motors.tilt.speed(speeds.tilt), ways.tilt, positive: 1)))
        sockets[socket] = answer + Self.picture
        if !quirks.completesWithoutACK { say([sender, 0x40 | name, 0xFF], after: answer) }
        say([sender, 0x50 | name, 0xFF], after: answer + Self.picture)
    }

    /// The socket for a motion command; nil if it was rejected. During a motion to a position all others are rejected.
    private mutating func socket(at moment: Seconds) -> Int? {
        let answer = moment + Self.picture
        guard condition.fullFor == 0, let socket = sockets.firstIndex(where: { $0 < moment }) else {
            condition.fullFor = max(0, condition.fullFor - 1)
            say([sender, 0x60, 0x03, 0xFF], after: answer)
            return nil
        }
        guard !condition.isInMenu, !condition.isInStandby, motion.socket == nil else {
            say([sender, 0x60 | UInt8(socket + 1), 0x41, 0xFF], after: answer)
            return nil
        }
        return socket
    }

    /// Moves to an absolute or relative position.
    private mutating func turn(_ packet: [UInt8], at moment: Seconds) {
        let speeds = (pan: Int(packet[4]), tilt: Int(packet[5])), nibbles = packet[6..<14]
        guard knows(speeds), nibbles.allSatisfy({ $0 < 16 }) else {
            return say([sender, 0x60, 0x02, 0xFF], after: moment + Self.picture)
        }
        func angle(_ nibbles: ArraySlice<UInt8>, _ axis: Axis) -> Double {
            let units = Double(Int16(truncatingIfNeeded: nibbles.reduce(0) { $0 << 4 | Int($1) }))
            return .degrees(units / motion.motor(axis).unitsPerDegree)
        }
        var goal = PanTilt(pan: angle(nibbles.prefix(4), .pan), tilt: angle(nibbles.suffix(4), .tilt))
        if packet[3] == 3 { goal = PanTilt(pan: goal.pan + place.pan, tilt: goal.tilt + place.tilt) }
        go(to: goal, speeds: speeds, at: moment)
    }

    private mutating func go(to goal: PanTilt, speeds: (pan: Int, tilt: Int), at moment: Seconds) {
        guard let socket = socket(at: moment) else { return }
        motion.go(to: goal, speeds: speeds, socket: socket)
        sockets[socket] = .infinity
        if !quirks.completesWithoutACK { say([sender, 0x40 | UInt8(socket + 1), 0xFF], after: moment + Self.picture) }
    }
}
