import DockFirmware
import DockWire
import Testing

@Suite struct EventTests {
    @Test func `an event is repeated every 50 ms until it is acknowledged`() {
        var bench = Bench.armed()
        bench.firmware.raise(event: .shutter, value: 1, now: bench.now)
        bench.run(500)
        let events = bench.events()
        #expect(events.count == 10)
        #expect(Set(events.map(\.id)).count == 1 && Set(events.map(\.microseconds)).count == 1)
        bench.send(.eventAcknowledge(id: events.first?.id ?? 0))
        bench.run(500)
        let after = bench.events()
        #expect(after.isEmpty)
    }

    @Test func `at most the eight newest are kept, and the loss is reported`() {
        var bench = Bench.armed()
        for step in 1...11 { bench.firmware.raise(event: .zoom, value: Int16(step), now: bench.now) }
        bench.run(40)
        let events = bench.events()
        #expect(events.map(\.value) == [4, 5, 6, 7, 8, 9, 10, 11])
        #expect(events.last?.lost == 1 && events.map { Int($0.lost) }.reduce(0, +) == 3)
        #expect(Set(events.map(\.id)).count == 8)
    }

    @Test(arguments: 0..<8) func `events are sent in the order in which they were raised`(earlier: Int) {
        var bench = Bench.armed()
        for _ in 0..<earlier {
            bench.firmware.raise(event: .shutter, value: 1, now: bench.now)
            bench.run(10)
        }
        for event in bench.events() { bench.send(.eventAcknowledge(id: event.id)) }
        bench.firmware.raise(event: .button, value: 0x0101, now: bench.now)
        bench.firmware.raise(event: .button, value: 0x0100, now: bench.now)
        bench.run(20)
        let values = bench.events().map(\.value)
        #expect(values == [0x0101, 0x0100])
    }

    @Test func `an acknowledgement of another event changes nothing`() {
        var bench = Bench.armed()
        bench.firmware.raise(event: .trackingButton, value: 1, now: bench.now)
        bench.send(.eventAcknowledge(id: 99))
        bench.run(100)
        let events = bench.events()
        #expect(events.count == 3)
    }

    @Test func `events wait for a host`() {
        var bench = Bench()
        bench.firmware.raise(event: .flip, value: 1, now: bench.now)
        bench.run(200)
        let before = bench.events()
        #expect(before.isEmpty)
        bench.send(.hello(Hello()))
        bench.run(20)
        let after = bench.events()
        #expect(after.count == 1)
    }

    @Test func `POWER comes once a second and on change`() {
        var bench = Bench.armed()
        func powers(_ bench: inout Bench) -> Int {
            bench.take { if case .power(let report) = $0 { report } else { nil } }.count
        }
        var report = PowerReport(
            millivolts: 7400, milliamperes: -300, percent: 80, state: .discharging, temperature: 30)
        bench.firmware.power(report)
        bench.run(10)
        let first = powers(&bench)
        #expect(first == 1)
        bench.run(3_000)
        let later = powers(&bench)
        #expect(later == 3)
        report.millivolts = 7390
        bench.firmware.power(report)
        bench.run(10)
        let unchanged = powers(&bench)
        #expect(unchanged == 0)
        report.percent = 79
        report.state = .low
        bench.firmware.power(report)
        bench.run(10)
        let changed = powers(&bench)
        #expect(changed == 1)
        #expect(bench.firmware.flags.contains(.lowBattery))
    }

    @Test func `a link without room gets the newest MOTION when it has room again`() {
        var bench = Bench.armed()
        bench.heard = []
        // Half a second without sending a byte.
        for step in 1...500 {
            bench.now &+= 1000
            bench.firmware.measured(pan: Int32(step), tilt: 0, panRate: 0, tiltRate: 0, now: bench.now)
            bench.firmware.tick(now: bench.now)
        }
        bench.drain()
        let motions = bench.motions()
        #expect(motions.map(\.pan) == [500])
        #expect(motions.first?.microseconds == bench.now)
    }

    @Test func `a flood of requests does not queue answers without bound`() {
        var bench = Bench.armed()
        bench.heard = []
        let question = bench.encoder.encode(.getLimits(.pan)).array
        for _ in 0..<100 { for byte in question { bench.firmware.receive(byte, now: bench.now) } }
        bench.drain()
        #expect(bench.heard.count == 16)
    }
}
