import DockSimulator
import Geometry
import Testing

/// The memory of simulated bus servos: what is kept without a supply, what is locked, and who answers.
@Suite struct BusServoTests {
    /// The servos and their host, a second later with every packet.
    private final class Bus<Servos: BusServos> {
        var servos: Servos
        private var now = 0.0

        init(_ options: [String: Double] = [:]) { servos = Servos(model: .good, options: options) }

        /// Sends bytes, and returns what the servos answer.
        func ask(_ bytes: [UInt8]) -> [UInt8] {
            now += 1
            for byte in bytes { servos.receive(byte, at: now) }
            return servos.drainOutput()
        }

        /// The speed of pan's motor toward its goal, rad/s, when the goal is in force.
        func speed() -> Double {
            for _ in 0..<2 {
                now += 1
                _ = servos.tick(motors: .zero, rate: .zero, at: now)
            }
            return servos.tick(motors: .zero, rate: .zero, at: now).pan
        }
    }

    // MARK: FeeTech

    /// A packet of FeeTech's bus; in an answer, the errors are in the place of the instruction.
    private func feetech(_ id: UInt8, _ instruction: UInt8, _ parameters: [UInt8] = []) -> [UInt8] {
        let body = [id, UInt8(parameters.count + 2), instruction] + parameters
        return [0xFF, 0xFF] + body + [~body.reduce(0, &+)]
    }

    @Test func `FeeTech: a setting that is written under the lock is lost with the supply`() {
        let bus = Bus<FeetechServos>()
        for (lock, kept) in [(1, 0), (0, 100)] as [(UInt8, UInt8)] {
            #expect(bus.ask(feetech(1, 3, [55, lock])) == feetech(1, 0))
            #expect(bus.ask(feetech(1, 3, [9, 100, 0])) == feetech(1, 0))
            #expect(bus.ask(feetech(1, 2, [9, 2])) == feetech(1, 0, [100, 0]), "it takes effect")
            bus.servos.reboot()
            #expect(bus.ask(feetech(1, 2, [9, 1])) == feetech(1, 0, [kept]))
            #expect(bus.ask(feetech(1, 2, [55, 1])) == feetech(1, 0, [1]), "the lock is on after every start")
        }
        let kept = [Axis.pan, .tilt].map { bus.servos.stored(at: 9, on: $0) }
        #expect(bus.servos.wear == 2 && kept == [100, 0] && bus.servos.stored(at: 56, on: .pan) == nil)
    }

    @Test func `FeeTech: two new servos damage each other's answers until one has another id`() {
        let bus = Bus<FeetechServos>()
        bus.servos.makeNew()
        let answer = bus.ask(feetech(1, 1))
        #expect(!answer.isEmpty && answer != feetech(1, 0))
        bus.servos.unplugged = [.pan]
        #expect(bus.ask(feetech(1, 1)) == feetech(1, 0))
        _ = bus.ask(feetech(1, 3, [55, 0]))
        // The new id answers from then on.
        _ = bus.ask(feetech(1, 3, [5, 2]))
        _ = bus.ask(feetech(2, 3, [55, 1]))
        #expect(bus.ask(feetech(2, 1)) == feetech(2, 0) && bus.ask(feetech(1, 1)).isEmpty)
        bus.servos.unplugged = []
        #expect(bus.ask(feetech(1, 1)) == feetech(1, 0) && bus.ask(feetech(2, 1)) == feetech(2, 0))
        #expect(bus.ask(feetech(0xFE, 1)) == feetech(1, 0) + feetech(2, 0), "one after the other")
        #expect(bus.servos.stored(at: 5, on: .tilt) == 2)
    }

    @Test func `FeeTech: a servo that answers no writes still executes them`() {
        let bus = Bus<FeetechServos>()
        bus.servos.store([0], at: 8, on: .pan)
        #expect(bus.ask(feetech(1, 3, [13, 60])).isEmpty)
        #expect(bus.ask(feetech(1, 2, [13, 1])) == feetech(1, 0, [60]))
        #expect(bus.ask(feetech(1, 1)) == feetech(1, 0))
        #expect(bus.ask(feetech(2, 3, [13, 60])) == feetech(2, 0), "the other one answers")
    }

    @Test func `FeeTech: a servo hears only its own speed`() {
        let bus = Bus<FeetechServos>(["baud": 500_000])
        for (speed, hears) in [(nil, true), (500_000, true), (505_000, true), (1_000_000, false)] as [(Int?, Bool)] {
            bus.servos.lineSpeed = speed
            #expect(bus.ask(feetech(1, 1)).isEmpty == !hears, "\(speed ?? 0)")
        }
        bus.servos.lineSpeed = 500_000
        _ = bus.ask(feetech(1, 3, [6, 4]))
        #expect(bus.ask(feetech(1, 1)).isEmpty && !bus.ask(feetech(2, 1)).isEmpty)
        bus.servos.lineSpeed = 115_200
        #expect(!bus.ask(feetech(1, 1)).isEmpty)
    }

    @Test func `FeeTech: limits and a correction change where a goal leads`() {
        let bus = Bus<FeetechServos>()
        /// The speed that the motor is given on the way to a goal, rad/s.
        func way(to goal: Int) -> Double {
            bus.servos.store([UInt8(goal & 0xFF), UInt8(goal >> 8)], at: 42, on: .pan)
            return bus.speed()
        }
        bus.servos.store([1], at: 40, on: .pan)
        #expect(way(to: 2048) == 0)
        bus.servos.store([0x60, 0x09, 0x60, 0x0A], at: 9, on: .pan)
        #expect(way(to: 2048) > 0, "2400 is the nearest position inside its limits")
        bus.servos.store([0, 0, 0xFF, 0x0F], at: 9, on: .pan)
        // Bit 11 is the sign: it reports 100 more than without a correction.
        bus.servos.store([100, 0x08], at: 31, on: .pan)
        #expect(way(to: 2148) == 0)
        #expect(bus.ask(feetech(1, 2, [56, 2])) == feetech(1, 0, [0x64, 0x08]))
    }

    // MARK: Dynamixel

    private func dynamixel(_ id: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = UInt8(body.count + 2)
        let frame: [UInt8] = [0xFF, 0xFF, 0xFD, 0, id, length, 0] + body
        var sum: UInt16 = 0
        for byte in frame {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
        }
        return frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    private func answer(_ id: UInt8, _ error: UInt8 = 0, _ parameters: [UInt8] = []) -> [UInt8] {
        dynamixel(id, [0x55, error] + parameters)
    }

    @Test func `Dynamixel: settings are locked while the servo holds, and kept without a supply`() {
        let bus = Bus<DynamixelServos>()
        _ = bus.ask(dynamixel(1, [3, 64, 0, 1]))
        #expect(bus.ask(dynamixel(1, [3, 9, 0, 0])) == answer(1, 7))
        _ = bus.ask(dynamixel(1, [3, 64, 0, 0]))
        #expect(bus.ask(dynamixel(1, [3, 9, 0, 0])) == answer(1))
        #expect(bus.ask(dynamixel(1, [3, 7, 0, 253])) == answer(1, 4), "no such id")
        #expect(bus.ask(dynamixel(1, [3, 68, 0, 1])) == answer(1))
        #expect(bus.servos.stored(at: 9, on: .pan) == 0 && bus.servos.stored(at: 9, on: .tilt) == 250)
        #expect(bus.ask(dynamixel(1, [3, 65, 0, 1])).isEmpty, "at level 1 it answers no writes")
        #expect(bus.ask(dynamixel(1, [2, 9, 0, 1, 0])) == answer(1, 0, [0]))
        _ = bus.ask(dynamixel(1, [3, 68, 0, 0]))
        #expect(bus.ask(dynamixel(1, [2, 9, 0, 1, 0])).isEmpty)
        #expect(bus.ask(dynamixel(1, [1])) == answer(1, 0, [0xB0, 4, 52]), "a ping is always answered")
    }

    @Test func `Dynamixel: two new servos damage each other's answers until one has another id`() {
        let bus = Bus<DynamixelServos>(["baud": 1_000_000])
        bus.servos.makeNew()
        bus.servos.lineSpeed = 1_000_000
        #expect(bus.ask(dynamixel(1, [1])).isEmpty, "new servos have 57,600 baud")
        bus.servos.lineSpeed = 57_600
        let both = bus.ask(dynamixel(1, [1]))
        #expect(!both.isEmpty && both != answer(1, 0, [0xB0, 4, 52]))
        bus.servos.unplugged = [.tilt]
        #expect(bus.ask(dynamixel(1, [3, 7, 0, 2])) == answer(1), "with the id from before")
        bus.servos.unplugged = []
        #expect(bus.ask(dynamixel(0xFE, [1])) == answer(1, 0, [0xB0, 4, 52]) + answer(2, 0, [0xB0, 4, 52]))
    }

    @Test func `Dynamixel: goals beyond its limits are refused, and time makes another speed`() {
        let bus = Bus<DynamixelServos>()
        bus.servos.store([0xB8, 0x0B, 0, 0, 0xE8, 3, 0, 0], at: 48, on: .pan)
        #expect(bus.ask(dynamixel(1, [3, 116, 0, 0, 0, 0, 0])) == answer(1, 6), "1000...3000")
        _ = bus.ask(dynamixel(1, [3, 64, 0, 1]))
        #expect(bus.ask(dynamixel(1, [3, 112, 0, 10, 0, 0, 0, 0xD0, 7, 0, 0])) == answer(1))
        let slow = bus.speed()
        bus.servos.store([4], at: 10, on: .pan)
        let fast = bus.speed()
        #expect(slow < 0 && fast < 3 * slow, "10 ms instead of 2.3 turns a minute: \(slow) \(fast)")
    }
}
