import DockSimulator
import DockWire
import Geometry
import Glibc
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct SimulatedDockPortTests {
    /// Waits until a condition holds; checks a thousand times a second.
    private func eventually(_ seconds: Double = 5, _ condition: () -> Bool) -> Bool {
        let end = Client.now + seconds
        while Client.now < end {
            if condition() { return true }
            usleep(1000)
        }
        return condition()
    }

    @Test func `a client greets, arms, moves, and its silence stops the dock`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let client = try #require(Client(port.path))
        #expect(client.greet()?.model.string == "simulated good")
        client.send(.torque(mask: 3, on: true))
        #expect(client.answer() == .ok)
        let moving: MotionReport? = client.wait(meanwhile: { client.drive(pan: 40_000) }) {
            if case .motion(let report) = $0, report.pan > 10_000 { report } else { nil }
        }
        #expect(moving?.flags.contains([.torque, .moving]) == true)
        let silent = Client.now
        let stopped: MotionReport? = client.wait {
            if case .motion(let report) = $0, report.flags.contains(.deadman), !report.flags.contains(.moving) {
                report
            } else {
                nil
            }
        }
        #expect(stopped != nil)
        // 250 ms, latency, 67 ms of braking, and the report interval of 100 ms; plus an allowance for a busy machine.
        #expect((0.25...1.0).contains(Client.now - silent))
        #expect(eventually { port.rate == .zero })
        let now = Client.now
        #expect((port.pose(at: now) - port.pose(at: now - 0.01)).magnitude < 1e-3)
        #expect(port.statistics.setpoints > 5 && port.statistics.invalidFrames == 0)
    }

    @Test func `the last bytes of a client that is gone are known`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        do {
            let client = try #require(Client(port.path))
            #expect(client.arm() == .ok)
            client.drive(pan: 10_000)
            #expect(eventually { port.statistics.setpoints == 1 })
            #expect(!port.lastFrameWasStop)
            client.write([0])
            client.send(.setpoint(.stop))
        }
        #expect(eventually { port.lastFrameWasStop })
        #expect(port.lastHostBytes.count >= 60 && port.lastHostBytes.last == 0)
    }

    @Test func `a client can close and open again any number of times`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        for _ in 0..<20 {
            let client = try #require(Client(port.path))
            #expect(client.greet()?.bootID == 1)
        }
        #expect(port.statistics.invalidFrames == 0 && port.statistics.boots == 1)
    }

    @Test func `a client that opened the port exclusively does not keep the next one out`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let descriptor = open(port.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        defer { close(descriptor) }
        #expect(ioctl(descriptor, UInt(TIOCEXCL), 0) == 0)
        let isExclusive = UInt(0x8004_5440)  // TIOCGEXCL
        #expect(
            eventually {
                var value: Int32 = 1
                return ioctl(descriptor, isExclusive, &value) == 0 && value == 0
            })
    }

    @Test func `unread output does not pile up`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let start = Client.now
        #expect(eventually(3) { Client.now > start + 1.2 })
        // A client that flushes nothing finds at most the output of a third of a second.
        let descriptor = open(port.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        #expect((30...300).contains(count))
    }

    @Test func `a dock sends its identity at boot to any listener`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let client = try #require(Client(port.path))
        let identity: Identity? = client.wait { if case .helloAck(let identity) = $0 { identity } else { nil } }
        #expect(identity != nil || client.motion?.flags.contains(.notGreeted) == true)
        port.reboot()
        let again: Identity? = client.wait { if case .helloAck(let identity) = $0 { identity } else { nil } }
        #expect(again?.bootID == 2)
    }

    @Test func `an unplugged dock is a hang-up, and comes back as a new device with a new boot`() throws {
        let link = "/tmp/dockface-test-\(getpid())-plug"
        let port = try SimulatedDockPort(link: link)
        defer { port.close() }
        let client = try #require(Client(link))
        #expect(client.greet()?.bootID == 1)
        port.unplug()
        #expect(client.waitForHangUp())
        #expect(!port.isPlugged && access(link, F_OK) != 0)
        #expect(Client(link) == nil)
        try port.replug()
        let again = try #require(Client(link))
        #expect(again.greet()?.bootID == 2)
        #expect(port.isPlugged)
    }

    @Test func `an unplugged dock stops by its deadman`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let client = try #require(Client(port.path))
        #expect(client.arm() == .ok)
        let moving: Bool? = client.wait(meanwhile: { client.drive(pan: 60_000) }) { _ in
            port.rate.pan > 0.5 ? true : nil
        }
        #expect(moving == true)
        port.unplug()
        #expect(eventually(2) { port.rate == .zero })
        try port.replug(rebooted: false)
        #expect(port.statistics.boots == 1)
    }

    @Test func `a cable that is pulled in mid-frame leaves half a frame, and the next session is not affected`()
        throws
    {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let client = try #require(Client(port.path))
        #expect(client.arm() == .ok)
        let before = port.statistics
        port.unplug(afterHostBytes: 10)
        client.drive(pan: 60_000)
        #expect(client.waitForHangUp())
        #expect(eventually { !port.isPlugged })
        #expect(port.statistics.bytes == before.bytes + 10 && port.statistics.setpoints == before.setpoints)
        try port.replug(rebooted: false)
        let again = try #require(Client(port.path))
        again.write([0])
        #expect(again.arm() == .ok)
        #expect(port.snapshot.invalidFrames == 1 && port.statistics.maximumSpeed < .degrees(0.1))
    }

    @Test func `a link is created, replaced if it is an old one, and removed`() throws {
        let link = "/tmp/dockface-test-\(getpid())-link"
        #expect(symlink("/dev/pts/99999", link) == 0)
        let port = try SimulatedDockPort(link: link)
        var target = [UInt8](repeating: 0, count: 256)
        let count = target.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink(link, $0, buffer.count) } ?? -1
        }
        #expect(String(decoding: target.prefix(max(count, 0)), as: UTF8.self) == port.path)
        port.close()
        port.close()
        var status = stat()
        #expect(lstat(link, &status) != 0)
    }

    @Test func `a file or a foreign link is never replaced`() throws {
        let file = "/tmp/dockface-test-\(getpid())-file"
        let descriptor = open(file, O_CREAT | O_WRONLY, 0o600)
        close(descriptor)
        defer { unlink(file) }
        #expect(throws: SimulatorError.linkIsTaken(path: file)) { try SimulatedDockPort(link: file) }
        let foreign = file + "-link"
        #expect(symlink(file, foreign) == 0)
        defer { unlink(foreign) }
        #expect(throws: SimulatorError.linkIsTaken(path: foreign)) { try SimulatedDockPort(link: foreign) }
        #expect(throws: SimulatorError.linkFailed(path: "/nowhere/dock", reason: ENOENT)) {
            try SimulatedDockPort(link: "/nowhere/dock")
        }
    }

    @Test func `buttons, emergency and battery reach the client`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let client = try #require(Client(port.path))
        #expect(client.arm() == .ok)
        port.press(.shutter)
        let event: EventReport? = client.wait { if case .event(let event) = $0 { event } else { nil } }
        #expect(event?.kind == .shutter && event?.value == 1)
        port.emergency(true)
        let stopped: Bool? = client.wait {
            if case .motion(let report) = $0, report.flags.contains(.emergencyStop) { true } else { nil }
        }
        #expect(stopped == true)
        port.battery = SimulatedBattery(level: 0.04)
        let state: PowerState? = client.wait {
            if case .power(let power) = $0, power.state != .discharging { power.state } else { nil }
        }
        #expect(state == .critical)
    }

    @Test func `garbage from a client does not affect the dock`() throws {
        let port = try SimulatedDockPort()
        defer { port.close() }
        let client = try #require(Client(port.path))
        var random = SeededRandom(seed: 8)
        client.write((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) })
        client.write([0])
        #expect(client.arm() == .ok)
        #expect(port.statistics.invalidFrames > 0)
    }
}
