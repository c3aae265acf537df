internal import CPosix
internal import Glibc
internal import Synchronization

/// The thread of a loop: it waits for port, detections, timer and wake-up in one `poll`, and calls the core's turns.
struct LoopThread {
    private let loop: DockLoop
    private let core: LoopCore
    private let wake: Int32
    private let timer: Int32

    /// Creates the loop's core, on the new thread.
    init(_ start: LoopStart) {
        let loop = start.loop, events = EventRelay(start)
        self.loop = loop
        wake = start.wake
        timer = start.timer
        core = LoopCore(
            link: start.link, options: start.options, driver: start.driver, input: start.makeInput(),
            outlet: LoopOutlet(
                takeCommands: { loop.commands.take() },
                onSnapshot: { [listener = start.onSnapshot] in loop.publish($0, to: listener) },
                onEvent: { events.tell($0) },
                onTrace: { [listener = start.onTrace] in listener?($0) },
                requestRealtimePriority: { cposix_thread_realtime(50) == 0 }, takeZoom: { loop.takeZoom() }),
            guardian: start.guardian, ports: start.ports, reopen: start.reopen, clock: { cposix_monotonic_now() })
    }

    /// Runs until the loop is asked to end. The stop has been written when this returns.
    func run() {
        cposix_thread_name("dock-loop")
        defer { close(timer) }
        var now = cposix_monotonic_now()
        core.begin(now: now, asleep: cposix_boottime_now() - now)
        // The time to which the timer is set. Most reports of a dock at rest do not change it.
        var armed: Double?
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 6) { descriptors in
            descriptors[0] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            descriptors[1] = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
            descriptors[2] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            descriptors[3] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            descriptors[4] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            descriptors[5] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            while !loop.stopping.load(ordering: .acquiring) {
                let deadline = core.wait(from: now)
                if deadline != armed {
                    cposix_timer_arm(timer, deadline == .infinity ? 0 : deadline)
                    armed = deadline
                }
                (descriptors[0].fd, descriptors[3].fd, descriptors[4].fd, descriptors[5].fd) = core.descriptors
                if poll(descriptors.baseAddress, 6, -1) < 0, errno != EINTR { break }
                now = cposix_monotonic_now()
                var found = LoopCore.Wake()
                found.asleep = cposix_boottime_now() - now
                if descriptors[1].revents != 0 {
                    _ = cposix_counter_take(timer)
                    armed = nil
                    found.isDue = true
                }
                if descriptors[2].revents != 0 {
                    _ = cposix_counter_take(wake)
                    found.wasRung = true
                }
                found.portIsReadable = descriptors[0].revents != 0
                found.portHungUp = descriptors[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
                found.inputIsReadable = descriptors[3].revents != 0
                found.guardHasNews = descriptors[4].revents != 0
                found.portsHaveNews = descriptors[5].revents != 0
                core.turn(found, now: now)
                loop.turns.wrappingAdd(1, ordering: .relaxed)
                if found.wasRung, loop.traceWanted.exchange(false, ordering: .acquiring) {
                    core.keepTrace(cause: "asked", now: now)
                }
            }
        }
        loop.finish(core.end())
    }
}

/// Passes events to the one listener, or to the stream, and counts what the stream drops.
private final class EventRelay {
    private let loop: DockLoop
    private let listener: (@Sendable (LoopEvent) -> Void)?
    private var lost = 0

    init(_ start: LoopStart) {
        loop = start.loop
        listener = start.onEvent
    }

    func tell(_ event: LoopEvent) {
        if let listener { return listener(event) }
        if lost > 0 {
            if case .dropped = loop.eventOutput.yield(.lost(lost)) {} else { lost = 0 }
        }
        if case .dropped = loop.eventOutput.yield(event) { lost += 1 }
    }
}
