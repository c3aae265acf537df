import Geometry
import Testing

@testable import DockControl

/// The parts of the loop, each alone.
@Suite struct LoopValueTests {
    @Test func `the outbox publishes a change soon, an event at once, and either in a quiet moment`() {
        var outbox = EventOutbox()
        let atFirst = outbox.isDue(now: 10, isQuiet: true)
        #expect(outbox.dueAt == nil && !atFirst, "nothing has changed")
        outbox.mark(now: 10)
        outbox.mark(now: 10.04)
        #expect(outbox.dueAt == 10 + EventOutbox.delay, "the first change counts")
        let busy = outbox.isDue(now: 10.04, isQuiet: false), quiet = outbox.isDue(now: 10.04, isQuiet: true)
        #expect(!busy && quiet)
        #expect(outbox.dueAt == nil && outbox.publishedAt == 10.04)
        outbox.add(.inputEnded, now: 11)
        let atOnce = outbox.isDue(now: 11, isQuiet: false)
        #expect(atOnce)
    }

    @Test func `a full outbox drops the newest events and reports how many`() {
        var outbox = EventOutbox(), notes = 0, lost = 0
        for _ in 0..<EventOutbox.capacity + 7 { outbox.add(.note("again"), now: 1) }
        for _ in 0..<2 {
            outbox.drain { event in
                if case .note = event { notes += 1 }
                if case .lost(let count) = event { lost += count }
            }
        }
        #expect(notes == EventOutbox.capacity && lost == 7, "each is handed out once")
    }

    @Test func `what programs cause keeps out no fault of the dock`() {
        var outbox = EventOutbox(), kept: [LoopEvent] = [], lost = 0
        let ending = LeaseEnding(program: ProgramID(7), motion: nil, endedTracking: false)
        for _ in 0..<EventOutbox.capacity { outbox.add(.leaseEnded(ending), now: 1) }
        let fault = LoopEvent.dock(.faulted(.emergencyStop), nil)
        for event in [fault, .letGo, .leaseEnded(ending), .note("late")] { outbox.add(event, now: 1) }
        outbox.drain { event in
            if case .lost(let count) = event { lost += count } else { kept.append(event) }
        }
        #expect(kept.count == EventOutbox.capacity && kept.suffix(2) == [fault, .letGo] && lost == 4)
    }

    @Test func `a guard is started once a second, and its absence is reported once`() {
        var renewal = GuardRenewal()
        let due = [5, 5 + GuardRenewal.pause - 0.01, 5 + GuardRenewal.pause].map { renewal.isDue(now: $0) }
        #expect(due == [true, false, true])
        let stood = renewal.guardStarted()
        #expect(!stood, "a guard that was ready all the time is no news")
        let missed = [true, true, false, true].map { renewal.attempted(isStarting: $0) }
        #expect(missed == [false, true, false, false], "the one that was started had not reported for a second")
        let new = [renewal.guardStarted(), renewal.guardStarted()]
        #expect(new == [true, false])
        let again = renewal.attempted(isStarting: false)
        #expect(again, "the next loss is reported again")
    }

    @Test func `a late wake-up and a suspended machine are jumps, and the next turn is none`() {
        var wakes = WakeClock()
        wakes.begin(asleep: 3)
        let deadlines = [wakes.wait(until: 20, from: 10), wakes.wait(until: 9, from: 10)]
        #expect(deadlines == [20, 10])
        let late = [WakeClock.longestGap, WakeClock.longestGap + 0.01].map { wakes.hasJumped(now: 10 + $0, asleep: 3) }
        #expect(late == [false, true])
        #expect(!wakes.isNews(3.000_5) && wakes.isNews(4))
        let slept = [wakes.hasJumped(now: 10, asleep: 4), wakes.hasJumped(now: 10, asleep: 4)]
        #expect(slept == [true, false] && !wakes.isNews(4), "known from then on")
        let early = wakes.hasJumped(now: 2, asleep: 4)
        #expect(!early, "woken before the deadline")
    }

    @Test func `the latency of a frame counts to the first set-point after it, and not at rest`() {
        var metrics = TurnMetrics(meter: LatencyMeter(profile: .dlpDock, isMeasured: true), clock: { 0 })
        metrics.frameArrived(now: 10)
        metrics.frameArrived(now: 10.02)
        metrics.wrote(.degrees(pan: 5, tilt: 0), at: 10.03)
        metrics.wrote(.degrees(pan: 5, tilt: 0), at: 10.05)
        #expect(metrics.latency.count == 1 && metrics.latency.percentile(1).map { abs($0 - 0.03) < 0.003 } == true)
        metrics.frameArrived(now: 11)
        metrics.rested()
        metrics.wrote(.zero, at: 12)
        #expect(metrics.latency.count == 1)
        metrics.woke(late: TurnMetrics.lateWake * 2)
        metrics.woke(late: TurnMetrics.lateWake / 2)
        #expect(metrics.counters.lateWakes == 1)
    }
}

/// What latches the dock, and whether it has let go.
@Suite struct LatchLedgerTests {
    @Test func `an emergency stop is repeated until the dock confirms it, quickly at first and then once a second`() {
        var latch = LatchLedger(), times: [Seconds] = []
        latch.repeatEmergencyStop(from: 0)
        for step in 0..<500 where latch.isRepeatDue(now: Double(step) * 0.01, isKnown: true, keepsLatch: true) {
            times.append(Double(step) * 0.01)
        }
        let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(pauses.prefix(LatchLedger.quickRepeats).allSatisfy { $0 < 2 * LatchLedger.quickInterval }, "\(times)")
        #expect(pauses.dropFirst(LatchLedger.quickRepeats).allSatisfy { $0 >= LatchLedger.interval }, "\(times)")
        #expect(pauses.count > LatchLedger.quickRepeats)
        #expect(latch.isUnconfirmed)
        latch.deviceFault = .emergencyStop
        let confirmed = latch.isRepeatDue(now: 100, isKnown: true, keepsLatch: true)
        #expect(!confirmed && !latch.isUnconfirmed)
    }

    @Test func `an emergency stop that was cut off is written again at once, and is not counted`() {
        var latch = LatchLedger(), written = 0
        latch.repeatEmergencyStop(from: LatchLedger.quickInterval)
        latch.wasCut(now: 0)
        #expect(latch.nextRepeat == CommandPacer.closest)
        for step in 1...100 where latch.isRepeatDue(now: Double(step) * 0.02, isKnown: true, keepsLatch: true) {
            written += 1
            latch.wasCut(now: Double(step) * 0.02)
        }
        #expect(written == 100, "a line that takes nothing is tried again and again")
        let again = latch.isRepeatDue(now: 2.02, isKnown: true, keepsLatch: true)
        #expect(again && latch.nextRepeat < 2.02 + 2 * LatchLedger.quickInterval)
        var confirmed = LatchLedger()
        confirmed.wasCut(now: 0)
        #expect(!confirmed.isUnconfirmed, "nothing is repeated that was not due")
    }

    @Test func `a dock without a latch gets four emergency stops, an unknown one none`() {
        for (isKnown, count) in [(true, LatchLedger.blind), (false, 0)] {
            var latch = LatchLedger(), written = 0
            latch.repeatEmergencyStop(from: 0)
            for step in 0..<300 where latch.isRepeatDue(now: Double(step) * 0.01, isKnown: isKnown, keepsLatch: false) {
                written += 1
            }
            #expect(written == count && !latch.isUnconfirmed)
        }
    }

    @Test func `an emergency stop covers a fault until the latch is released`() {
        var latch = LatchLedger()
        latch.absorb(.stall)
        latch.absorb(.emergencyStop)
        let covered = latch.released(), again = latch.released()
        #expect(covered == .stall && again == nil)
    }

    @Test func `a clear is answered once`() {
        var latch = LatchLedger()
        let before = latch.endClear()
        latch.beginClear(now: 3, reply: nil)
        #expect(latch.clear?.sent == 3 && latch.clear?.until == 3 + LatchLedger.clearPatience)
        let first = latch.endClear(), second = latch.endClear()
        #expect(before == nil && first != nil && second == nil)
    }

    @Test func `torque off is owed until the dock reports it, and the request gets one answer`() {
        var release = TorqueRelease()
        release.switched(on: false, isSent: true)
        release.wait(now: 5, answer: .success(.init("torque off")), reply: nil)
        #expect(release.isPending && release.deadline == 5 + TorqueRelease.patience)
        let late = release.end()
        #expect(late != nil && release.isPending && release.deadline == .infinity, "too late, and still owed")
        let confirmed = release.confirmed()
        #expect(confirmed == nil && !release.isPending)
        release.letGo(isSent: true)
        #expect(release.hasLetGo && release.isPending)
        release.switched(on: true, isSent: true)
        #expect(!release.hasLetGo && !release.isPending)
    }
}
