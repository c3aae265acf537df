import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

@testable import DockControl

/// The parts of the loop that touch the port, the dock and the guard, each alone.
@Suite struct LoopPartTests {
    private typealias Story = GuardedLoopTests.Story
    private typealias Link = GuardedLoopTests.Link
    private typealias Guard = GuardedLoopTests.Note

    /// The messages in these bytes.
    private func messages(_ bytes: [UInt8]) -> [HostMessage] {
        var decoder = FrameDecoder()
        return bytes.compactMap { byte in (try? decoder.push(byte)).flatMap { $0 }.flatMap { try? HostMessage($0) } }
    }

    @Test func `a port session reads, closes, and opens again, and names the previous port`() throws {
        let story = Story(), recorder = FlightRecorder(), next = Link(story)
        var isThere = false
        let port = PortSession(link: Link(story), news: nil, recorder: recorder) { () throws(DockError) in
            guard isThere else { throw DockError(.notConnected, "no port", hint: "plug it in") }
            return next
        }
        let first = port.noteOpened()
        #expect(first.name == "virtual" && first.previous == nil)
        if case .nothing? = port.read() {} else { Issue.record("a dock that was not greeted has sent something") }
        port.close()
        #expect(port.link == nil && story.acts == [.close])
        if port.read() != nil { Issue.record("a closed port was read") }
        #expect(throws: DockError.self) { try port.reopen() }
        #expect(port.link == nil)
        isThere = true
        try port.reopen()
        #expect(port.noteOpened().previous == "virtual")
        var hello: [UInt8] = []
        var driver = DlpDriver(profile: .dlpDock)
        driver.begin(now: 100, motionless: true)
        _ = driver.service(now: 100, into: &hello)
        #expect(port.link?.write(hello) == true)
        next.now += 0.1
        guard case .bytes(let answer)? = port.read() else { throw DockError(.timeout, "no answer", hint: "") }
        #expect(!answer.isEmpty, "the dock answers a greeting")
    }

    @Test func `a conversation keeps its messages in order until they are discarded, and a separate stop apart`() {
        var dock = DockConversation(driver: DlpDriver(profile: .dlpDock))
        dock.emergencyStop()
        dock.stop()
        let kept = dock.bytes
        let stop = dock.separateStop()
        #expect(dock.bytes == kept, "a separate stop is not among the turn's bytes")
        #expect(messages(stop).count == 1)
        if case .setpoint(let setpoint)? = messages(stop).first {
            #expect(setpoint.mode == .idle)
        } else {
            Issue.record("not a stop")
        }
        #expect(messages(dock.bytes).count > messages(stop).count)
        dock.discard()
        #expect(dock.bytes.isEmpty)
        dock.releaseAtGreeting()
        #expect(dock.bytes.isEmpty, "a dock that is not known gets no torque command")
    }

    @Test func `the guard learns of motion at once, of rest at once, and of a new port`() {
        let story = Story(), recorder = FlightRecorder()
        var guardLink = GuardLink(RecordedGuard(Guard(story), into: recorder))
        #expect(guardLink.exists && !guardLink.expectsHeartbeats)
        guardLink.beat(moving: false, now: 10)
        #expect(story.acts.isEmpty, "at rest it expects nothing")
        guardLink.beat(moving: true, now: 10)
        guardLink.beat(moving: true, now: 10 + GuardPulse.interval / 2)
        guardLink.beat(moving: true, now: 10 + GuardPulse.interval)
        #expect(story.acts == [.beat(true), .beat(true)] && guardLink.expectsHeartbeats)
        guardLink.beat(moving: false, now: 10.06)
        #expect(story.acts.last == .beat(false) && !guardLink.expectsHeartbeats)
        guardLink.beat(moving: true, now: 10.1)
        guardLink.watch(Link(story), stop: [1])
        #expect(story.acts.last == .watch && !guardLink.expectsHeartbeats, "a new port begins at rest")
        guardLink.release()
        #expect(story.acts.last == .release)
    }

    @Test func `a guard that cannot start is reported once, and a new one gets the port once`() {
        let story = Story(), guardian = Guard(story)
        var guardLink = GuardLink(RecordedGuard(guardian, into: FlightRecorder()))
        guardLink.beginTurn()
        (guardian.isAlive, guardian.canRenew) = (false, false)
        guardLink.beginTurn()
        #expect(!guardLink.isAlive && guardLink.descriptor == -1)
        let missed = [guardLink.renew(), guardLink.renew()]
        #expect(missed.map(\.isMissed) == [true, false] && missed.allSatisfy { !$0.isStarting })
        guardian.canRenew = true
        let attempt = guardLink.renew()
        #expect(attempt.isStarting && !attempt.isMissed && guardLink.isAlive)
        let renewed = [guardLink.hasRenewed(), guardLink.hasRenewed()]
        #expect(renewed == [true, false])
    }

    @Test func `without a guard there are no heartbeats, and nothing is renewed`() {
        var guardLink = GuardLink(nil)
        guardLink.beat(moving: true, now: 1)
        #expect(!guardLink.exists && !guardLink.isAlive && !guardLink.expectsHeartbeats && guardLink.descriptor == -1)
        #expect(!guardLink.renew().isStarting)
    }

    @Test func `a trace is passed on once, a little after its first cause`() {
        var trace = TraceCue()
        #expect(trace.dueAt == .infinity)
        trace.request(cause: "stall", now: 10)
        trace.request(cause: "guard", now: 10.2)
        #expect(trace.dueAt == 10 + TraceCue.delay)
        let early = trace.takeDue(now: 10.4), due = trace.takeDue(now: 10.5), again = trace.takeDue(now: 11)
        #expect(early == nil && due?.cause == "stall" && again == nil)
    }

    @Test func `a state counts as changed when it differs from the recorded one`() {
        var trace = TraceCue()
        let news = [DockState.ready, .ready, .faulted(.stall), .ready].map { trace.record($0, mode: .manual) }
        #expect(news == [true, false, true, true] && trace.recordedState == .ready)
    }
}
