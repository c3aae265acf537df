import Glibc
import Testing

@testable import Camera

@Suite struct FullSizeSwitchTests {
    @Test func `a program is asked to end, then killed, once each`() {
        var change = FullSizeSwitch()
        #expect(change.signal(isWanted: false, isRunning: true, now: 1) == nil && !change.isUnderWay)
        #expect(change.signal(isWanted: true, isRunning: true, now: 2) == SIGTERM && change.isUnderWay)
        #expect(change.deadline == 2.3)
        #expect(change.signal(isWanted: true, isRunning: true, now: 2.2) == nil)
        #expect(change.signal(isWanted: true, isRunning: true, now: 2.3) == SIGKILL)
        #expect(change.deadline == nil && change.isUnderWay, "a timer cannot wait for ever")
        #expect(change.signal(isWanted: true, isRunning: true, now: 9) == nil)
        change.begins(isWanted: true)
        #expect(change.isOn && !change.isUnderWay)
        #expect(change.signal(isWanted: true, isRunning: true, now: 10) == nil)
    }

    @Test func `a program that does not run yet, or is in trouble, is left alone`() {
        var change = FullSizeSwitch()
        #expect(change.signal(isWanted: true, isRunning: false, now: 1) == nil && !change.isUnderWay)
        change.begins(isWanted: false)
        #expect(!change.isOn)
        change.begins(isWanted: true)
        #expect(change.isOn)
    }
}
