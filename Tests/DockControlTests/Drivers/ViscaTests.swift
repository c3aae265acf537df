import DockSimulator
import DockTypes
import Geometry
import Testing
import TestSupport

@testable import DockControl

/// VISCA: packets byte by byte, and the driver against a camera simulated from Sony's manual.
@Suite struct ViscaTests {
    private static let camera = ViscaAddress(number: 1)
    /// Compared byte by byte with pyvisca or visca-over-ip, except where they send other speeds for axes that stand
    /// still: those are from the manuals.
    static let commands: [(name: String, packet: [UInt8], hex: String)] = [
        ("address set", ViscaAddress.addressSet, "88 30 01 FF"),
        ("interface clear", ViscaAddress.clear, "88 01 00 01 FF"),
        ("right", camera.drive(pan: 16, tilt: 0), "81 01 06 01 10 01 02 03 FF"),
        ("up", camera.drive(pan: 0, tilt: 5), "81 01 06 01 01 05 03 01 FF"),
        ("down to the left", camera.drive(pan: -24, tilt: -20), "81 01 06 01 18 14 01 02 FF"),
        ("stop", camera.stop, "81 01 06 01 01 01 03 03 FF"),
        ("too fast", camera.drive(pan: 99, tilt: -99), "81 01 06 01 18 18 02 02 FF"),
        ("cancel", ViscaAddress(number: 3).cancel(2), "83 22 FF"),
        ("position", camera.positionInquiry, "81 09 06 12 FF"),
        ("version", camera.versionInquiry, "81 09 00 02 FF"),
        ("power", camera.powerInquiry, "81 09 04 00 FF"),
    ]
    static let answers: [(hex: String, reply: ViscaReply)] = [
        ("88 30 02 FF", .addresses(next: 2)), ("88 01 00 01 FF", .cleared), ("90 50 FF", .cleared),
        ("88 38 FF", .networkChange), ("90 38 FF", .networkChange),
        ("90 41 FF", .acknowledged(socket: 1)), ("90 52 FF", .completed(socket: 2)),
        ("90 60 02 FF", .error(socket: 0, code: 2)), ("90 60 03 FF", .error(socket: 0, code: 3)),
        ("90 61 41 FF", .error(socket: 1, code: 0x41)), ("90 62 05 FF", .error(socket: 2, code: 5)),
        ("90 50 00 03 0E 08 0F 0F 03 08 FF", .inquiry([0, 3, 0xE, 8, 0xF, 0xF, 3, 8])),
        ("90 50 00 01 04 0D 01 92 02 FF", .inquiry([0, 1, 4, 0xD, 1, 0x92, 2])),
    ]

    static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    private static func replies(_ bytes: [UInt8]) -> [ViscaReply] {
        var scanner = FrameScanner(capacity: 64), found: [ViscaReply] = []
        for byte in bytes {
            scanner.push(byte, { ViscaReply.match($0, from: camera) }) {
                if let reply = ViscaReply($0, from: camera) { found.append(reply) }
            }
        }
        return found
    }

    @Test(arguments: commands.indices) func `a packet is what the manual says`(index: Int) {
        let row = Self.commands[index]
        #expect(row.packet == Self.bytes(row.hex), "\(row.name)")
    }

    @Test(arguments: answers.indices)
    func `an answer is decoded, also behind noise, truncated answers, and answers of other cameras`(
        index: Int
    ) {
        let row = Self.answers[index], packet = Self.bytes(row.hex)
        for before in ["", "FF", "00 37", "90", "90 50 00 03", "88 30", "A0 41 FF", "90 99 FF", "90 50 00 03 0E FF FF"]
        {
            let found = Self.replies(Self.bytes(before) + packet + packet)
            #expect(found.suffix(2) == [row.reply, row.reply], "behind \(before): \(found)")
        }
        for cut in 1..<packet.count { #expect(!Self.replies(Array(packet[..<cut])).contains(row.reply)) }
    }

    @Test func `positions are two signed numbers of four nibbles`() {
        let place = ViscaReply.position([0, 3, 0xE, 8, 0xF, 0xF, 3, 8])
        #expect(place?.pan == 1000 && place?.tilt == -200)
        #expect(ViscaReply.position([0, 3, 0xE, 8, 0xF, 0xF, 3, 0x18]) == nil && ViscaReply.position([0]) == nil)
    }

    @Test func `random and corrupted bytes never trap, and packets behind them are found`() {
        var random = SeededRandom(seed: 11), line: [UInt8] = []
        for _ in 0..<20_000 {
            var packet = Self.bytes(Self.answers[Int(random.next() % UInt64(Self.answers.count))].hex)
            packet[Int(random.next() % UInt64(packet.count))] = UInt8(truncatingIfNeeded: random.next())
            line += packet + [UInt8(truncatingIfNeeded: random.next()), UInt8(truncatingIfNeeded: random.next())]
        }
        #expect(line.count > 100_000)
        for _ in 0..<100_000 { line.append(UInt8(truncatingIfNeeded: random.next())) }
        let good: [UInt8] = [0xFF] + Self.bytes("90 41 FF")
        #expect(Self.replies(line + good).last == .acknowledged(socket: 1))
    }

    @Test func `a truncated drive command that the stop's FF ends is never read as another command`() {
        for row in Self.commands where row.name != "interface clear" && row.name != "address set" {
            for cut in 1..<row.packet.count - 1 {
                let ended = Array(row.packet[..<cut]) + [0xFF]
                #expect(!Self.commands.contains { $0.packet == ended }, "\(row.name) cut behind \(cut)")
            }
        }
    }

    @Test func `speeds between codes and below the slowest are met on average`() throws {
        for speed in [0.3, 1, 2, 5, 10, 29, 60, 110] {
            let ladder = try #require(SpeedLadder.table(1, .tilt))
            var dither = SpeedDither(), way = 0.0, codes: Set<Int> = [], now: Seconds = 0
            for step in 0..<600 {
                // Set-points never arrive quite evenly.
                let elapsed = step % 3 == 0 ? 0.05 : 0.08
                let code = dither.code(.degrees(-speed), ladder, step: 0.07, now: now)
                codes.insert(code)
                way += ladder.speed(of: code) * elapsed
                now += elapsed
            }
            #expect(abs(way.inDegrees / now + speed) < 0.02 * speed + 0.02, "\(speed): \(way.inDegrees / now)")
            #expect(codes.count <= 2 && codes.allSatisfy { $0 <= 0 && $0 >= -20 }, "\(speed): \(codes)")
        }
    }

    @Test func `a stop takes effect at once, and a turn in the other direction starts fresh`() throws {
        let ladder = try #require(SpeedLadder.table(1, .pan))
        var dither = SpeedDither()
        for step in 0..<4 { _ = dither.code(.degrees(1), ladder, step: 0.07, now: Double(step) * 0.07) }
        #expect(dither.carry != 0)
        let stopped = dither.code(0, ladder, step: 0.07, now: 0.35)
        #expect(stopped == 0 && dither.carry == 0)
        let fastest = dither.code(.degrees(-400), ladder, step: 0.07, now: 0.4)
        #expect(fastest == -24)
        let none = dither.code(.nan, ladder, step: 0.07, now: 0.5)
        #expect(none == 0)
        #expect(SpeedLadder.straight(codes: 24, from: 10.0 / 3, to: 80).speeds[11].inDegrees - 40 < 1e-9)
        #expect(SpeedLadder.straight(codes: 1, from: 5, to: 80).around(.degrees(9)) == (1, 1))
    }

    @Test(arguments: [0.5, 3.0, 25.0]) func `a camera follows a speed on average, and its pose is known`(speed: Double)
    {
        let rig = DriverRows.visca.rig()
        rig.run(1.5)
        #expect(
            rig.snapshot.device.identity?.model == "Sony camera 040d"
                && rig.snapshot.device.identity?.firmware == "0102")
        rig.give(.velocity(.degrees(pan: speed, tilt: 0), duration: 60))
        rig.run(1)
        let (start, place) = (rig.now, rig.line.dock.pose.pan)
        var worst = 0.0
        rig.run(3) {
            guard let sample = rig.snapshot.device.poses.sample else { return }
            worst = max(worst, (sample.pose - rig.line.dock.pose(at: sample.time)).magnitude.inDegrees)
        }
        let mean = (rig.line.dock.pose.pan - place).inDegrees / (rig.now - start)
        #expect(abs(mean - speed) < 0.05 * speed + 0.05, "\(mean)")
        // Latency of the rig's model in both directions, and the time of an answer.
        #expect(worst < 0.2 + 0.06 * speed, "\(worst)")
        #expect(rig.states.last == .ready)
    }

    @Test func `a camera may end commands without acknowledging them`() {
        let rig = DriverRows.visca.rig()
        rig.line.dock.electronics.quirks.completesWithoutACK = true
        rig.run(1.5)
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 60))
        rig.run(1)
        #expect(rig.speed > 20)
        let drives = rig.line.dock.electronics.drives
        rig.run(1)
        #expect(rig.line.dock.electronics.drives - drives >= 8, "the line is used")
        rig.give(.stop)
        rig.run(0.3)
        #expect(abs(rig.speed) < 0.5)
    }

    @Test func `a stop that finds the sockets full is repeated until it is accepted`() {
        let rig = DriverRows.visca.rig()
        rig.run(1.5)
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 60))
        rig.run(1)
        rig.line.dock.electronics.condition.fullFor = 7
        rig.give(.stop)
        rig.run(1.2)
        #expect(abs(rig.speed) < 0.5 && rig.line.dock.electronics.condition.fullFor == 0)
    }

    @Test func `an open menu refuses motion, which is reported, and a stop gets through when it closes`() {
        let rig = DriverRows.visca.rig()
        rig.run(1.5)
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 60))
        rig.run(1)
        rig.line.dock.electronics.condition.isInMenu = true
        rig.give(.stop)
        rig.run(1)
        #expect(rig.speed > 20, "the camera does not hear")
        #expect(rig.notes.contains { $0.contains("menu") }, "\(rig.notes)")
        rig.line.dock.electronics.condition.isInMenu = false
        rig.run(0.7)
        #expect(abs(rig.speed) < 0.5)
    }

    @Test func `a camera in standby is not switched on, and not ready`() {
        let rig = DriverRows.visca.rig()
        rig.line.dock.electronics.condition.isInStandby = true
        rig.run(5)
        #expect(!rig.states.contains(.ready) && rig.notes.contains { $0.contains("standby") }, "\(rig.notes)")
        rig.line.dock.electronics.condition.isInStandby = false
        rig.run(2)
        #expect(rig.states.last == .ready)
    }

    @Test func `a camera that was switched on again is greeted again, and its old motion is over`() {
        let rig = DriverRows.visca.rig()
        rig.run(1.5)
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 60))
        rig.run(1)
        rig.line.dock.reboot()
        rig.run(0.5)
        #expect(rig.states.contains(.greeting))
        rig.run(2)
        #expect(rig.states.last == .ready && abs(rig.speed) < 0.5)
    }

    @Test func `a camera that falls silent is sent a stop, and is greeted when it speaks again`() {
        let rig = DriverRows.visca.rig()
        rig.run(1.5)
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 60))
        rig.run(1)
        rig.line.dock.electronics.condition.isMute = true
        rig.run(2)
        #expect(abs(rig.speed) < 0.5 && rig.states.last != .ready, "\(rig.states)")
        rig.line.dock.electronics.condition.isMute = false
        rig.run(4)
        #expect(rig.states.last == .ready)
    }

    @Test func `the guard's bytes alone stop it, whatever was cut off before them`() {
        for before in ["", "81", "81 01 06 01 10", "81 01 06 01 10 0C 02 03", "88 30", "00 FF FF", "81 09 06 12"] {
            let rig = DriverRows.visca.rig()
            rig.run(1.5)
            rig.give(.velocity(.degrees(pan: 60, tilt: 0), duration: 10))
            rig.run(1)
            var driver = ViscaDriver(profile: DriverRows.visca.profile), stop: [UInt8] = []
            driver.encodeStop(into: &stop)
            #expect(stop.count <= 256 && stop.first == 0xFF)
            var dock = rig.line.dock
            dock.receive(Self.bytes(before) + stop, at: dock.time)
            dock.advance(to: dock.time + 0.6)
            #expect(abs(dock.rate.pan.inDegrees) < 0.5, "behind \(before)")
        }
    }

    @Test func `torque off is refused with an explanation`() {
        let rig = DriverRows.visca.rig()
        rig.run(1.5)
        rig.give(.torque(false))
        rig.run(0.1)
        guard case .failure(let error)? = rig.answers.last?.answer else {
            Issue.record("reported that it let go")
            return
        }
        #expect(
            error.code == .notSupportedByDevice && error.description.contains("cannot switch its torque off"),
            "\(error)")
        // It holds, and that is what it reports.
        rig.run(1)
        #expect(rig.snapshot.torque && rig.snapshot.safety.isReleased)
    }

    @Test func `torque off in an earlier run: the camera holds, reports that, and moves after torque on`() {
        let row = DriverRows.visca
        let rig = DeviceRig(
            device: SimulatedRig<ViscaCamera>(model: .good, options: row.profile.options, seed: 3, time: 100),
            driver: ViscaDriver(profile: row.profile), profile: row.profile, released: true, guardian: IdleGuard())
        rig.run(2)
        #expect(rig.states.last == .ready && rig.snapshot.torque, "\(rig.states)")
        for command in [MotionCommand.velocity(.degrees(pan: 20, tilt: 0), duration: 1), .torque(false)] {
            rig.give(command)
            rig.run(0.5)
            guard case .failure(let error)? = rig.answers.last?.answer else {
                Issue.record("\(command): \(rig.answers)")
                return
            }
            #expect(error.description.contains("cannot switch its torque off") && abs(rig.speed) < 0.5, "\(error)")
        }
        rig.give(.torque(true))
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed > 15)
    }
}
