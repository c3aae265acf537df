import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// The first contact with bus servos: who answers at which speed, new ids, and changes that are kept.
@Suite struct ServoContactTests {
    private static let new = FoundServo(
        family: .feetech, baud: 1_000_000, id: 1, model: "STS3215", firmware: "3.10")

    @Test func `a search finds every servo with its speed, model and firmware`() {
        let feetech = ServoBench<FeetechServos>(["pan_id": 42, "baud": 500_000])
        var second = Self.new
        (second.id, second.baud) = (2, 500_000)
        var other = second
        other.id = 42
        #expect(feetech.search(ServoFamily.spoken) == [second, other])
        let dynamixel = ServoBench<DynamixelServos>()
        let pair = [UInt8(1), 2].map {
            FoundServo(family: .dynamixel, baud: 57_600, id: $0, model: "XL330-M288", firmware: "52")
        }
        #expect(dynamixel.search(ServoFamily.spoken) == pair)
        let older = ServoBench<FeetechServos>(["scs": 1])
        #expect(older.search([.feetech]).map(\.family) == [.scs, .scs], "the byte order tells the series")
        #expect(older.search([.feetech]).map(\.model) == ["SCS0009", "SCS0009"])
    }

    @Test func `the answers of two new servos are damaged, and one alone is found`() {
        let feetech = ServoBench<FeetechServos>(isNew: true), dynamixel = ServoBench<DynamixelServos>(isNew: true)
        let both = feetech.search([.feetech]) + dynamixel.search([.dynamixel])
        #expect(both.map(\.isDamaged) == [true, true] && both.map(\.id) == [1, 1], "\(both)")
        feetech.servos.unplugged = [.tilt]
        #expect(feetech.search(ServoFamily.spoken) == [Self.new])
    }

    @Test func `likely speeds come first, and no speed twice`() {
        let steps = ServoSearch(ServoFamily.spoken, first: 76_800).steps
        #expect(steps.prefix(3).map(\.baud) == [76_800, 1_000_000, 57_600])
        #expect(steps[0].families == [.feetech, .dynamixel] && steps[2].families == [.feetech, .dynamixel])
        #expect(Set(steps.map(\.baud)).count == steps.count)
        #expect(steps.first { $0.baud == 128_000 }?.families == [.feetech])
    }

    @Test func `an echo is not an answer`() {
        var exchange = ServoExchange(.feetech, baud: 1_000_000)
        let bus = ServoFamily.feetech.bus
        let write = ServoRequest(.write(ServoWrite(bus.torque, [0]), to: 1))
        let frame = exchange.begin(write, now: 1)
        frame.withUnsafeBytes { exchange.receive($0) }
        let early = exchange.end(now: 1.001)
        #expect(early == nil)
        let late = exchange.end(now: 2)
        #expect(late?.isSilent == true)
    }

    // MARK: changes

    @Test func `a new id is kept without a supply, and the lock is on again`() {
        let bench = ServoBench<FeetechServos>(isNew: true)
        bench.servos.unplugged = [.pan]
        let change = bench.run(SettingsChange(.feetech, id: 1, baud: 1_000_000, to: [.id: 2]))
        #expect(change.isDone && change.id == 2, "\(change.problem ?? "")")
        let lock = ServoMemory(address: 55, count: 1)
        let last = [ServoRequest(.write(ServoWrite(lock, [1]), to: 2)), ServoRequest(.read(lock, of: 2))]
        #expect(Array(bench.requests.suffix(2)) == last)
        bench.servos.unplugged = []
        bench.reboot()
        #expect(bench.search([.feetech]).map(\.id) == [1, 2])
        #expect(bench.servos.stored(at: 5, on: .tilt) == 2 && bench.servos.wear == 1)
    }

    @Test func `a servo that holds is released before its settings are written, and nothing moves`() {
        let bench = ServoBench<DynamixelServos>()
        bench.servos.store([1], at: 64, on: .pan)
        let change = bench.run(
            SettingsChange(.dynamixel, id: 1, baud: 57_600, to: [.id: 7, .returnDelay: 0, .baud: 3]))
        #expect(change.isDone && change.id == 7 && change.baud == 1_000_000, "\(change.problem ?? "")")
        #expect(!bench.servos.powered.contains(.pan) && bench.fastest < .degrees(0.1))
        bench.reboot()
        #expect(bench.search([.dynamixel]).map(\.id) == [2, 7])
        #expect(bench.servos.stored(at: 9, on: .pan) == 0)
    }

    @Test func `an id that another servo has is refused before anything is written`() {
        let bench = ServoBench<FeetechServos>()
        let change = bench.run(SettingsChange(.feetech, id: 1, baud: 1_000_000, to: [.id: 2]))
        #expect(!change.isDone && change.problem == "another servo has the id 2")
        #expect(bench.requests == [ServoRequest(.ping(2))] && bench.servos.wear == 0)
    }

    @Test func `a servo that answers pings only is found, and answers everything after a change`() {
        let bench = ServoBench<DynamixelServos>()
        bench.servos.store([0], at: 68, on: .pan)
        #expect(bench.search([.dynamixel]).map(\.id) == [1, 2])
        let before = bench.settings(.dynamixel, baud: 57_600)
        #expect(before[.statusLevel] == 0 && before[.id] == nil)
        let numbers = before.changed(StoredSetting.resettable, in: .dynamixel)
        #expect(numbers == [.statusLevel: 2])
        let change = bench.run(SettingsChange(.dynamixel, id: 1, baud: 57_600, to: numbers))
        #expect(change.isDone, "\(change.problem ?? "")")
        #expect(bench.settings(.dynamixel, baud: 57_600)[.id] == 1)
    }

    @Test func `a reset restores what another arm has left, and neither id nor speed`() {
        let bench = ServoBench<FeetechServos>(["pan_id": 5])
        // No answers to writes, limits of 1000 to 3000, an offset of -300, and speed mode.
        let left: [(place: Int, bytes: [UInt8])] = [
            (8, [0]), (9, [0xE8, 3, 0xB8, 0x0B]), (31, [0x2C, 0x09]), (33, [1]),
        ]
        for row in left { bench.servos.store(row.bytes, at: row.place, on: .pan) }
        let before = bench.settings(.feetech, baud: 1_000_000, id: 5)
        #expect(before[.offset] == -300 && before[.lowestPosition] == 1000 && before[.highestPosition] == 3000)
        let numbers = before.changed(StoredSetting.resettable, in: .feetech)
        #expect(
            numbers == [.statusLevel: 1, .lowestPosition: 0, .highestPosition: 4095, .offset: 0, .operatingMode: 0])
        let change = bench.run(SettingsChange(.feetech, id: 5, baud: 1_000_000, to: numbers))
        #expect(change.isDone, "\(change.problem ?? "")")
        bench.reboot()
        let after = bench.settings(.feetech, baud: 1_000_000, id: 5)
        #expect(after.changed(StoredSetting.allCases, in: .feetech) == [.id: 1])
    }

    @Test func `a servo that has gone ends a change with a sentence, and its lock is not forgotten`() {
        let bench = ServoBench<FeetechServos>()
        bench.servos.unplugged = [.pan]
        let gone = bench.run(SettingsChange(.feetech, id: 1, baud: 1_000_000, to: [.returnDelay: 9]))
        #expect(gone.problem == "servo 1 does not answer, so its torque switch is unknown")
        var change = SettingsChange(.feetech, id: 2, baud: 1_000_000, to: [.returnDelay: 9])
        var writes: [ServoRequest] = []
        // The servo answers until it is unlocked.
        while let request = change.next, writes.count < 20 {
            writes.append(request)
            var reply = ServoReply()
            if case .read(let memory, _) = request.kind, memory.address != 7 {
                reply.packets = [ServoPacket(id: 2, errors: 0, parameters: [0])]
            }
            change.handle(reply)
        }
        #expect(!change.isDone && change.problem != nil)
        let lock = ServoMemory(address: 55, count: 1)
        #expect(writes.last == ServoRequest(.write(ServoWrite(lock, [1]), to: 2)))
    }
}
