internal import CPosix
public import Geometry
internal import Glibc
internal import Synchronization

/// A simulated device on a pseudo-terminal, in real time (CLOCK_MONOTONIC), on a separate thread.
///
/// Any program can open ``path`` like the serial port of a real dock. All functions may be called from any thread.
public final class SimulatedPort<Device: SimulatedDevice>: Sendable {
    struct State: Sendable {
        var dock: Device
        var log = HostLog()
        var path: String
        var plugRequest: PlugRequest?
        /// Number of bytes from the host that still get through before the cable is unplugged.
        var bytesLeft: Int?
        var plugError: SimulatorError?
        var isPlugged = true
        var lostBytes: UInt64 = 0
        var delays: Seconds = 0
        var isClosing = false
    }

    enum PlugRequest: Sendable {
        case unplug
        case replug(rebooted: Bool)
    }

    private let state: Mutex<State>
    private let plugging = Mutex(false)
    private let thread = Mutex<pthread_t?>(nil)
    let link: DeviceLink?
    let wake: Int32
    let done: Int32

    /// Puts a device on a new pseudo-terminal and starts it.
    ///
    /// - Parameters:
    ///   - make: makes the device, switched on at a time.
    ///   - link: path for a stable symbolic link to it. An old link of a simulator there is replaced; anything else is
    ///     an error.
    public init(link: String? = nil, make: (Seconds) -> Device) throws(SimulatorError) {
        let descriptors = [cposix_wake_create(), cposix_wake_create(), cposix_timer_create()]
        let reason = errno
        guard descriptors.allSatisfy({ $0 >= 0 }) else {
            for open in descriptors where open >= 0 { Glibc.close(open) }
            throw .noDescriptor(reason: reason)
        }
        (wake, done) = (descriptors[0], descriptors[1])
        let timer = descriptors[2]
        var terminal: DockTerminal
        do throws(SimulatorError) {
            terminal = try DockTerminal()
        } catch {
            for open in descriptors { Glibc.close(open) }
            throw error
        }
        let deviceLink = link.map(DeviceLink.init)
        self.link = deviceLink
        state = Mutex(State(dock: make(cposix_monotonic_now()), path: terminal.path))
        let context = PortContext<Device>(port: self, terminal: terminal, timer: timer)
        do throws(SimulatorError) {
            try deviceLink?.point(to: terminal.path)
            try start(context)
        } catch {
            deviceLink?.remove(ifPointingTo: terminal.path)
            terminal.close()
            throw error
        }
    }

    deinit {
        Glibc.close(wake)
        Glibc.close(done)
    }

    private func start(_ parts: PortContext<Device>) throws(SimulatorError) {
        let context = Unmanaged<PortRunner>.passRetained(parts)
        var id = pthread_t()
        let reason = pthread_create(&id, nil, dockPortMain, context.toOpaque())
        guard reason == 0 else {
            context.release()
            throw .noThread(reason: reason)
        }
        thread.withLock { $0 = id }
    }

    /// Works on the state. The two calls show the thread sanitizer the order that the lock creates.
    func withState<Result>(_ use: (inout State) -> Result) -> Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return state.withLock { state in
            cposix_tsan_acquire(address)
            defer { cposix_tsan_release(address) }
            return use(&state)
        }
    }

    /// Changes the dock at the present time, and wakes the thread.
    func change<Result>(_ use: (inout Device) -> Result) -> Result {
        defer { cposix_wake_ring(wake) }
        return withState { state in
            state.dock.advance(to: cposix_monotonic_now())
            return use(&state.dock)
        }
    }

    /// The device of the client's end, `/dev/pts/N`. It changes with ``replug(rebooted:)``.
    public var path: String { withState { $0.path } }

    /// The head's pose at a time (CLOCK_MONOTONIC, the last 4 s), rad: pan + = the dock's right, tilt + = up.
    public func pose(at time: Seconds) -> PanTilt {
        withState { state in
            state.dock.advance(to: min(time, cposix_monotonic_now()))
            return state.dock.pose(at: time)
        }
    }

    /// What a camera on the head looked at, at a time (CLOCK_MONOTONIC, the last 4 s).
    public func view(at time: Seconds) -> HeadView {
        withState { state in
            state.dock.advance(to: min(time, cposix_monotonic_now()))
            return state.dock.view(at: time)
        }
    }

    /// The head's present speed, rad/s.
    public var rate: PanTilt {
        withState { state in
            state.dock.advance(to: cposix_monotonic_now())
            return state.dock.rate
        }
    }

    /// A copy of the whole dock in its present state.
    public var snapshot: Device {
        withState { state in
            state.dock.advance(to: cposix_monotonic_now())
            return state.dock
        }
    }

    /// The present faults.
    public var faults: SimulatedDock.Faults {
        get { withState { $0.dock.faults } }
        set { change { $0.faults = newValue } }
    }

    /// Turns the head by hand (rad/s) for this time on axes without torque.
    public func push(_ velocity: PanTilt, for seconds: Seconds) { change { $0.push(velocity, for: seconds) } }

    /// Reboots the dock without leaving the port.
    public func reboot() { change { $0.reboot() } }

    /// The last bytes that the host has written, up to 256.
    public var lastHostBytes: [UInt8] { withState { $0.log.bytes } }

    /// The sum of all delays of the device's thread of more than 10 ms, in seconds: how long this machine kept it from
    /// sending what was due. A longer delay than a protocol permits looks like a device that is silent.
    public var delays: Seconds { withState { $0.delays } }

    /// Whether it is on a port.
    public var isPlugged: Bool { withState { $0.isPlugged } }

    /// Unplugs the cable: the client sees a hang-up, and the link is removed. Returns when that is done.
    public func unplug() {
        do throws(SimulatorError) { try plug(.unplug) } catch { return }  // already closed, so nothing is plugged in
    }

    /// Unplugs the cable once the host has written this many more bytes (1 or more). Further bytes are lost, so a frame
    /// can be cut in the middle. Returns at once; ``isPlugged`` shows when it has happened. A replug cancels it.
    public func unplug(afterHostBytes count: Int) { withState { $0.bytesLeft = max(count, 1) } }

    /// Plugs the cable in again: a new device, and the link points at it.
    ///
    /// - Parameter rebooted: whether the dock lost its power in between.
    public func replug(rebooted: Bool = true) throws(SimulatorError) { try plug(.replug(rebooted: rebooted)) }

    private func plug(_ request: PlugRequest) throws(SimulatorError) {
        let error: SimulatorError? = plugging.withLock { _ in
            let isRunning = thread.withLock { $0 != nil }
            guard isRunning else { return .closed }
            withState { $0.plugRequest = request }
            cposix_wake_ring(wake)
            var answer = pollfd(fd: done, events: Int16(POLLIN), revents: 0)
            while poll(&answer, 1, -1) < 0, errno == EINTR {}
            _ = cposix_counter_take(done)
            return withState { $0.plugError.take() }
        }
        if let error { throw error }
    }

    /// Ends the thread, closes the device and removes the link. The client sees a hang-up. May be called twice.
    public func close() {
        plugging.withLock { _ in
            guard let id = thread.withLock({ $0.take() }) else { return }
            withState { $0.isClosing = true }
            cposix_wake_ring(wake)
            pthread_join(id, nil)
        }
    }
}
