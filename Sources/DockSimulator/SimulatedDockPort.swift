internal import CPosix
public import Geometry
internal import Glibc
internal import Synchronization

/// A simulated dock on a pseudo-terminal, in real time (CLOCK_MONOTONIC), on a thread of its own.
///
/// Any program can open ``path`` like the serial port of a real dock. All functions may be called from any thread.
public final class SimulatedDockPort: Sendable {
    struct State: Sendable {
        var dock: SimulatedDock
        var log = HostLog()
        var path: String
        var plugWish: PlugWish?
        /// How many more bytes of the host get through before the cable goes.
        var bytesLeft: Int?
        var plugError: SimulatorError?
        var isPlugged = true
        var lostBytes: UInt64 = 0
        var isClosing = false
    }

    enum PlugWish: Sendable {
        case unplug
        case replug(rebooted: Bool)
    }

    /// What has happened on the port so far.
    public struct Statistics: Sendable, Equatable {
        /// Good frames from the host.
        public var frames: UInt64
        /// Runs of bytes from the host that were no frame, or frames that were no message.
        public var invalidFrames: UInt64
        /// Set-points from the host, refused and stale ones included.
        public var setpoints: UInt64
        /// Those of them that are stops.
        public var stops: UInt64
        /// Set-points that the firmware dropped as too old since its boot.
        public var staleSetpoints: UInt32
        /// Bytes from the host.
        public var bytes: UInt64
        /// Bytes to the host that found no room.
        public var lostBytes: UInt64
        /// The largest speed of either axis, rad/s.
        public var maximumSpeed: Double
        /// How often the dock has booted.
        public var boots: Int
    }

    private let state: Mutex<State>
    private let plugging = Mutex(false)
    private let thread = Mutex<pthread_t?>(nil)
    let link: DeviceLink?
    let wake: Int32
    let done: Int32

    /// Puts a dock on a new pseudo-terminal and starts it.
    ///
    /// - Parameter link: where to make a stable symbolic link to the device. An old link of a simulator there is
    ///   replaced, anything else refused.
    public init(
        configuration: SimulatedDock.Configuration = SimulatedDock.Configuration(), link: String? = nil
    ) throws(SimulatorError) {
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
        state = Mutex(
            State(
                dock: SimulatedDock(configuration: configuration, time: cposix_monotonic_now()), path: terminal.path))
        let context = PortContext(port: self, terminal: terminal, timer: timer)
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

    private func start(_ parts: PortContext) throws(SimulatorError) {
        let context = Unmanaged.passRetained(parts)
        var id = pthread_t()
        let reason = pthread_create(&id, nil, dockPortMain, context.toOpaque())
        guard reason == 0 else {
            context.release()
            throw .noThread(reason: reason)
        }
        thread.withLock { $0 = id }
    }

    /// Works on the state; the two calls tell the thread sanitizer what the lock orders.
    func withState<Result>(_ use: (inout State) -> Result) -> Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return state.withLock { state in
            cposix_tsan_acquire(address)
            defer { cposix_tsan_release(address) }
            return use(&state)
        }
    }

    /// Changes the dock at the present moment, and lets the thread know.
    private func change<Result>(_ use: (inout SimulatedDock) -> Result) -> Result {
        defer { cposix_wake_ring(wake) }
        return withState { state in
            state.dock.advance(to: cposix_monotonic_now())
            return use(&state.dock)
        }
    }

    /// The device of the client's end, `/dev/pts/N`; another one after ``replug(rebooted:)``.
    public var path: String { withState { $0.path } }

    /// Where the head looked at a time (CLOCK_MONOTONIC, the last 4 s), rad: pan + = the dock's right, tilt + = up.
    public func pose(at time: Seconds) -> PanTilt {
        withState { state in
            state.dock.advance(to: min(time, cposix_monotonic_now()))
            return state.dock.pose(at: time)
        }
    }

    /// How fast the head turns now, rad/s.
    public var rate: PanTilt {
        withState { state in
            state.dock.advance(to: cposix_monotonic_now())
            return state.dock.rate
        }
    }

    /// A copy of the whole dock as it is now.
    public var snapshot: SimulatedDock {
        withState { state in
            state.dock.advance(to: cposix_monotonic_now())
            return state.dock
        }
    }

    /// The battery.
    public var battery: SimulatedBattery {
        get { withState { $0.dock.battery } }
        set { change { $0.battery = newValue } }
    }

    /// What goes wrong now.
    public var faults: SimulatedDock.Faults {
        get { withState { $0.dock.faults } }
        set { change { $0.faults = newValue } }
    }

    /// A hand turns the head (rad/s) for so many seconds, where the motors have no torque.
    public func push(_ velocity: PanTilt, for seconds: Seconds) { change { $0.push(velocity, for: seconds) } }

    /// Somebody presses and lets go.
    public func press(_ button: SimulatedButton) { change { $0.press(button) } }

    /// Somebody presses the dock's own emergency button, or pulls it out again.
    public func emergency(_ isActive: Bool) { change { $0.setEmergencyInput(isActive) } }

    /// The dock gets too hot, or cool again.
    public func overTemperature(_ isTooHot: Bool) { change { $0.setOverTemperature(isTooHot) } }

    /// The dock starts anew without leaving the port.
    public func reboot() { change { $0.reboot() } }

    /// The last bytes that the host has written, up to 256.
    public var lastHostBytes: [UInt8] { withState { $0.log.bytes } }

    /// Whether the last complete frame of the host was a stop: SETPOINT mode 0.
    public var lastFrameWasStop: Bool { withState { $0.log.lastFrameWasStop } }

    /// What has happened so far.
    public var statistics: Statistics {
        withState { state in
            Statistics(
                frames: state.log.frames, invalidFrames: state.log.invalidFrames, setpoints: state.log.setpoints,
                stops: state.log.stops,
                staleSetpoints: state.dock.staleSetpoints, bytes: state.log.total, lostBytes: state.lostBytes,
                maximumSpeed: state.dock.maximumSpeedSeen, boots: state.dock.boots)
        }
    }

    /// Whether it is on a port.
    public var isPlugged: Bool { withState { $0.isPlugged } }

    /// Pulls the cable: the client sees a hang-up, and the link is gone. Returns when that is done.
    public func unplug() {
        do throws(SimulatorError) { try plug(.unplug) } catch { return }  // closed already: nothing is plugged
    }

    /// Pulls the cable by itself once the host has written so many more bytes (1 or more): what it writes beyond is lost, so
    /// a frame can be cut in its middle. Returns at once; ``isPlugged`` says when it has happened. Ends with any replug.
    public func unplug(afterHostBytes count: Int) { withState { $0.bytesLeft = max(count, 1) } }

    /// Puts the cable back: a new device, and the link points at it.
    ///
    /// - Parameter rebooted: whether the dock had lost its power in between.
    public func replug(rebooted: Bool = true) throws(SimulatorError) { try plug(.replug(rebooted: rebooted)) }

    private func plug(_ wish: PlugWish) throws(SimulatorError) {
        let error: SimulatorError? = plugging.withLock { _ in
            let isRunning = thread.withLock { $0 != nil }
            guard isRunning else { return .closed }
            withState { $0.plugWish = wish }
            cposix_wake_ring(wake)
            var answer = pollfd(fd: done, events: Int16(POLLIN), revents: 0)
            while poll(&answer, 1, -1) < 0, errno == EINTR {}
            _ = cposix_counter_take(done)
            return withState { $0.plugError.take() }
        }
        if let error { throw error }
    }

    /// Ends the thread, closes the device and takes the link away. The client sees a hang-up. May be called twice.
    public func close() {
        plugging.withLock { _ in
            guard let id = thread.withLock({ $0.take() }) else { return }
            withState { $0.isClosing = true }
            cposix_wake_ring(wake)
            pthread_join(id, nil)
        }
    }
}
