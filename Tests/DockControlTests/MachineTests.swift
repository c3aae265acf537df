import DockControl
import DockSimulator
import Geometry
import Testing

@Suite struct DockMachineTests {
    private let mine = DockIdentity(model: "m", firmware: "1.0.0", uid: "a1")

    private func ready(_ arming: RigProfile.Arming = .now) -> DockMachine {
        var machine = DockMachine(arming: arming)
        _ = machine.portOpened(now: 10)
        _ = machine.handle(.identified(mine), now: 10.1)
        _ = machine.handle(.ready, now: 10.2)
        return machine
    }

    @Test func `nothing may move before the dock is ready`() {
        var machine = DockMachine(arming: .now)
        let closed = machine.speedShare(now: 1, isTurning: true)
        let actions = machine.portOpened(now: 10)
        let greeting = machine.speedShare(now: 11, isTurning: true)
        #expect(closed == 0 && actions == [.forgetPoses, .begin] && greeting == 0)
        var armed = ready()
        let armedShare = armed.speedShare(now: 11, isTurning: true)
        #expect(armedShare == 1)
    }

    @Test func `a real rig waits two seconds and then moves slowly for three`() {
        var machine = ready(.careful)
        let waiting = machine.speedShare(now: 12, isTurning: true)
        #expect(waiting == 0)
        let first = machine.speedShare(now: 12.3, isTurning: true)
        #expect(first == 0.25)
        let stillSlow = machine.speedShare(now: 15.2, isTurning: true)
        #expect(stillSlow == 0.25)
        let full = machine.speedShare(now: 15.4, isTurning: true)
        #expect(full == 1)
    }

    @Test func `unplugging stops, waits longer and longer, and starts with the handshake`() throws {
        var machine = ready()
        let lost = machine.portLost(now: 20)
        #expect(lost == [.halt, .close, .forgetPoses])
        #expect(machine.state == .detached(.unplugged))
        var waits: [Double] = [], now = 20.0
        for _ in 0..<7 {
            let retry = try #require(machine.retryAt)
            waits.append(retry - now)
            now = retry
            machine.portMissing(now: now)
        }
        #expect(waits[1] == 0.25 && waits[2] == 0.5 && waits[6] == 5)
        let opened = machine.portOpened(now: now)
        #expect(opened.contains(.begin))
        #expect(machine.state == .greeting)
    }

    @Test func `another dock at the same port gets nothing`() {
        var machine = ready()
        _ = machine.portLost(now: 20)
        _ = machine.portOpened(now: 21)
        let other = DockIdentity(model: "m", firmware: "1.0.0", uid: "b2")
        let refused = machine.handle(.identified(other), now: 21.1)
        #expect(refused == [.leave, .close, .forgetPoses])
        #expect(machine.state == .detached(.otherDevice))
        let share = machine.speedShare(now: 30, isTurning: true)
        #expect(share == 0)
    }

    @Test func `a latch survives another dock at the port, and clearing it while unplugged makes nothing ready`() {
        var machine = ready()
        machine.emergencyStop()
        _ = machine.portLost(now: 20)
        _ = machine.portOpened(now: 21)
        _ = machine.handle(.identified(DockIdentity(model: "m", firmware: "1.0.0", uid: "b2")), now: 21.1)
        #expect(machine.state == .faulted(.emergencyStop))
        let isCleared = machine.clear(deviceStillFaulted: false)
        #expect(isCleared)
        #expect(machine.state == .detached(.unplugged))
        let share = machine.speedShare(now: 30, isTurning: true)
        #expect(share == 0)
    }

    @Test func `a fault survives unplugging and restarting, until it is cleared`() {
        var machine = ready()
        let stopped = machine.handle(.fault(.stall), now: 12)
        #expect(stopped == [.halt])
        #expect(machine.faults == 1)
        _ = machine.portLost(now: 13)
        #expect(machine.state == .faulted(.stall))
        _ = machine.portOpened(now: 14)
        _ = machine.handle(.identified(mine), now: 14.1)
        _ = machine.handle(.ready, now: 14.2)
        #expect(machine.state == .faulted(.stall))
        let faulted = machine.speedShare(now: 20, isTurning: true)
        #expect(faulted == 0)
        let tooEarly = machine.clear(deviceStillFaulted: true)
        #expect(!tooEarly)
        let cleared = machine.clear(deviceStillFaulted: false)
        #expect(cleared)
        #expect(machine.state == .ready)
    }

    @Test func `an emergency stop replaces an earlier fault`() {
        var machine = ready()
        _ = machine.handle(.fault(.stall), now: 12)
        let pressed = machine.handle(.fault(.emergencyStop), now: 13)
        #expect(pressed == [.halt] && machine.state == .faulted(.emergencyStop) && machine.faults == 1)
        let later = machine.handle(.fault(.overTemperature), now: 14)
        #expect(later.isEmpty && machine.state == .faulted(.emergencyStop), "the first of the others remains")
    }

    @Test func `a port without an answer is reported as such`() {
        var machine = DockMachine(arming: .now)
        _ = machine.portOpened(now: 10)
        let early = machine.tick(now: 12), late = machine.tick(now: 13.1), again = machine.tick(now: 14)
        #expect(!early && late && !again)
        #expect(machine.state == .detached(.noAnswer))
        _ = machine.handle(.identified(mine), now: 20)
        _ = machine.handle(.ready, now: 20.1)
        #expect(machine.state == .ready)
    }

    @Test func `a dock that reboots has the time of a handshake to answer`() {
        var machine = DockMachine(arming: .now)
        _ = machine.portOpened(now: 10)
        _ = machine.handle(.identified(mine), now: 10.1)
        _ = machine.handle(.ready, now: 10.2)
        _ = machine.handle(.rebooted, now: 20)
        let early = machine.tick(now: 22.9), late = machine.tick(now: 23.1)
        #expect(!early && late)
    }

    @Test(arguments: [true, false])
    func `after a reboot or a silence a careful rig waits and is slow again`(isReboot: Bool) {
        var machine = DockMachine(arming: .careful)
        _ = machine.portOpened(now: 10)
        _ = machine.handle(.identified(mine), now: 10)
        _ = machine.handle(.ready, now: 10)
        let first = machine.speedShare(now: 13, isTurning: true)
        let full = machine.speedShare(now: 17, isTurning: true)
        #expect(first < 1 && full == 1)
        _ = isReboot ? machine.handle(.rebooted, now: 20) : machine.wentSilent(now: 20)
        _ = machine.handle(.ready, now: 21)
        let waiting = machine.speedShare(now: 22, isTurning: true)
        let slow = machine.speedShare(now: 23.5, isTurning: true)
        let again = machine.speedShare(now: 27, isTurning: true)
        #expect(waiting == 0 && slow == first && again == 1)
    }

    @Test
    func `a port that another program holds is reported as busy, tried less and less often, and greeted when free`() {
        var machine = ready()
        _ = machine.portLost(now: 12)
        var waits: [Double] = [], notices: [Bool] = []
        for _ in 0..<7 {
            let now = machine.retryAt ?? 0
            notices.append(machine.portMissing(now: now, isBusy: true))
            waits.append((machine.retryAt ?? 0) - now)
        }
        #expect(machine.state == .detached(.portBusy) && notices == [true] + Array(repeating: false, count: 6))
        #expect(waits == [0.25, 0.5, 1, 2, 4, 5, 5])
        let isGone = machine.portMissing(now: 40)
        #expect(isGone && machine.state == .detached(.unplugged))
        let actions = machine.portOpened(now: 50)
        #expect(actions == [.forgetPoses, .begin] && machine.state == .greeting)
        var first = DockMachine(arming: .now)
        let isBusy = first.portMissing(now: 1, isBusy: true), isMissing = first.portMissing(now: 2)
        #expect(isBusy && isMissing && first.state == .detached(.notFound))
        _ = first.portOpened(now: 3)
        first.emergencyStop()
        _ = first.portLost(now: 4)
        let isHidden = first.portMissing(now: 5, isBusy: true)
        #expect(!isHidden && first.state == .faulted(.emergencyStop), "a latch survives that, too")
    }

    @Test func `after a jump of the clock the handshake is repeated`() {
        var machine = ready()
        let actions = machine.timeJumped(now: 50)
        #expect(actions == [.halt, .forgetPoses, .begin])
        #expect(machine.state == .greeting)
    }
}

@Suite struct CommandPacerTests {
    @Test(arguments: [10.0, 12, 15, 24, 30, 60])
    func `never two set-points within 1/60 s, never more than sixty a second`(rate: Double) {
        var pacer = CommandPacer(rate: 50)
        var sent: [Double] = [], now = 5.0, nextFrame = 5.0, wants = false
        while now < 15 {
            now += 0.0005
            var frame = false
            if now >= nextFrame {
                nextFrame += 1 / rate
                pacer.frameArrived(now: now)
                frame = true
                wants = true
            }
            if pacer.maySend(now: now), frame || wants || now >= pacer.nextRefresh(now: now) {
                pacer.sent(now: now)
                sent.append(now)
                wants = false
            }
        }
        let gaps = zip(sent, sent.dropFirst()).map { $1 - $0 }
        #expect((gaps.min() ?? 0) >= 1.0 / 60 - 0.001)
        #expect(sent.count <= 601)
        // Three in every 250 ms, or the deadman would trip.
        #expect((gaps.max() ?? 1) < 0.08)
    }

    /// What a device gets whose line needs 2.5 ms for a set-point, and how long the frames wait, s.
    private func unpunctual(rate: Double, error: Double, setpointTime: Double?) -> (sent: [Double], waits: [Double]) {
        var pacer = CommandPacer(rate: 50, setpointTime: setpointTime)
        var random = SeededRandom(seed: 5), sent: [Double] = [], waits: [Double] = []
        var now = 5.0, beat = 0, nextFrame = 5.0, arrived: Double?
        while now < 35 {
            now += 0.0001
            if now >= nextFrame {
                beat += 1
                nextFrame = 5 + Double(beat) / rate + (2 * random.uniform() - 1) * error
                pacer.frameArrived(now: now)
                arrived = arrived ?? now
            }
            guard pacer.maySend(now: now), arrived != nil || now >= pacer.nextRefresh(now: now) else { continue }
            if let arrived { waits.append(now - arrived) }
            arrived = nil
            pacer.sent(now: now)
            sent.append(now)
        }
        return (sent, waits.sorted())
    }

    @Test(arguments: [15.0, 25, 30, 60], [0, 0.001, 0.002, 0.004])
    func `an unpunctual frame waits for the line only, and the rate stays at sixty a second`(
        rate: Double, error: Double
    ) {
        let (sent, waits) = unpunctual(rate: rate, error: error, setpointTime: 0.002_5)
        let gaps = zip(sent, sent.dropFirst()).map { $1 - $0 }
        let overTwo = zip(sent, sent.dropFirst(2)).map { $1 - $0 }
        #expect((gaps.min() ?? 0) > 0.002_2)
        #expect((overTwo.min() ?? 0) > 1.0 / 60 - 0.001)
        #expect(Double(sent.count) <= 60 * 30 + 1)
        if rate < 60 { #expect(waits[waits.count * 99 / 100] < 0.002_6, "\(waits[waits.count * 99 / 100])") }
    }

    @Test func `the repeat of a stop keeps a whole interval, also with news and on a slow line`() {
        var pacer = CommandPacer(rate: 50, setpointTime: 0.002_5)
        pacer.sent(now: 1)
        #expect(abs(pacer.earliest - 1.002_5) < 1e-9)
        pacer.sent(now: 1.002_5, isStop: true)
        #expect(pacer.earliest > 1.002_5 + CommandPacer.closest - 1e-9)
        let slow = CommandPacer(rate: 50, setpointTime: 0.03)
        #expect(slow.interval == 0.03 && slow.soonest == 0.03 && slow.refresh == 0.03)
    }

    @Test func `a device with its own period keeps it, however unpunctual the frames`() {
        let (sent, waits) = unpunctual(rate: 25, error: 0.004, setpointTime: nil)
        #expect((zip(sent, sent.dropFirst()).map { $1 - $0 }.min() ?? 0) > 1.0 / 60 - 0.001)
        #expect((waits.last ?? 0) > 0.003, "a frame waits for the period here")
    }

    @Test func `at 30 frames a second only the frames trigger set-points, and at once`() {
        var pacer = CommandPacer(rate: 50)
        var delays: [Double] = []
        for frame in 0..<60 {
            let now = 1 + Double(frame) / 30
            pacer.frameArrived(now: now)
            #expect(pacer.maySend(now: now))
            pacer.sent(now: now)
            if frame > 2 { delays.append(pacer.nextRefresh(now: now) - now) }
        }
        #expect((delays.min() ?? 0) > 1.0 / 30)
    }
}

@Suite struct LatencyHistogramTests {
    @Test func `percentiles are right to a bin`() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == nil)
        for value in 1...1000 { histogram.add(Double(value) * 1e-5) }
        #expect(abs((histogram.percentile(0.5) ?? 0) / 0.005 - 1) < 0.06)
        #expect(abs((histogram.percentile(0.99) ?? 0) / 0.0099 - 1) < 0.06)
        histogram.add(99)
        #expect((histogram.percentile(1) ?? 0) > 0.9)
    }
}
