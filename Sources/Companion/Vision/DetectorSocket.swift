internal import CPosix
internal import DockControl
internal import FaceTracker
internal import Geometry
internal import Glibc
internal import Processes

/// A socket that a detector connects to: one at a time, and its stream is handed on line by line.
final class DetectorSocket: @unchecked Sendable {
    // Unchecked: `thread` is touched by the owner's thread only (start, stop); `orders` is behind its lock; all else is constant or
    // the socket's own thread's.

    private struct Orders {
        var isActive = true, isStopping = false
    }

    private let socket: ControlSocket
    private let output: Int32
    private let wake: Int32
    private let onChange: @Sendable (DetectorHealth) -> Void
    private let onLog: @Sendable (String) -> Void
    private let orders = Guarded(Orders())
    private var thread: pthread_t?

    /// Listens at a path; `output` is written to, and closed at the end.
    /// - Throws: `DockError` if it cannot listen there.
    init(
        path: String, output: Int32, onChange: @escaping @Sendable (DetectorHealth) -> Void,
        onLog: @escaping @Sendable (String) -> Void
    ) throws(DockError) {
        do {
            socket = try ControlSocket(path: path)
        } catch {
            throw DockError(error.code, error.message, hint: "give the detector another path: --detector unix:PATH")
        }
        wake = cposix_wake_create()
        (self.output, self.onChange, self.onLog) = (output, onChange, onLog)
        _ = cposix_set_nonblocking(output, true)
    }

    deinit {
        stop()
        socket.close()
        for open in [wake, output] where open >= 0 { close(open) }
    }

    func start() {
        guard thread == nil else { return }
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        if pthread_create(&id, nil, detectorSocketMain, me.toOpaque()) == 0 { thread = id } else { me.release() }
    }

    func stop() {
        guard let id = thread else { return }
        thread = nil
        orders.withLock { $0.isStopping = true }
        cposix_wake_ring(wake)
        pthread_join(id, nil)
    }

    var isActive: Bool {
        get { orders.withLock { $0.isActive } }
        set {
            orders.withLock { $0.isActive = newValue }
            cposix_wake_ring(wake)
        }
    }

    /// The thread's own: who is connected, and what is handed on.
    private struct Work {
        var peer: Int32 = -1
        var relay = StreamRelay()
        var health = DetectorHealth(name: "unix")
        var isActive = true
    }

    fileprivate func run() {
        cposix_thread_name("detector")
        cposix_thread_blocks_pipe_signal()
        var work = Work()
        onChange(work.health)
        while true {
            let orders = orders.withLock { $0 }
            if orders.isStopping { break }
            if orders.isActive != work.isActive {
                work.isActive = orders.isActive
                if !work.isActive { work.relay.yield() }
                ask(work.isActive ? .resume : .pause, work)
            }
            var waits = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: work.peer, events: Int16(POLLIN), revents: 0),
                pollfd(fd: output, events: work.relay.waiting.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
            _ = cposix_counter_take(wake)
            if waits[2].revents & Int16(POLLERR | POLLNVAL) != 0 { break }
            if waits[0].revents != 0 { greet(&work) }
            if waits[1].revents != 0 { read(&work) }
            flush(&work)
        }
        if work.peer >= 0 { close(work.peer) }
    }

    /// Somebody connects. A second one is told that it is one too many.
    private func greet(_ work: inout Work) {
        let peer = accept(socket.descriptor, nil, nil)
        guard peer >= 0 else { return }
        _ = cposix_set_cloexec(peer)
        _ = cposix_set_nonblocking(peer, true)
        guard work.peer < 0 else {
            let text = "{\"type\":\"refused\",\"text\":\"another detector is connected; one at a time\"}\n"
            _ = text.withCString { send(peer, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            close(peer)
            return
        }
        work.peer = peer
        work.relay.begin()
        // What came before does not continue; its own hello, if it has one, says more.
        var hello: [UInt8] = []
        hello += Array("{\"type\":\"hello\",\"v\":1,\"detector\":\"unix\"}\n".utf8)
        if work.isActive { work.relay.add(hello) }
        ask(.config(framesPerSecond: 10, acquire: nil, hold: nil), work)
        if !work.isActive { ask(.pause, work) }
        onLog("unix: a detector has connected")
    }

    private func ask(_ request: DetectorRequest, _ work: Work) {
        guard work.peer >= 0 else { return }
        var line: [UInt8] = []
        request.write(to: &line)
        _ = line.withUnsafeBytes { send(work.peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func read(_ work: inout Work) {
        var events: [StreamRelay.Event] = []
        let now = cposix_monotonic_now()
        let isOpen = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = Glibc.read(work.peer, buffer.baseAddress, buffer.count)
            if count > 0 {
                events = work.relay.feed(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]), now: now, realtime: cposix_realtime_now())
            }
            return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
        }
        if !work.isActive { work.relay.yield() }
        var health = work.health
        for event in events {
            switch event {
            case .frame: health.state = .running
            case .hello(let hello): health.detector = hello.detector
            case .problem(let text): onLog("unix: \(text)")
            case .refused(let version): onLog("unix: it speaks version \(version) of the stream, this is version 1")
            case .status, .bye: break
            }
        }
        if !isOpen || work.relay.wantsRestart {
            close(work.peer)
            work.peer = -1
            health.state = .restarting
            health.detector = nil
            health.restarts += 1
            health.problem = isOpen ? "20 lines in a row were no detections" : "the detector has hung up"
            onLog("unix: \(health.problem ?? ""); waiting for one at \(socket.path)")
        }
        if health != work.health { onChange(health) }
        work.health = health
    }

    private func flush(_ work: inout Work) {
        while !work.relay.waiting.isEmpty {
            let count = work.relay.waiting.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count > 0 { work.relay.wrote(count) } else if count < 0, errno == EINTR { continue } else { return }
        }
    }
}

/// C calls this on the new thread.
private func detectorSocketMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<DetectorSocket>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
