import DockSimulator
import DockWire
import Geometry
import Testing

@testable import DockControl

/// Another dock at our dock's port.
@Suite struct OtherDockTests {
    private static func dock(_ number: UInt64, at time: Seconds) -> SimulatedDock {
        var configuration = SimulatedDock.Configuration(model: .good, seed: 3)
        configuration.uniqueID = number
        // As old as our dock, which was switched on at 100 s: its clock shows no difference.
        configuration.clockStart = UInt32((time - 100) * 1e6)
        return SimulatedDock(configuration: configuration, time: time)
    }

    /// Greeted and armed, as by another host.
    private static func armed(_ number: UInt64, at time: Seconds) -> SimulatedDock {
        var dock = Self.dock(number, at: time - 0.5), encoder = FrameEncoder(firstSequence: 90)
        dock.receive(encoder.encode(.hello(Hello())).array, at: time - 0.4)
        dock.receive(encoder.encode(.torque(mask: 3, on: true)).array, at: time - 0.3)
        dock.advance(to: time)
        _ = dock.drainOutput()
        return dock
    }

    private static func messages(_ bytes: [UInt8]) -> [HostMessage] {
        var decoder = FrameDecoder()
        return bytes.compactMap { byte in
            guard let frame = try? decoder.push(byte) else { return nil }
            return try? HostMessage(frame)
        }
    }

    @Test func `another dock with the same boot id is noticed by its identity, and is not driven`() {
        let rig = CoreRig.moving(.turn)
        let ours = rig.line.dock
        rig.line.dock = Self.armed(77, at: rig.now)
        #expect(rig.line.dock.configuration.bootID == ours.configuration.bootID)
        // Its answer to its own host.
        var encoder = FrameEncoder(firstSequence: 200)
        rig.line.dock.receive(encoder.encode(.hello(Hello())).array, at: rig.now)
        rig.run(0.15)
        #expect(rig.snapshot.dock == .detached(.otherDevice))
        rig.run(0.3)
        let stood = rig.line.dock.pose
        rig.run(5)
        #expect(rig.line.dock.pose == stood && rig.speed == 0)
        // Our dock is recognised again.
        rig.line.dock = ours
        rig.line.dock.advance(to: rig.now)
        _ = rig.line.dock.drainOutput()
        rig.line.inbox = []
        rig.run(6)
        #expect(rig.snapshot.dock == .ready)
    }

    @Test func `a foreign dock is greeted more and more rarely, gets no stop, and is reported once`() {
        let rig = CoreRig()
        rig.run(1)
        let ours = rig.line.dock
        rig.line.dock = Self.dock(78, at: rig.now)
        rig.line.written = []
        rig.run(30, hungUp: true)
        let sent = Self.messages(rig.line.written)
        let hellos = sent.count { if case .hello = $0 { true } else { false } }
        let stops = sent.count { if case .setpoint = $0 { true } else { false } }
        // The pauses between the hellos grow to 4 s.
        #expect((4...11).contains(hellos) && stops == 0, "\(hellos) \(stops) \(sent)")
        #expect(rig.states.count { $0 == .detached(.otherDevice) } == 1, "\(rig.states)")
        rig.line.dock = ours
        rig.line.dock.advance(to: rig.now)
        _ = rig.line.dock.drainOutput()
        rig.line.inbox = []
        rig.line.written = []
        rig.run(5)
        #expect(rig.snapshot.dock == .ready, "\(Self.messages(rig.line.written)) \(rig.notes)")
    }

    @Test func `the pause grows if new ports are announced, and ends when one appears`() {
        var machine = DockMachine(arming: .now)
        let ours = DockIdentity(model: "", firmware: "", uid: "1"),
            other = DockIdentity(model: "", firmware: "", uid: "2")
        _ = machine.portOpened(now: 0, isAnnounced: true)
        _ = machine.handle(.identified(ours), now: 0)
        _ = machine.handle(.ready, now: 0)
        _ = machine.portLost(now: 1)
        var now = 2.0, pauses: [Double] = []
        for _ in 0..<7 {
            _ = machine.portOpened(now: now, isAnnounced: true)
            #expect(machine.handle(.identified(other), now: now) == [.leave, .close, .forgetPoses])
            pauses.append((machine.retryAt ?? 0) - now)
            now = machine.retryAt ?? 0
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30])
        machine.portAppeared(now: now - 10)
        #expect(machine.retryAt == now - 10)
        _ = machine.portOpened(now: now, isAnnounced: true)
        _ = machine.handle(.identified(other), now: now)
        #expect(machine.retryAt == now + 1, "the next port may be ours at once")
        _ = machine.portOpened(now: now + 1, isAnnounced: true)
        _ = machine.handle(.identified(ours), now: now + 1)
        _ = machine.handle(.ready, now: now + 1)
        #expect(machine.state == .ready)
    }
}
