internal import CPosix
internal import Geometry
internal import Glibc

/// The work of a port's thread, without generics, because C passes it on.
class PortRunner {
    func run() {}
}

/// The state of a port's thread.
final class PortContext<Device: SimulatedDevice>: PortRunner {
    let port: SimulatedPort<Device>
    var terminal: DockTerminal
    let timer: Int32
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    /// When the next turn is due, CLOCK_MONOTONIC.
    private var due = Seconds.infinity

    /// Takes ownership of the timer.
    init(port: SimulatedPort<Device>, terminal: DockTerminal, timer: Int32) {
        self.port = port
        self.timer = timer
        self.terminal = terminal
    }

    deinit {
        Glibc.close(timer)
        buffer.deallocate()
    }

    override func run() {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 3) { sources in
            arm(cposix_monotonic_now())  // the dock's output at boot
            while turn(sources) {}
        }
        port.link?.remove(ifPointingTo: terminal.path)
        terminal.close()
        port.withState { $0.isPlugged = false }
    }
}

/// The body of the thread: sleeps until the host writes or the dock has output.
func dockPortMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw else { return nil }
    let context = Unmanaged<PortRunner>.fromOpaque(raw).takeRetainedValue()
    cposix_thread_name("dock-sim")
    // A real rig is another computer, which the load on this one does not delay. Without the right to a real-time
    // priority it may be late. The priority is lower than that of a loop on a real port and of its guard.
    _ = cposix_thread_realtime(49)
    context.run()
    return nil
}

extension PortContext {
    private func arm(_ time: Seconds) {
        due = time
        cposix_timer_arm(timer, time)
    }

    /// One round. Returns false at the end.
    fileprivate func turn(_ sources: UnsafeMutableBufferPointer<pollfd>) -> Bool {
        let events = Int16(POLLIN)
        sources[0] = pollfd(fd: port.wake, events: events, revents: 0)
        sources[1] = pollfd(fd: timer, events: events, revents: 0)
        sources[2] = pollfd(fd: terminal.isBroken ? -1 : terminal.master, events: events, revents: 0)
        _ = poll(sources.baseAddress, 3, -1)
        if sources[0].revents != 0 { _ = cposix_counter_take(port.wake) }
        if sources[1].revents != 0 { _ = cposix_counter_take(timer) }

        let now = cposix_monotonic_now()
        if sources[2].revents != 0 {
            let speed = terminal.lineSpeed
            port.withState { $0.dock.lineSpeed = speed }
            terminal.read(into: buffer) { bytes in
                port.withState { state in
                    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(state.bytesLeft ?? bytes.count))
                    state.log.append(bytes)
                    state.dock.receive(bytes, at: now)
                    guard let left = state.bytesLeft else { return }
                    state.bytesLeft = left - bytes.count
                }
            }
        }
        if port.withState({ $0.bytesLeft == 0 }) { pull() }
        let late = now - due
        let (output, next, request, isClosing) = port.withState { state in
            if late > 0.01 { state.delays += late }
            state.dock.advance(to: now)
            let output = state.dock.drainOutput()
            return (output, state.dock.nextWake, state.plugRequest.take(), state.isClosing)
        }
        if terminal.master >= 0, !output.isEmpty {
            let lost = terminal.write(output, now: now)
            if lost > 0 { port.withState { $0.lostBytes += UInt64(lost) } }
        }
        if let request { obey(request) }
        arm(next)
        return !isClosing
    }

    private func obey(_ request: SimulatedPort<Device>.PlugRequest) {
        var failure: SimulatorError?
        switch request {
        case .unplug: pull()
        case .replug(let rebooted):
            do throws(SimulatorError) {
                try replug(rebooted: rebooted)
            } catch {
                failure = error
            }
        }
        port.withState { $0.plugError = failure }
        cposix_wake_ring(port.done)
    }

    private func pull() {
        port.link?.remove(ifPointingTo: terminal.path)
        terminal.close()
        port.withState { state in
            state.isPlugged = false
            state.bytesLeft = nil
        }
    }

    private func replug(rebooted: Bool) throws(SimulatorError) {
        terminal.close()
        terminal = try DockTerminal()
        do throws(SimulatorError) {
            try port.link?.point(to: terminal.path)
        } catch {
            terminal.close()
            throw error
        }
        port.withState { state in
            state.path = terminal.path
            state.isPlugged = true
            state.bytesLeft = nil
            if rebooted { state.dock.reboot() }
        }
    }
}
