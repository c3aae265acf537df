internal import CPosix
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import Glibc
internal import Processes

/// The work of a detector socket's thread between two waits.
final class SocketWork: PolledWork {
    /// The questions and reports of the work. All closures are called on its thread.
    struct Hooks {
        /// Whether the source is not on standby.
        var isWanted: () -> Bool
        /// Returns true once after the socket's files were found missing.
        var isMissed: () -> Bool
        var onChange: @Sendable (DetectorHealth) -> Void
        var onLog: @Sendable (String) -> Void
    }

    private let outlet: DetectionOutlet
    private let source: Int
    /// The first request to a detector.
    private let config: DetectorRequest
    private let hooks: Hooks
    private var place: SocketPlace
    private var peer: DetectorPeer
    private var gate = LogGate()
    private var health = DetectorHealth(name: "unix")
    private var reported: DetectorHealth?
    private var isActive = true
    /// The time before which no detector is accepted, because no file descriptor was available or the last connection
    /// was very short.
    private var nextGuest: Seconds = -.infinity
    /// When `turn` last read the clock.
    private var turnedAt: Seconds = -.infinity

    /// The time for which no detector is accepted after a connection that lasted less than one second, in seconds.
    private static let pause: Seconds = 0.01

    init(_ socket: ControlSocket, outlet: DetectionOutlet, source: Int, config: DetectorRequest, hooks: Hooks) {
        (self.outlet, self.source, self.config, self.hooks) = (outlet, source, config, hooks)
        place = SocketPlace(socket: socket)
        peer = DetectorPeer(StreamRelay(to: outlet, source: source))
    }

    func turn() -> Bool {
        let now = cposix_monotonic_now(), isWanted = hooks.isWanted()
        turnedAt = now
        if isWanted != isActive {
            isActive = isWanted
            peer.activate(isWanted, now: now)
        }
        if peer.hasStalled(now: now) {
            let problem = "the detector sent nothing for \(Int(DetectorPeer.silence)) s"
            (health.state, health.problem) = (.stalled, problem)
            tell(problem)
        }
        if hooks.isMissed() || !peer.isConnected && now >= place.nextCheck, let line = place.restore(now: now) {
            tell(line)
        }
        peer.ping(now: now)
        outlet.flush()
        if health != reported { hooks.onChange(health) }
        reported = health
        return outlet.isOpen
    }

    var deadline: Seconds? {
        [
            peer.deadline(after: turnedAt), nextGuest > turnedAt ? nextGuest : nil,
            peer.isConnected ? nil : place.nextCheck,
        ].compactMap { $0 }.filter(\.isFinite).min()
    }

    var waits: [pollfd] {
        let isOpen = turnedAt >= nextGuest, isPeerOpen = peer.opens(after: turnedAt) == nil
        return [
            pollfd(fd: isOpen ? place.socket.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isPeerOpen ? peer.descriptor : -1, events: Int16(POLLIN), revents: 0), outlet.wait(for: source),
        ]
    }

    func handle(_ waits: [pollfd]) {
        if waits[2].revents & Int16(POLLERR | POLLNVAL) != 0 { outlet.finish() }
        if waits[1].revents != 0 { read() }
        if waits[0].revents != 0 {
            // If a detector was restarted, the end of its old connection must be read first. The reads are limited, so
            // that a flood does not delay the new connection.
            for _ in 0..<16 where peer.isConnected { read() }
            if cposix_monotonic_now() >= nextGuest { greet() }
        }
    }

    func end() {
        peer.close()
        if outlet.end(of: source) { outlet.finish() }
    }

    /// Accepts a detector. A second one receives a refusal.
    private func greet() {
        let guest = accept(place.socket.descriptor, nil, nil), now = cposix_monotonic_now()
        guard guest >= 0 else {
            if errno == EMFILE || errno == ENFILE { nextGuest = now + 1 }
            return
        }
        _ = cposix_set_cloexec(guest)
        _ = cposix_set_nonblocking(guest, true)
        guard !peer.isConnected else {
            DetectorPeer.say(
                "{\"type\":\"refused\",\"text\":\"another detector is connected; one at a time\"}\n", to: guest)
            close(guest)
            return
        }
        peer.connect(guest, isActive: isActive, now: now)
        // The previous stream does not continue. The detector's own hello, if it sends one, has the details.
        let hello = Array("{\"type\":\"hello\",\"v\":1,\"detector\":\"unix\"}\n".utf8)
        outlet.put(hello[...], from: source, isHello: true)
        peer.ask(config)
        if !isActive { peer.ask(.pause) }
        (health.state, health.problem) = (.starting, nil)
        tell("a detector has connected")
    }

    private func tell(_ text: String) {
        if let line = gate.pass(text, now: cposix_monotonic_now()) { hooks.onLog("unix: \(line)") }
    }

    private func read() {
        let now = cposix_monotonic_now()
        guard let (isOpen, events) = peer.read(now: now) else { return }
        var reason = isOpen ? nil : "the detector closed the connection"
        for event in events {
            switch event {
            case .frame:
                (health.state, health.problem) = (.running, nil)
                peer.sign(isActive: isActive, now: now)
            case .hello(let hello):
                health.detector = hello.detector
                peer.hello(isRemote: hello.clock == .remote, now: now)
            case .problem(let text): tell(text)
            case .refused(let version):
                reason = "the detector uses stream version \(version); dockface supports version 1"
            case .bye, .pong: break
            }
        }
        if peer.relay.wantsRestart { reason = "20 consecutive lines were not detections" }
        if let reason { hangUp(reason) }
    }

    private func hangUp(_ reason: String) {
        let now = cposix_monotonic_now()
        if peer.hangUp(now: now) { nextGuest = max(nextGuest, now + Self.pause) }
        (health.state, health.detector, health.problem) = (.restarting, nil, reason)
        health.restarts += 1
        tell("\(reason); waiting for a detector at \(place.socket.path)")
    }
}

/// The place of the detector socket in the file system.
private struct SocketPlace {
    let socket: ControlSocket
    /// When to check next whether the socket's file still exists, while no detector is connected.
    private(set) var nextCheck: Seconds = -.infinity
    /// Whether the file could not be created again and this was logged.
    private var isLost = false

    /// The interval between two checks of the socket's file, in seconds.
    private static let period: Seconds = 2

    init(socket: ControlSocket) { self.socket = socket }

    /// Creates the socket's file again if it was removed, for example by a cleaner of /tmp or by remounting a
    /// container.
    /// - Returns: a line for the log, or nil if there is none.
    mutating func restore(now: Seconds) -> String? {
        nextCheck = now + Self.period
        do throws(DockError) {
            guard try socket.restore() else { return nil }
            isLost = false
            return "\(socket.path) was missing and has been created again"
        } catch {
            defer { isLost = true }
            return isLost ? nil : "\(socket.path) is missing and cannot be created again: \(error.message)"
        }
    }
}
