import CPosix
import DockControl
import DockSimulator
import DockTypes
import Geometry
import Glibc
import Synchronization
import TestSupport
import Testing

/// The real loop and the real guard on a dock that never stops by itself.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HungLoopTests {
    @Test func `a loop that hangs while the dock turns is stopped by its guard, learns of it, and continues`()
        async throws
    {
        var configuration = SimulatedDock.Configuration()
        configuration.hasDeadman = false
        let dock = try SimulatedDockPort(configuration: configuration)
        let loop = try DockLoop(), guardian = try DockGuard()
        // If the bell is armed, the listener hangs until it rings.
        let bell = cposix_wake_create(), isArmed = Atomic<Bool>(false), hangs = Atomic<Bool>(false)
        let path = dock.path
        let notes = Mutex<[String]>([])
        try loop.start(
            link: try LinkOpener.open(path, serial: .init()), options: LoopOptions(profile: .dlpDock, mode: .manual),
            driver: DlpDriver(profile: .dlpDock), guardian: guardian,
            reopen: { () throws(DockError) in try LinkOpener.open(path, serial: .init()) }, makeInput: { nil },
            onSnapshot: { _ in
                guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
                hangs.store(true, ordering: .releasing)
                var wait = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
                _ = poll(&wait, 1, 5000)
            }, onEvent: { if case .note(let text) = $0 { notes.withLock { $0.append(text) } } })
        #expect(eventually { loop.latest.dock == .ready && loop.latest.pose != nil })
        _ = try loop.performAtOnce(.velocity(.degrees(pan: 40, tilt: 0), duration: 30))
        #expect(eventually { dock.rate.magnitude > .degrees(35) })
        isArmed.store(true, ordering: .releasing)
        #expect(eventually { hangs.load(ordering: .acquiring) })
        let hung = monotonicNow()
        #expect(eventually { dock.rate.magnitude < .degrees(1) })
        let took = monotonicNow() - hung
        #expect(took > 0.2 && took < 0.25 + 0.1 + 0.25, "\(took)")
        cposix_wake_ring(bell)
        #expect(eventually { loop.latest.counters.guardStops == 1 && loop.latest.dock == .ready })
        #expect(notes.withLock { $0 }.contains { $0.hasPrefix("the guard stopped the dock: the loop was silent for") })
        let awake = monotonicNow()
        #expect(eventually { monotonicNow() > awake + 0.2 })
        #expect(dock.rate.magnitude < .degrees(0.1), "no earlier motion continues")
        _ = try loop.performAtOnce(.velocity(.degrees(pan: -40, tilt: 0), duration: 30))
        #expect(eventually { dock.rate.magnitude > .degrees(35) })
        loop.requestStop()
        loop.join()
        #expect(loop.end.stoppedLast && loop.end.counters.guardStops == 1)
        guardian.close()
        #expect(eventually { dock.lastFrameWasStop })
        dock.close()
        close(bell)
    }
}
