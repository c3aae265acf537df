import DockControl
import Geometry
import RobotFace
import Testing

@testable import Companion

@Suite struct ChevronKeysTests {
    private let right = PanTilt(pan: 1, tilt: 0)

    @Test func `a press is a pulse of 0.25 s at 0.2 rad per second, with shift three times that`() {
        var keys = ChevronKeys()
        let slow = keys.key(right, phase: .press, fast: false, now: 1)
        let fast = keys.key(PanTilt(pan: 0, tilt: 1), phase: .press, fast: true, now: 3)
        #expect(slow == .chevron(PanTilt(pan: 0.2, tilt: 0), duration: 0.25))
        #expect(fast == .chevron(PanTilt(pan: 0, tilt: 3 * 0.2), duration: 0.25))
    }

    @Test func `key repeats extend the motion, and it stops 150 ms after the last`() {
        var keys = ChevronKeys()
        _ = keys.key(right, phase: .press, fast: false, now: 1)
        var last: MotionCommand?
        for repeatNumber in 0..<20 {
            last = keys.key(right, phase: .press, fast: false, now: 1.5 + Double(repeatNumber) * 0.033)
        }
        #expect(last == .chevron(PanTilt(pan: 0.2, tilt: 0), duration: 0.15))
        let end = 1.5 + 19 * 0.033
        #expect(keys.isRunning(now: end + 0.14) && !keys.isRunning(now: end + 0.16))
    }

    @Test func `releasing a held key stops at once, a tap gets its full pulse`() {
        var keys = ChevronKeys()
        _ = keys.key(right, phase: .press, fast: false, now: 1)
        let tap = keys.key(right, phase: .release, fast: false, now: 1.08)
        #expect(tap == nil)
        _ = keys.key(right, phase: .press, fast: false, now: 5)
        _ = keys.key(right, phase: .repeat, fast: false, now: 5.5)
        let held = keys.key(right, phase: .release, fast: false, now: 5.6)
        #expect(held == .chevron(.zero, duration: 0))
    }

    @Test func `only arrows are arrows`() {
        #expect(ChevronKeys.direction(of: .up) == PanTilt(pan: 0, tilt: 1))
        #expect(ChevronKeys.direction(of: .left) == PanTilt(pan: -1, tilt: 0))
        #expect(ChevronKeys.direction(of: .tab) == nil)
    }
}
