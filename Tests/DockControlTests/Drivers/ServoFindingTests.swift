import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// Findings about settings that contradict a profile.
@Suite struct ServoFindingTests {
    private func findings<Servos: BusServos>(
        _ row: DriverRow<Servos>, _ family: ServoFamily, at place: Int, _ bytes: [UInt8],
        _ change: (inout RigProfile) -> Void = { _ in }
    ) -> [ServoFinding] {
        var profile = row.profile
        change(&profile)
        let bench = ServoBench<Servos>(profile.options), baud = family.newBaud
        bench.servos.store(bytes, at: place, on: .pan)
        return ServoFinding.all(in: bench.settings(family, baud: baud), of: 1, for: profile)
    }

    @Test func `servos from the factory contradict nothing`() {
        for id in [UInt8(1), 2, 9] {
            let feetech = ServoBench<FeetechServos>().settings(.feetech, baud: 1_000_000, id: id)
            // No servo has the id 9, and nothing is read.
            #expect(feetech[.id] == (id == 9 ? nil : Int(id)))
            #expect(ServoFinding.all(in: feetech, of: id, for: DriverRows.feetech.profile).isEmpty)
            let dynamixel = ServoBench<DynamixelServos>().settings(.dynamixel, baud: 57_600, id: id)
            #expect(dynamixel[.id] == (id == 9 ? nil : Int(id)))
            #expect(ServoFinding.all(in: dynamixel, of: id, for: DriverRows.dynamixel.profile).isEmpty)
        }
    }

    @Test func `limits of another arm are named with the command that resets them`() {
        let found = findings(DriverRows.feetech, .feetech, at: 9, [0xE8, 3, 0xB8, 0x0B])
        #expect(
            found.map(\.text) == [
                "servo 1 turns only from position 1000 to 3000, and the profile turns it from 364 to 3732: "
                    + "correct it with `dockface servo reset 1`, or narrow the range of pan"
            ])
        #expect(found.first?.forbidsMotion == false)
        let narrow = findings(DriverRows.feetech, .feetech, at: 9, [0xE8, 3, 0xB8, 0x0B]) {
            $0.pan.range = .degrees(-85)...(.degrees(80))
        }
        #expect(narrow.isEmpty, "\(narrow)")
    }

    @Test func `a time-based profile and a wrong byte order forbid motion`() {
        let time = findings(DriverRows.dynamixel, .dynamixel, at: 10, [4])
        #expect(time.count == 1 && time[0].forbidsMotion && time[0].text.contains("servo reset 1"), "\(time)")
        let both = findings(DriverRows.dynamixel, .dynamixel, at: 10, [12])
        #expect(both.map(\.forbidsMotion) == [true, true])
        let order = findings(DriverRows.feetech, .feetech, at: 2, [1])
        #expect(order.count == 1 && order[0].forbidsMotion, "\(order)")
        #expect(order[0].text.hasSuffix("set scs = 1 in the options of the profile"))
    }

    @Test func `a status level is set for the session if that is harmless`() {
        let dynamixel = findings(DriverRows.dynamixel, .dynamixel, at: 68, [1])
        #expect(dynamixel.map(\.session) == [ServoWrite(ServoMemory(address: 68, count: 1), [2])])
        #expect(!dynamixel[0].forbidsMotion && !dynamixel[0].text.contains("reset"))
        let feetech = findings(DriverRows.feetech, .feetech, at: 8, [0])
        #expect(feetech.count == 1 && feetech[0].forbidsMotion && feetech[0].session == nil)
    }

    @Test func `another unit of speed is named, and a measured one is not`() {
        let found = findings(DriverRows.feetech, .feetech, at: 18, [8])
        #expect(found.count == 1 && found[0].text.contains("set speed_unit_steps = 50"), "\(found)")
        let same = findings(DriverRows.feetech, .feetech, at: 18, [8]) { $0.options["speed_unit_steps"] = 48 }
        let measured = findings(DriverRows.feetech, .feetech, at: 18, [12]) { $0.options["speed_unit_steps"] = 2 }
        #expect(same.isEmpty && measured.isEmpty)
    }

    @Test func `numbers are read and written as each family codes them`() {
        let offset = ServoFamily.feetech.bus.row(.offset), newer = ServoFamily.feetech.bus
        #expect(offset?.number(0x92C) == -300 && offset?.raw(-300) == 0x92C && offset?.raw(300) == 300)
        let homing = ServoFamily.dynamixel.bus.row(.offset)
        #expect(homing?.number(0xFFFF_FFFF) == -1 && homing?.raw(-1) == 0xFFFF_FFFF)
        let older = ServoFamily.scs.bus
        #expect(newer.encode(0x0102, count: 2) == [2, 1] && older.encode(0x0102, count: 2) == [1, 2])
        #expect(newer.decode([2, 1]) == 0x0102 && older.decode([1, 2]) == 0x0102)
        #expect(ServoFamily.dynamixel.words(3, of: .baud) == "1000000 baud")
        #expect(ServoFamily.dynamixel.words(250, of: .returnDelay) == "500 µs")
        #expect(ServoFamily.feetech.words(80, of: .highestVoltage) == "8 V")
    }
}
