import DockControl
import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

/// What the loop owes its guard, in virtual time: the real core, the simulated dock, and a guard that only takes notes.
@Suite struct GuardedLoopTests {
    @Test func `the guard has the port before anything is written, and a valid stop`() throws {
        let rig = Rig()
        #expect(rig.story.acts.first == .watch)
        #expect(rig.snapshot.dock == .ready && rig.snapshot.safety.isGuarded)
        var decoder = FrameDecoder(), stops = 0
        for byte in rig.guardian?.stop ?? [] {
            guard let frame = try? decoder.push(byte), case .setpoint(let setpoint) = try HostMessage(frame) else {
                continue
            }
            if setpoint.mode == .idle { stops += 1 }
        }
        #expect(stops == 1)
    }

    @Test func `the heartbeat covers the first motion to the last stop, and pauses at rest`() {
        let rig = Rig()
        #expect(!rig.story.main.contains(.beat(true)) && !rig.story.main.contains(.beat(false)))
        rig.story.acts = []
        #expect(rig.turn(0.5) != nil)
        rig.run(for: 1.5)
        let acts = rig.story.main
        #expect(acts.first == .beat(true), "\(acts)")
        #expect(acts.last == .beat(false) && acts.dropLast().last == .stop, "\(acts)")
        #expect(acts.filter { $0 == .beat(false) }.count == 1)
        let beats = acts.filter { $0 == .beat(true) }.count
        #expect(beats >= 9 && beats <= 16, "\(beats) in about 0.6 s")
        rig.story.acts = []
        rig.run(for: 3)
        #expect(rig.story.main.isEmpty)
    }

    @Test func `at the end: the stop, the release, the close`() {
        let rig = Rig()
        _ = rig.turn()
        rig.run(for: 0.3)
        rig.story.acts = []
        #expect(rig.core.end().stoppedLast)
        #expect(rig.story.main == [.stop, .stop, .stop, .release, .close], "no other process can repeat it")
    }

    @Test func `after the guard has stopped the dock, no earlier motion continues`() {
        let rig = Rig()
        _ = rig.turn(10)
        rig.run(for: 0.3)
        #expect(rig.link.dock.rate.magnitude > .degrees(15))
        rig.guardian?.did = [GuardIntervention(silence: 0.31, wrote: true)]
        rig.story.acts = []
        rig.run(for: 1, news: true)
        #expect(!rig.story.main.contains(.motion), "\(rig.story.main)")
        #expect(rig.link.dock.rate.magnitude < .degrees(0.1))
        #expect(rig.snapshot.counters.guardStops == 1 && rig.snapshot.dock == .ready, "greeted again")
        #expect(rig.notes.contains("the guard stopped the dock: the loop was silent for 310 ms"), "\(rig.notes)")
    }

    @Test func `a guard that is gone is replaced, and given the port`() {
        let rig = Rig()
        _ = rig.turn(5)
        rig.run(for: 0.3)
        rig.guardian?.isAlive = false
        rig.story.acts = []
        rig.run(for: 0.2)
        #expect(rig.guardian?.renewals == 1)
        #expect(rig.story.main.prefix(2) == [.watch, .beat(true)], "\(rig.story.main)")
        #expect(rig.link.dock.rate.magnitude > .degrees(15), "it keeps turning")
        #expect(rig.notes.contains { $0.hasPrefix("the guard had ended and was replaced") })
    }

    @Test func `a dock without a deadman is not moved without a guard, and stops when the guard is lost`() {
        let alone = Rig(hasGuard: false, bold: true)
        #expect(!alone.snapshot.safety.isGuarded)
        #expect(alone.turn() == .failure(DockError(.notSupportedByDevice, "", hint: "")))
        #expect(alone.ask(.setMode(.system)).map { if case .success = $0 { true } else { false } } == true)
        alone.run(for: 1)
        #expect(!alone.story.main.contains(.motion))

        let rig = Rig(bold: true)
        #expect(rig.turn(10).map { if case .success = $0 { true } else { false } } == true)
        rig.run(for: 0.4)
        #expect(rig.link.dock.rate.magnitude > .degrees(15))
        rig.guardian?.canRenew = false
        rig.guardian?.isAlive = false
        rig.story.acts = []
        rig.run(for: 0.1)
        #expect(rig.story.main.first == .stop, "before another guard is started")
        rig.story.acts = []
        rig.run(for: 1)
        #expect(!rig.story.main.contains(.motion), "\(rig.story.main)")
        #expect(rig.link.dock.rate.magnitude < .degrees(0.1) && !rig.snapshot.safety.isGuarded)
        #expect(rig.notes.contains { $0.contains("the dock is no longer moved; start dockface again") })
        rig.guardian?.canRenew = true
        rig.run(for: 1.2)
        #expect(
            rig.snapshot.safety.isGuarded && rig.turn().map { if case .success = $0 { true } else { false } } == true)
    }

    @Test func `a dock without a deadman is stopped again and again until it is ready`() {
        let rig = Rig(bold: true, isMute: true)
        rig.run(for: 2)
        // It may still be executing what it was sent before its cable was pulled.
        #expect((4...7).contains(rig.story.acts.filter { $0 == .stop }.count), "\(rig.story.main)")
        #expect(!rig.story.acts.contains(.motion))
        let other = Rig(isMute: true)
        other.run(for: 2)
        #expect(!other.story.acts.contains(.stop), "its deadman has stopped it")
    }

    @Test func `a guard that starts slowly delays nothing, and nothing moves before it is ready`() {
        let rig = Rig(bold: true)
        #expect(rig.turn(20).map { if case .success = $0 { true } else { false } } == true)
        rig.run(for: 0.4)
        #expect(rig.link.dock.rate.magnitude > .degrees(15))
        rig.guardian?.standsAtOnce = false
        rig.guardian?.isAlive = false
        rig.run(for: 0.05)
        rig.story.acts = []
        rig.run(for: 0.5)
        #expect(rig.guardian?.renewals == 1 && !rig.notes.contains { $0.hasPrefix("the guard") })
        #expect(!rig.story.main.contains(.motion) && !rig.story.main.contains(.watch), "\(rig.story.main)")
        #expect(rig.link.dock.rate.magnitude < .degrees(0.1) && !rig.snapshot.safety.isGuarded)
        #expect(rig.turn() == .failure(DockError(.notSupportedByDevice, "", hint: "")))
        // The guard has reported: it is given the port, and only then may anything move.
        rig.guardian?.isAwaited = false
        rig.guardian?.isAlive = true
        rig.story.acts = []
        rig.run(for: 0.2, news: true)
        #expect(rig.story.main.first { $0 == .watch || $0 == .motion } == .watch, "\(rig.story.main)")
        #expect(
            rig.snapshot.safety.isGuarded && rig.notes.contains { $0.hasPrefix("the guard had ended and was replaced") }
        )
        #expect(rig.guardian?.renewals == 1)
    }

    @Test func `a guard that never becomes ready is started once a second, and reported once`() {
        let rig = Rig(bold: true)
        rig.guardian?.standsAtOnce = false
        rig.guardian?.isAlive = false
        rig.run(for: 4.5)
        #expect(rig.guardian?.renewals == 5, "\(rig.guardian?.renewals ?? 0)")
        #expect(rig.notes.count { $0.hasPrefix("the guard has ended and cannot be replaced") } == 1, "\(rig.notes)")
    }

    @Test func `a dock with a deadman is moved without a guard, and status says so`() {
        let rig = Rig(hasGuard: false)
        #expect(rig.turn().map { if case .success = $0 { true } else { false } } == true)
        rig.run(for: 0.4)
        #expect(rig.link.dock.rate.magnitude > .degrees(15) && !rig.snapshot.safety.isGuarded)
    }
}
