import Glibc
import Testing

@testable import Camera

@Suite struct ProgramSwitchTests {
    private let usual = CaptureProgram(), full = CaptureProgram(isFull: true), other = CaptureProgram(camera: 1)

    @Test func `a program is asked to end, then killed, once each`() {
        var change = ProgramSwitch()
        #expect(change.signal(wanted: usual, isRunning: true, now: 1) == nil && !change.isUnderWay)
        #expect(change.signal(wanted: full, isRunning: true, now: 2) == SIGTERM && change.isUnderWay)
        #expect(change.deadline == 2.3)
        #expect(change.signal(wanted: full, isRunning: true, now: 2.2) == nil)
        #expect(change.signal(wanted: full, isRunning: true, now: 2.3) == SIGKILL)
        #expect(change.deadline == nil && change.isUnderWay, "a timer cannot wait for ever")
        #expect(change.signal(wanted: full, isRunning: true, now: 9) == nil)
        change.begins(full)
        #expect(change.running.isFull && !change.isUnderWay)
        #expect(change.signal(wanted: full, isRunning: true, now: 10) == nil)
    }

    @Test func `a program that does not run yet, or is in trouble, is left alone`() {
        var change = ProgramSwitch()
        #expect(change.signal(wanted: full, isRunning: false, now: 1) == nil && !change.isUnderWay)
        change.begins(usual)
        #expect(!change.running.isFull)
        change.begins(full)
        #expect(change.running.isFull)
    }

    @Test func `a program in trouble is replaced by one for another camera, and back`() {
        var change = ProgramSwitch()
        #expect(change.signal(wanted: other, isRunning: false, now: 1) == SIGTERM)
        change.begins(other)
        #expect(change.signal(wanted: other, isRunning: false, now: 2) == nil)
        #expect(change.signal(wanted: usual, isRunning: true, now: 3) == SIGTERM)
    }
}
