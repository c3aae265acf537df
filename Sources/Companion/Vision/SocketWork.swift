internal import CPosix
internal import FaceTracker
internal import Geometry
internal import Glibc
internal import Processes

/// What a detector socket's thread does between two waits.
final class SocketWork: PolledWork {
    private let socket: ControlSocket
    private let outlet: DetectionOutlet
    private let source: Int
    private let rate: Double
    private let scores: DetectorScores?
    private let isWanted: () -> Bool
    private let isMissed: () -> Bool
    private let onChange: @Sendable (DetectorHealth) -> Void
    private let onLog: @Sendable (String) -> Void
    private var gate = LogGate()
    /// When the connected detector connected.
    private var peerSince: Seconds = -.infinity
    /// The detector is not read before this time, because it exceeded the permitted data rate.
    private var opensAt: Seconds = -.infinity
    private var relay: StreamRelay
    /// Descriptor of the connected detector; -1: none.
    private var peer: Int32 = -1
    private var health = DetectorHealth(name: "unix")
    private var told: DetectorHealth?
    private var isActive = true
    private var lastFrame: Seconds = .infinity
    private var nextPing: Seconds = .infinity
    /// When to check next whether the socket's file still exists, while no detector is connected.
    private var nextCheck: Seconds = -.infinity
    /// The file could not be created again, and this was logged.
    private var isLost = false
    /// No detector is accepted before this time, because no file descriptor was available or the last connection was very short.
    private var nextGuest: Seconds = -.infinity
    /// When `turn` last read the clock.
    private var turnedAt: Seconds = -.infinity

    /// A detector that is silent for this time while it is wanted has stalled, seconds.
    private static let silence: Seconds = 5
    /// How long no detector is accepted after a connection that lasted less than one second, seconds.
    private static let pause: Seconds = 0.01
    /// Interval between two checks of the socket's file, seconds.
    private static let checks: Seconds = 2

    /// `isWanted`: whether the source is not on standby. `isMissed`: returns true once after the socket's files were found missing.
    init(
        _ socket: ControlSocket, outlet: DetectionOutlet, source: Int, rate: Double,
        scores: DetectorScores?, isWanted: @escaping () -> Bool, isMissed: @escaping () -> Bool,
        onChange: @escaping @Sendable (DetectorHealth) -> Void, onLog: @escaping @Sendable (String) -> Void
    ) {
        (self.socket, self.outlet, self.source, self.rate) = (socket, outlet, source, rate)
        (self.scores, self.isWanted, self.isMissed) = (scores, isWanted, isMissed)
        (self.onChange, self.onLog) = (onChange, onLog)
        relay = StreamRelay(to: outlet, source: source)
    }

    func turn() -> Bool {
        let now = cposix_monotonic_now(), isWanted = isWanted()
        turnedAt = now
        if isWanted != isActive {
            isActive = isWanted
            lastFrame = peer >= 0 && isWanted ? now : .infinity
            ask(isWanted ? .resume : .pause)
            // Its last clock comparison is too old.
            if nextPing.isFinite { nextPing = now }
        }
        if now - lastFrame >= Self.silence {
            lastFrame = .infinity
            (health.state, health.problem) = (.stalled, "the detector sent nothing for \(Int(Self.silence)) s")
            tell("\(health.problem ?? "")")
        }
        if isMissed() || peer < 0 && now >= nextCheck {
            nextCheck = now + Self.checks
            restore()
        }
        if now >= nextPing {
            nextPing = now + 10
            ask(.ping(sent: now))
        }
        outlet.flush()
        if health != told { onChange(health) }
        told = health
        return outlet.isOpen
    }

    var deadline: Seconds? {
        [
            lastFrame + Self.silence, nextPing, nextGuest > turnedAt ? nextGuest : .infinity,
            peer < 0 ? nextCheck : .infinity, peer >= 0 && opensAt > turnedAt ? opensAt : .infinity,
        ].filter(\.isFinite).min()
    }

    var waits: [pollfd] {
        let isOpen = turnedAt >= nextGuest
        return [
            pollfd(fd: isOpen ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: turnedAt >= opensAt ? peer : -1, events: Int16(POLLIN), revents: 0), outlet.wait(for: source),
        ]
    }

    func take(_ waits: [pollfd]) {
        if waits[2].revents & Int16(POLLERR | POLLNVAL) != 0 { outlet.finish() }
        if waits[1].revents != 0 { read() }
        if waits[0].revents != 0 {
            // If a detector was restarted, the end of its old connection must be read first. The reads are limited, so that a flood
            // does not delay the new connection.
            for _ in 0..<16 where peer >= 0 { read() }
            if cposix_monotonic_now() >= nextGuest { greet() }
        }
    }

    func end() {
        if peer >= 0 { close(peer) }
        if outlet.end(of: source) { outlet.finish() }
    }

    /// Accepts a detector. A second one receives a refusal.
    private func greet() {
        let guest = accept(socket.descriptor, nil, nil), now = cposix_monotonic_now()
        guard guest >= 0 else {
            if errno == EMFILE || errno == ENFILE { nextGuest = now + 1 }
            return
        }
        _ = cposix_set_cloexec(guest)
        _ = cposix_set_nonblocking(guest, true)
        guard peer < 0 else {
            say("{\"type\":\"refused\",\"text\":\"another detector is connected; one at a time\"}\n", to: guest)
            close(guest)
            return
        }
        peer = guest
        peerSince = now
        relay.begin()
        // The previous stream does not continue. The detector's own hello, if it sends one, has the details.
        let hello = Array("{\"type\":\"hello\",\"v\":1,\"detector\":\"unix\"}\n".utf8)
        outlet.put(hello[...], from: source, isHello: true)
        ask(.config(framesPerSecond: rate, acquire: scores?.acquire, hold: scores?.hold))
        if !isActive { ask(.pause) }
        (health.state, health.problem) = (.starting, nil)
        lastFrame = isActive ? now : .infinity
        tell("a detector has connected")
    }

    /// Creates the socket's file again if it was removed, for example by a cleaner of /tmp or by remounting a container.
    private func restore() {
        do throws(DockError) {
            guard try socket.restore() else { return }
            isLost = false
            tell("\(socket.path) was missing and has been created again")
        } catch {
            if !isLost { tell("\(socket.path) is missing and cannot be created again: \(error.message)") }
            isLost = true
        }
    }

    private func tell(_ text: String) {
        if let line = gate.pass(text, now: cposix_monotonic_now()) { onLog("unix: \(line)") }
    }

    private func ask(_ request: DetectorRequest) {
        var line: [UInt8] = []
        request.write(to: &line)
        say(String(decoding: line, as: UTF8.self), to: peer)
    }

    /// Sends a line; a detector that does not read its input misses it.
    private func say(_ text: String, to peer: Int32) {
        guard peer >= 0 else { return }
        _ = text.withCString { send(peer, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    private func read() {
        let now = cposix_monotonic_now()
        var events: [StreamRelay.Event] = []
        let room = relay.room(now: now)
        guard room > 0 else {
            opensAt = relay.opens
            return
        }
        let isOpen = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = Glibc.read(peer, buffer.baseAddress, min(room, buffer.count))
            if count > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                events = relay.feed(bytes, now: now, realtime: cposix_realtime_now())
            }
            return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
        }
        var reason = isOpen ? nil : "the detector closed the connection"
        for event in events {
            switch event {
            case .frame:
                (health.state, health.problem) = (.running, nil)
                if isActive { lastFrame = now }
            case .hello(let hello):
                health.detector = hello.detector
                nextPing = hello.clock == .remote ? now : .infinity
            case .problem(let text): tell("\(text)")
            case .refused(let version):
                reason = "the detector uses stream version \(version); dockface supports version 1"
            case .bye, .pong: break
            }
        }
        if relay.wantsRestart { reason = "20 consecutive lines were not detections" }
        if let reason { hangUp(reason) }
    }

    private func hangUp(_ reason: String) {
        close(peer)
        peer = -1
        let now = cposix_monotonic_now()
        if now - peerSince < 1 { nextGuest = max(nextGuest, now + Self.pause) }
        (lastFrame, nextPing) = (.infinity, .infinity)
        (health.state, health.detector, health.problem) = (.restarting, nil, reason)
        health.restarts += 1
        tell("\(reason); waiting for a detector at \(socket.path)")
    }
}
