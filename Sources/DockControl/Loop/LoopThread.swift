internal import CPosix
internal import Geometry
internal import Glibc
internal import Synchronization

/// What runs on the loop thread: everything here is touched by that thread only.
///
/// One turn: wait; read the port; read the detections; take commands; let the driver keep its conversation; decide and
/// write; publish last, never between a line and its set-point.
final class LoopThread {
    let loop: DockLoop
    let options: LoopOptions
    var link: (any ByteLink)?
    var driver: any DockDriver
    var input: (any SteeringInput)?
    var machine: DockMachine
    var director: MotionDirector
    var poses = PoseHistory()
    var pacer: CommandPacer
    var supply = BatteryPolicy()
    var counters = LoopCounters()
    var latency = LatencyHistogram()
    var reports: [DockReport] = []
    var bytes: [UInt8] = []
    var pendingEvents: [LoopEvent] = []
    var lostEvents = 0
    var deviceFault: DockFault?
    var clearing: (reply: (@Sendable (MotionAnswer) -> Void)?, until: Seconds)?
    var emergencyRepeat: (at: Seconds, left: Int)?
    /// The last set-point written turned something; then silence is not enough, and a zero is written.
    var isMoving = false
    var zerosLeft = 0
    var wantsStep = false
    var publishAt: Seconds?
    var serviceAt: Seconds = 0
    var stoppedLast = false
    var lastCommand = PanTilt.zero
    /// Arrival of the last frame that no set-point has followed yet.
    var unanswered: Seconds?
    /// A dock was ready since the start.
    var wasReady = false
    /// The last write was cut off.
    var needsResync = false
    /// The bytes hold a set-point.
    var hasSetpoint = false
    /// Bytes in the kernel's output queue after the last write.
    var queuedBytes = 0
    /// The input has more than one turn may take.
    var isBehind = false
    /// This turn read the port.
    var hasReport = false
    var publishedAt: Seconds = 0
    let abilities: DriverAbilities
    private var openedOnce = false
    private let wake: Int32
    private let timer: Int32
    private let reopen: @Sendable () throws(DockError) -> any ByteLink
    private let onSnapshot: (@Sendable (LoopSnapshot) -> Void)?
    let onEvent: (@Sendable (LoopEvent) -> Void)?
    private let makeInput: @Sendable () -> (any SteeringInput)?
    private let portBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// A wake-up later than this says that the machine or the process slept, seconds.
    static let longestGap: Seconds = 0.25
    /// A dock that reports and has not for this long is not believed to be where it was, seconds.
    static let poseLifetime: Seconds = 0.3
    /// ... and for this long is greeted anew, seconds.
    static let silence: Seconds = 1
    /// A real rig whose profile was never verified turns no faster, rad/s.
    static let uncheckedSpeed = Double.degrees(20)
    /// So many events wait for the next publishing; more than a line can bring in that time.
    static let mostEvents = 256
    /// Published states lag by at most this, seconds.
    static let publishDelay: Seconds = 0.05

    init(_ start: LoopStart) {
        loop = start.loop
        wake = start.wake
        link = start.link
        options = start.options
        driver = start.driver
        abilities = start.driver.abilities
        reopen = start.reopen
        makeInput = start.makeInput
        onSnapshot = start.onSnapshot
        onEvent = start.onEvent
        let arming = options.profile.safety.arming ?? ((start.link?.isHardware ?? true) ? .careful : .now)
        machine = DockMachine(arming: arming)
        director = MotionDirector(profile: options.profile, mode: options.mode)
        director.pursuit.policy = options.policy
        pacer = CommandPacer(rate: options.profile.refreshRate)
        timer = cposix_timer_create()
        reports.reserveCapacity(64)
        bytes.reserveCapacity(512)
        pendingEvents.reserveCapacity(64)
    }

    func run() {
        cposix_thread_name("dock-loop")
        defer {
            portBuffer.deallocate()
            close(timer)
        }
        input = makeInput()
        var now = cposix_monotonic_now()
        let asleep = cposix_boottime_now() - now
        if link != nil { opened(now: now) } else { machine.portMissing(now: now) }
        var slept = asleep
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 4) { descriptors in
            descriptors[0] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            descriptors[1] = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
            descriptors[2] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            descriptors[3] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            while !loop.stopping.load(ordering: .acquiring) {
                // What is due already is due now; lateness counts from here.
                let deadline = max(now, nextDeadline(now: now))
                cposix_timer_arm(timer, deadline == .infinity ? 0 : deadline)
                descriptors[0].fd = link?.descriptor ?? -1
                descriptors[3].fd = input?.descriptor ?? -1
                if poll(descriptors.baseAddress, 4, -1) < 0, errno != EINTR { break }
                now = cposix_monotonic_now()
                if descriptors[1].revents != 0 { _ = cposix_counter_take(timer) }
                if descriptors[2].revents != 0 { _ = cposix_counter_take(wake) }
                // A machine that slept, or a process that was held: what was known is old. Where it slept, the timer is due.
                if descriptors[1].revents != 0 {
                    let sleptNow = cposix_boottime_now() - now
                    if sleptNow - slept > 0.2 || now - deadline > Self.longestGap { timeJumped(now: now) }
                    slept = sleptNow
                    if now - deadline > 0.02 { counters.lateWakes += 1 }
                }
                hasReport = false
                if descriptors[0].revents != 0 { readPort(descriptors[0].revents, now: now) }
                var frames = 0
                if descriptors[3].revents != 0 || isBehind { frames = readInput(now: now) }
                if descriptors[2].revents != 0 { takeCommands(now: now) }
                turn(now: now, frames: frames)
            }
        }
        end()
    }

    /// The way out, whatever the reason was: the stop, last and synchronous.
    private func end() {
        let wasGone = link == nil
        if let link {
            bytes.removeAll(keepingCapacity: true)
            if options.profile.safety.onExit == .relax, !options.dryRun { driver.encodeTorque(false, into: &bytes) }
            driver.encodeStop(into: &bytes)
            stoppedLast = link.writeLast(bytes, within: 0.2)
            link.close()
        }
        clearing?.reply?(.failure(DockError(.notConnected, "dockface is ending", hint: "start it again")))
        clearing = nil
        var end = LoopEnd()
        end.stoppedLast = stoppedLast
        end.dockWasGone = wasGone
        end.latency = latency
        counters.faults = machine.faults
        counters.losses = machine.losses
        end.counters = counters
        publish(now: cposix_monotonic_now())
        input?.publish(now: cposix_monotonic_now())
        input = nil
        flushEvents()
        loop.finish(end)
    }

    func publish(now: Seconds) { loop.publish(snapshot(now: now), to: onSnapshot) }

    private func nextDeadline(now: Seconds) -> Seconds {
        if isBehind { return now }
        var next = publishAt ?? .infinity
        if let retry = machine.retryAt { return min(next, retry) }
        next = min(next, serviceAt)
        // What is wanted of a dock that cannot move waits for its report, not for the clock.
        if wantsStep || isMoving || (director.isActive && machine.state == .ready) {
            // What waits for its sixtieth goes then; the rest at the refresh.
            let earliest = (pacer.lastSent ?? 0) + CommandPacer.closest
            next = min(next, wantsStep ? earliest : max(pacer.nextRefresh(now: now), earliest))
        }
        if machine.state == .ready, let stale = director.deadline { next = min(next, max(stale + 0.001, now + 0.001)) }
        if let clearing { next = min(next, clearing.until) }
        if let emergencyRepeat { next = min(next, emergencyRepeat.at) }
        return next
    }

    // MARK: the port

    func opened(now: Seconds) {
        if openedOnce { note("dock port \(link?.name ?? "") opened again") }
        openedOnce = true
        if link?.isHardware == true, !options.profile.verified { director.capSpeed(Self.uncheckedSpeed) }
        if link?.isHardware == true, cposix_thread_realtime(50) != 0 {
            note("no real-time priority (allow it with LimitRTPRIO=50): motion may be less smooth on a busy machine")
        }
        perform(machine.portOpened(now: now), now: now)
    }

    func lost(now: Seconds, reason: DetachReason = .unplugged) {
        perform(machine.portLost(now: now, reason: reason), now: now)
    }

    func tryToReopen(now: Seconds) {
        guard let retry = machine.retryAt, now >= retry else { return }
        do {
            link = try reopen()
            opened(now: now)
        } catch {
            machine.portMissing(now: now)
        }
    }

    private func readPort(_ events: Int16, now: Seconds) {
        guard let link else { return }
        let result = link.read(into: portBuffer)
        switch result {
        case .bytes(let count):
            driver.receive(UnsafeRawBufferPointer(rebasing: portBuffer[..<count]), now: now, into: &reports)
            takeReports(now: now)
        case .nothing:
            // Hung up with nothing left to read.
            if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { lost(now: now) }
        case .hangUp:
            lost(now: now)
        }
    }

    private func readInput(now: Seconds) -> Int {
        guard let input else { return 0 }
        let result = input.read(now: now, poses: poses, mode: director.mode, pursuit: &director.pursuit)
        counters.frames += result.frames
        counters.droppedFrames = result.dropped
        isBehind = result.hasMore
        if result.frames > 0 { framesArrived(now: now) }
        if result.hasEnded {
            emit(.inputEnded)
        }
        markDirty(now: now)
        return result.frames
    }

    func framesArrived(now: Seconds) {
        pacer.frameArrived(now: now)
        wantsStep = true
        unanswered = unanswered ?? now
    }

    private func timeJumped(now: Seconds) {
        note("the clock jumped (suspended or held up): stopped, greeting the dock again")
        perform(machine.timeJumped(now: now), now: now)
    }
}
