import ControlProtocol
import DockTypes
import Geometry
import Testing

@testable import Companion

/// What a program beside a daemon knows of its dock, in virtual time.
@Suite struct DaemonViewTests {
    private func reading(_ mode: TrackingMode, framing: FramingMode = .automatic) -> AccessoryReading {
        var reading = AccessoryReading()
        (reading.isDocked, reading.mode, reading.framing) = (true, mode, framing)
        return reading
    }

    @Test func `what was set counts although an older reading arrives after it`() {
        var view = DaemonView(reading(.system))
        view.confirmed(.manual, now: 10)
        #expect(view.snapshot(now: 10).mode == .manual)
        view.update(reading(.system), now: 10.02)
        #expect(view.snapshot(now: 10.02).mode == .manual)
        view.update(reading(.manual), now: 10.1)
        // The topic has shown it, so what comes next is news.
        view.update(reading(.system), now: 10.2)
        #expect(view.snapshot(now: 10.2).mode == .system)
    }

    @Test func `what was set counts for a second at most`() {
        var view = DaemonView(reading(.system, framing: .left))
        view.confirmed(.manual, now: 10)
        view.confirmed(FramingMode.right, now: 10)
        view.confirmed(Rect(x: 0.25, y: 0, width: 0.5, height: 1), now: 10)
        view.update(reading(.system, framing: .left), now: 10.99)
        let before = view.snapshot(now: 10.99), after = view.snapshot(now: 11)
        #expect(before.mode == .manual && before.framing == .right && before.region.x == 0.25)
        #expect(after.mode == .system && after.framing == .left && after.region == .full)
    }

    @Test func `what is set already is not pending, so what comes next is news`() {
        var view = DaemonView(reading(.manual))
        view.confirmed(.manual, now: 10)
        view.update(reading(.system), now: 10.1)
        #expect(view.snapshot(now: 10.1).mode == .system)
    }

    @Test func `a daemon that is gone has no dock until it reports one`() {
        var view = DaemonView(reading(.manual))
        #expect(view.snapshot(now: 1).isThere)
        view.isConnected = false
        #expect(!view.snapshot(now: 2).isThere)
        view.update(reading(.manual), now: 3)
        #expect(view.snapshot(now: 3).isThere)
    }

    @Test func `limits that make no range are unknown`() {
        var wrong = reading(.manual), limits = LimitsReading()
        (limits.pan.low, limits.pan.high) = (1, -1)
        wrong.limits = limits
        #expect(DaemonView(wrong).snapshot(now: 0).limits == nil)
        (limits.pan.low, limits.pan.high) = (.nan, 1)
        wrong.limits = limits
        #expect(DaemonView(wrong).snapshot(now: 0).limits == nil)
    }
}
