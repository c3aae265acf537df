import Geometry
import Testing

@testable import DaemonSimulation

/// The values of the simulated world.
struct WorldPartTests {
    @Test func `the host's clock stands still while the machine sleeps, and not while the process is held`() {
        var clock = WorldClock()
        clock.advance(to: 1)
        clock.hold(for: 1)
        clock.advance(to: 1.5)
        #expect(clock.isHeld && !clock.isAsleep && clock.host == 1001.5)
        clock.release()
        #expect(clock.isHeld, "its time is not over")
        clock.advance(to: 2)
        clock.release()
        #expect(!clock.isHeld && clock.slept == 0)
        clock.suspend(for: 3)
        clock.advance(to: 5)
        #expect(clock.isAsleep && clock.host == 1002)
        clock.release()
        #expect(!clock.isAsleep && clock.host == 1002 && clock.slept == 3)
        clock.advance(to: 6)
        clock.adjustWallClock(by: -10)
        #expect(clock.host == 1003 && clock.realtime == 1.7e9 - 4)
    }

    @Test func `a cut cable passes on the bytes before the cut, a narrow one a few of each write`() {
        var cable = Cable()
        #expect(cable.accepts(10) == 10)
        cable.width = 4
        cable.cut = (6, .line, 1)
        #expect(cable.accepts(10) == 4)
        let first = cable.accepted(4)
        #expect(first == nil && cable.accepts(10) == 2)
        let last = cable.accepted(2)
        #expect(last?.then == .line && cable.cut == nil && cable.accepts(10) == 4)
    }

    @Test func `events and repairs come once, when they are due`() {
        var script = Script(Scenario(seed: 1, duration: 5, events: [(1, 1, .reboot), (2, 3, .letGo)]))
        #expect(script.next == 1)
        let early = script.event(at: 0.9), first = script.event(at: 2), second = script.event(at: 2)
        #expect(early == nil && first == .reboot && second == nil)
        script.repair(.mute, at: 2.5)
        script.repair(.deaf, at: 2.2)
        #expect(script.next == 2.2)
        let none = script.drainRepairs(at: 2), both = script.drainRepairs(at: 2.6), again = script.drainRepairs(at: 9)
        #expect(none.isEmpty && both == [.mute, .deaf] && again.isEmpty && script.next == 3)
    }
}
