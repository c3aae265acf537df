import DockSimulator
import Geometry
import TestSupport
import Testing

@testable import DockControl

/// Waveshare's JSON lines: decoding and encoding, and the driver against a board simulated from its firmware.
@Suite struct WaveshareTests {
    private static func objects(_ text: String) -> [FlatObject] { objects(Array(text.utf8)) }

    private static func objects(_ bytes: [UInt8]) -> [FlatObject] {
        var lines = ObjectLines()
        return bytes.compactMap { lines.push($0)?.object }
    }

    private static let report =
        #"{"T":1001,"L":0,"R":0,"r":0.1,"p":-0.2,"y":3,"temp":30,"v":11.9,"pan":45.1,"tilt":-10.2}"#

    // MARK: lines

    @Test func `lines are written as the firmware reads them`() {
        var bytes: [UInt8] = []
        WaveshareLine.append([WaveshareLine.stop], to: &bytes)
        #expect(bytes == [0x7B, 0x22, 0x54, 0x22, 0x3A, 0x31, 0x33, 0x35, 0x7D, 0x0A])
        let goal = CoarseStream.Goal(pan: 45, tilt: -10, panSpeed: 300, tiltSpeed: 299)
        #expect(WaveshareLine.move(goal) == #"{"T":134,"X":45,"Y":-10,"SX":300,"SY":299}"#)
        #expect(WaveshareLine.interval(20) == #"{"T":142,"cmd":20}"#)
        #expect(WaveshareLine.torque(false, number: 7) == #"{"T":210,"cmd":0,"n":7}"#)
    }

    @Test func `a report is decoded`() {
        let found = Self.objects(Self.report + "\r\n")
        #expect(found.count == 1 && found.first?.numbers.count == 10)
        #expect(found.first?["T"] == 1001 && found.first?["pan"] == 45.1 && found.first?["tilt"] == -10.2)
        #expect(found.first?["v"] == 11.9 && found.first?["nothing"] == nil)
    }

    @Test(arguments: [
        #"{}"#, #" { "a" : 1 , "b" : -2.5e1 , "c" : null , "d" : "x\"}{" , "e" : true } "#, #"{"a":1e2,"b":-25}"#,
    ]) func `an object is decoded, whatever its order and spacing`(text: String) {
        let object = FlatObject(text.utf8)
        #expect(object != nil)
        if text.count > 2 { #expect(object?["b"] == -25 && object?["c"] == nil && object?["d"] == nil) }
    }

    @Test(arguments: [
        "", "{", "}", "12", "null", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, #"{"a":1}}"#, #"{"a":01}"#,
        #"{"a":1.}"#,
        #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":nul}"#, #"{"a":{"b":1}}"#, #"{"a":[1]}"#, #"{a:1}"#,
        #"{"a":"x}"#,
        #"{"a" 1}"#, "{\"a\":\"\u{01}\"}", #"{"a":--1}"#, #"{"a":0x1}"#, #"{"a":NaN}"#, #"{"a":"\"#,
    ]) func `anything but a flat object is rejected`(text: String) { #expect(FlatObject(text.utf8) == nil, "\(text)") }

    @Test func `a number that is too large is rejected, and the last of two counts`() {
        let object = FlatObject(#"{"a":1e999,"b":1,"b":2,"c":3,"c":"x"}"#.utf8)
        #expect(object != nil && object?["a"] == nil && object?["b"] == 2 && object?["c"] == nil)
    }

    @Test(arguments: [
        "", "ets Jul 29 2019 12:21:46\r\n", "loop: ", "\u{0}\u{FF}\r\n", #"{"T":1001,"pan":1,"#,
        #"{"T":1001,"pan":12.5"# + "\n",
        String(repeating: "x", count: 600) + "\n", String(repeating: #"{"T":"#, count: 100) + "\n",
    ]) func `a report is found behind text, truncated and overlong lines`(before: String) {
        let found = Self.objects(before + Self.report + "\n" + Self.report + "\n")
        #expect(found.count == 2 && found.allSatisfy { $0["pan"] == 45.1 })
    }

    @Test func `no bytes trap the reader, and reports behind them are found`() {
        var random = Seeded(7), lines = ObjectLines(), count = 0, missed = 0
        let good = Array((Self.report + "\r\n").utf8)
        while count < 200_000 {
            var line = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = UInt8.random(in: 0...255, using: &random)
                case 1: line.remove(at: place)
                default: line.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            for byte in line + [0x0A] { _ = lines.push(byte) }
            count += line.count + 1
            let last = good.compactMap { lines.push($0) }.last
            if last?.object["tilt"] != -10.2 { missed += 1 }
        }
        #expect(missed == 0 && lines.invalidBytes > 0)
    }

    // MARK: with the board

    @Test func `a board that echoes and prints messages is silenced, and still heard`() {
        let rig = DriverRows.waveshare.rig()
        rig.line.dock.electronics.chatters = true
        rig.run(2)
        let board = rig.line.dock.electronics
        #expect(rig.states.last == .ready && !board.echoes && board.prints, "\(rig.states)")
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 10))
        rig.run(1)
        #expect(abs(rig.speed - 30) < 3)
    }

    @Test(arguments: [0.5, 2, 7, 25]) func `a slow motion is even although goals are whole degrees`(speed: Double) {
        let rig = DriverRows.waveshare.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: speed, tilt: 0), duration: 20))
        rig.run(1)
        var slowest = Double.infinity, fastest = 0.0
        rig.run(3) { (slowest, fastest) = (min(slowest, rig.speed), max(fastest, rig.speed)) }
        #expect(slowest > 0.8 * speed && fastest < 1.2 * speed + 0.1, "\(slowest)...\(fastest) deg/s")
    }

    @Test(arguments: [1.0, 5, 20, 60])
    func `when commands stop arriving the head turns for at most a moment and about a degree`(
        speed: Double
    ) {
        let rig = DriverRows.waveshare.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: speed, tilt: 0), duration: 60))
        rig.run(1)
        let from = rig.line.dock.pose.pan, struck = rig.now
        rig.line.dock.faults.toDock.isDead = true
        var stood = 0.0
        rig.run(3) { if abs(rig.speed) > 0.5 { stood = rig.now - struck } }
        let way = (rig.line.dock.pose.pan - from).inDegrees
        #expect(way < 0.25 * speed + 1.5, "\(way) degrees")
        #expect(speed < 5 || stood < 0.55, "\(stood) s")
    }

    @Test func `a servo that its board does not reach is a fault with its id, until it is back`() {
        let rig = DriverRows.waveshare.rig()
        rig.run(2)
        rig.line.dock.electronics.missing = [.tilt]
        rig.run(0.5)
        #expect(rig.states.last == .faulted(.device), "\(rig.states)")
        #expect(rig.notes.contains { $0.contains("tilt servo with id 1") }, "\(rig.notes)")
        rig.line.dock.electronics.missing = []
        rig.run(1.5)
        rig.give(.clear)
        rig.run(1)
        #expect(rig.states.last == .ready, "\(rig.states) \(rig.answers)")
    }

    @Test func `one answer that got lost on its bus is no fault`() {
        var missing = MissingServos()
        var isMissing: [Bool] = []
        for tick in 0..<20 { isMissing.append(missing.missed(1, now: Double(tick) * 0.4)) }
        #expect(!isMissing.contains(true))
        for tick in 0..<5 { isMissing.append(missing.missed(1, now: 10 + Double(tick) * 0.01)) }
        #expect(isMissing.last == true && missing.id == 1)
        let recovered = [missing.hasRecovered(now: 10.5), missing.hasRecovered(now: 12)]
        #expect(recovered == [false, true])
    }

    @Test func `a stop does not switch on the torque of a released head`() {
        let rig = DriverRows.waveshare.rig()
        rig.run(2)
        rig.give(.torque(false))
        rig.run(0.5)
        rig.give(.stop)
        rig.give(.emergencyStop)
        rig.run(1)
        rig.end()
        rig.run(0.2)
        #expect(rig.line.dock.electronics.powered.isEmpty)
    }

    /// Keeps the newest stop that it was given, as the guard process does.
    private final class Keeper: MotionGuard {
        private(set) var stop: [UInt8] = []
        let descriptor: Int32 = -1
        let isAlive = true
        func watch(_ link: any ByteLink, stop: [UInt8]) { self.stop = stop }
        func beat(moving: Bool, now: Seconds) {}
        func release() {}
        func takeIntervention() -> GuardIntervention? { nil }
        func renew() -> Bool { true }
        var isAwaited: Bool { false }
    }

    @Test func `the stop that the guard keeps does not switch on the torque of a released head`() {
        let profile = DriverRows.waveshare.profile, keeper = Keeper()
        let rig = DeviceRig(
            device: SimulatedRig<WavesharePanTilt>(model: .good, seed: 3, time: 100),
            driver: WaveshareDriver(profile: profile), profile: profile, guardian: keeper)
        func after(_ bytes: [UInt8]) -> Set<Axis> {
            var board = rig.line.dock.electronics
            for byte in bytes { board.receive(byte, at: rig.now) }
            for tick in 1...20 { _ = board.tick(motors: .zero, rate: .zero, at: rig.now + Double(tick) * 0.001) }
            return board.powered
        }
        rig.run(2)
        #expect(after(keeper.stop) == [.pan, .tilt])
        rig.give(.torque(false))
        rig.run(0.5)
        #expect(after(keeper.stop).isEmpty)
        rig.give(.torque(true))
        rig.run(0.5)
        #expect(after(keeper.stop) == [.pan, .tilt])
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed > 25)
    }

    @Test func `a dry run switches nothing`() {
        var driver = WaveshareDriver(profile: DriverRows.waveshare.profile)
        driver.begin(now: 0, motionless: true)
        var bytes: [UInt8] = [], reports: [DockReport] = []
        for tick in 0..<40 {
            _ = driver.service(now: Double(tick) * 0.05, into: &bytes)
            Array((Self.report + "\n").utf8).withUnsafeBytes {
                driver.receive($0, now: Double(tick) * 0.05, into: &reports)
            }
        }
        driver.encode(.velocity(.degrees(pan: 20, tilt: 0)), now: 3, into: &bytes)
        driver.encodeStop(into: &bytes)
        #expect(reports.contains(.ready))
        let said = Self.objects(bytes).compactMap { $0["T"] }
        #expect(Set(said) == [4, 605, 143, 137, 142, 131], "\(said)")
    }

    @Test func `the stop ends whatever line was cut off`() {
        var driver = WaveshareDriver(profile: DriverRows.waveshare.profile)
        var stop: [UInt8] = []
        driver.encodeStop(into: &stop)
        #expect(stop.count <= 256)
        let line = Array(WaveshareLine.move(.init(pan: 45, tilt: -10, panSpeed: 300, tiltSpeed: 300)).utf8)
        for cut in 0..<line.count {
            let found = Self.objects(Array(line[..<cut]) + stop)
            #expect(found.count == 1 && found.first?["T"] == 135, "cut behind \(cut)")
        }
    }

    @Test func `the voltage is reported if the profile names a battery`() {
        let rig = DeviceRig(
            device: SimulatedRig<WavesharePanTilt>(model: .good, seed: 3, time: 100),
            driver: WaveshareDriver(profile: Self.withBattery), profile: Self.withBattery)
        rig.run(2)
        #expect(
            rig.snapshot.device.batteries.contains { $0.voltage == 12.1 && $0.level == nil },
            "\(rig.snapshot.device.batteries)")
    }

    private static let withBattery = {
        var profile = DriverRows.waveshare.profile
        profile.options["battery"] = 1
        return profile
    }()
}
