public import Geometry

/// A pan/tilt camera with VISCA at 9600 baud, as Sony's EVI-D100: two sockets, answers after a picture's time, motors that turn at
/// the speed of a code until they are told otherwise.
///
/// Written from the Technical Manual of the EVI-D100. What it says takes its time on the line, and it reads one packet after
/// the other.
public struct ViscaCamera: RigElectronics {
    /// Page 44; tilt ends at code 14 (hex).
    private static let speeds: [Double] = [
        0, 2.0, 2.4, 3.0, 3.7, 4.7, 6.1, 7.4, 9.1, 11, 14, 18, 22, 27, 34, 42, 52, 65, 81, 100, 125, 155, 190, 240, 300,
    ]
    /// 1440 units at 100 degrees.
    private static let unitsPerDegree = 14.4
    /// Ten bits at 9600 baud; a picture.
    private static let byteTime: Seconds = 10.0 / 9600, picture: Seconds = 1.0 / 60

    /// It ends commands without having acknowledged them, as some do.
    public var completesWithoutACK = false
    /// So many commands find both sockets taken; inquiries do not.
    public var fullFor = 0
    /// A menu is open: nothing of pan and tilt is executed.
    public var isInMenu = false
    /// Switched off by a command: it answers, and does not move.
    public var isInStandby = false
    /// It says nothing any more.
    public var isMute = false
    /// Commands that moved or stopped it.
    public private(set) var drives = 0
    /// The velocity that it was told last, rad/s.
    public private(set) var command = PanTilt.zero

    /// Where its lens is, 0 ... 4000 hex.
    public private(set) var lens = 0

    private var place = PanTilt.zero
    private var time: Seconds = 0
    private var heard: [UInt8] = []
    private var words: [(at: Seconds, bytes: [UInt8])] = []
    /// It has read, and its line is free, from then on.
    private var readFrom: Seconds = 0, lineFrom: Seconds = 0
    /// When the sockets are free again.
    private var sockets: [Seconds] = [-1, -1]
    private var announces = false

    /// A camera that is switched on and stands.
    public init(model: RigModel, options: [String: Double]) {}

    /// Its motors turn at speeds.
    public static var followsPlaces: Bool { false }

    /// Both, always: it cannot let go.
    public var powered: Set<Axis> { [.pan, .tilt] }
    /// When the next packet has gone over its line.
    public var nextWord: Seconds { words.first?.at ?? .infinity }

    /// What it says now; it is not said twice.
    public mutating func takeOutput() -> [UInt8] {
        var output: [UInt8] = []
        while let first = words.first, first.at <= time {
            output += first.bytes
            words.removeFirst()
        }
        return isMute ? [] : output
    }

    /// It says that it was switched on; where it looks it has not forgotten.
    public mutating func reboot() {
        (heard, words, command, sockets) = ([], [], .zero, [-1, -1])
        (readFrom, lineFrom) = (time, time)
        announces = true
    }

    /// A millisecond passes.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        (place, self.time) = (motors, time)
        if announces {
            announces = false
            say([0x88, 0x38, 0xFF], after: time + 0.1)
        }
        return isInStandby ? .zero : command
    }

    /// A byte of the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        self.time = max(time, self.time)
        heard.append(byte)
        guard byte == 0xFF else {
            // Longer than any packet: what has come is nothing.
            if heard.count > 16 { heard = [] }
            return
        }
        let packet = heard
        heard = []
        obey(packet, at: max(readFrom, self.time) + Double(packet.count) * Self.byteTime)
    }

    /// Says it when its line is free, not before `moment`.
    private mutating func say(_ bytes: [UInt8], after moment: Seconds) {
        lineFrom = max(lineFrom, moment) + Double(bytes.count) * Self.byteTime
        words.append((lineFrom, bytes))
    }

    private mutating func obey(_ packet: [UInt8], at moment: Seconds) {
        readFrom = moment
        let answer = moment + Self.picture
        if packet == [0x88, 0x30, 0x01, 0xFF] { return say([0x88, 0x30, 0x02, 0xFF], after: moment) }
        if packet == [0x88, 0x01, 0x00, 0x01, 0xFF] {
            sockets = [-1, -1]
            return say(packet, after: moment)
        }
        guard packet.first == 0x81 else {
            // To somebody else, or nothing at all.
            if packet.count < 3 { say([0x90, 0x60, 0x02, 0xFF], after: answer) }
            return
        }
        switch (packet.count, packet[1]) {
        case (5..., 0x09): inquire(packet, after: answer)
        case (3, 0x21), (3, 0x22): say([0x90, 0x60 | (packet[1] & 3), 0x05, 0xFF], after: answer)
        case (9, 0x01) where packet[2] == 0x06 && packet[3] == 0x01: drive(packet, at: moment)
        case (9, 0x01) where packet[2] == 0x04 && packet[3] == 0x47: zoom(packet, after: answer)
        case (3...16, _): say([0x90, 0x60, 0x02, 0xFF], after: answer)
        default: say([0x90, 0x60, 0x01, 0xFF], after: answer)
        }
    }

    /// The lens is there at once.
    private mutating func zoom(_ packet: [UInt8], after answer: Seconds) {
        let wanted = packet[4..<8].reduce(0) { $0 << 4 | Int($1 & 15) }
        guard wanted <= 0x4000, packet[4..<8].allSatisfy({ $0 < 16 }) else {
            return say([0x90, 0x60, 0x02, 0xFF], after: answer)
        }
        lens = wanted
        say([0x90, 0x41, 0xFF], after: answer)
        say([0x90, 0x51, 0xFF], after: answer + Self.picture)
    }

    private mutating func inquire(_ packet: [UInt8], after answer: Seconds) {
        func nibbles(_ angle: Double) -> [UInt8] {
            let units = Int((angle.inDegrees * Self.unitsPerDegree).rounded())
            return [12, 8, 4, 0].map { UInt8((units >> $0) & 0xF) }
        }
        switch packet[2...] {
        case [0x06, 0x12, 0xFF]: say([0x90, 0x50] + nibbles(place.pan) + nibbles(place.tilt) + [0xFF], after: answer)
        case [0x00, 0x02, 0xFF]: say([0x90, 0x50, 0x00, 0x01, 0x04, 0x0D, 0x01, 0x02, 0x02, 0xFF], after: answer)
        case [0x04, 0x00, 0xFF]: say([0x90, 0x50, isInStandby ? 3 : 2, 0xFF], after: answer)
        default: say([0x90, 0x60, 0x02, 0xFF], after: answer)
        }
    }

    private mutating func drive(_ packet: [UInt8], at moment: Seconds) {
        let answer = moment + Self.picture
        let speeds = (pan: Int(packet[4]), tilt: Int(packet[5])), ways = (pan: packet[6], tilt: packet[7])
        guard (1...0x18).contains(speeds.pan), (1...0x18).contains(speeds.tilt), (1...3).contains(ways.pan),
            (1...3).contains(ways.tilt)
        else { return say([0x90, 0x60, 0x02, 0xFF], after: answer) }
        guard fullFor == 0, let socket = sockets.firstIndex(where: { $0 < moment }) else {
            fullFor = max(0, fullFor - 1)
            return say([0x90, 0x60, 0x03, 0xFF], after: answer)
        }
        let name = UInt8(socket + 1)
        guard !isInMenu, !isInStandby else { return say([0x90, 0x60 | name, 0x41, 0xFF], after: answer) }
        drives += 1
        func speed(_ code: Int, _ way: UInt8, positive: UInt8) -> Double {
            way == 3 ? 0 : .degrees(Self.speeds[code]) * (way == positive ? 1 : -1)
        }
        command = PanTilt(
            pan: speed(speeds.pan, ways.pan, positive: 2), tilt: speed(min(speeds.tilt, 0x14), ways.tilt, positive: 1))
        sockets[socket] = answer + Self.picture
        if !completesWithoutACK { say([0x90, 0x40 | name, 0xFF], after: answer) }
        say([0x90, 0x50 | name, 0xFF], after: answer + Self.picture)
    }
}
