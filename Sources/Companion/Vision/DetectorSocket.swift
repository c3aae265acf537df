internal import DockControl
internal import FaceTracker
internal import Processes
internal import Synchronization

/// A socket that a detector connects to: one at a time, and its stream is handed on line by line.
final class DetectorSocket: Sendable {
    private let socket: ControlSocket
    private let thread: PollThread
    private let isHeard = Guarded(true)
    private let isMissed = Atomic<Bool>(false)
    private let make: @Sendable (ControlSocket, @escaping () -> Bool, @escaping () -> Bool) -> SocketWork

    /// Listens at a path, as the source with this number. `rate`: pictures a second that a detector is asked for; `scores`: how sure it
    /// is asked to be.
    /// - Throws: `DockError` if it cannot listen there, or the system has no descriptors left.
    init(
        path: String, outlet: DetectionOutlet, source: Int, rate: Double, scores: DetectorScores?,
        onChange: @escaping @Sendable (DetectorHealth) -> Void, onLog: @escaping @Sendable (String) -> Void
    ) throws(DockError) {
        guard let thread = PollThread(name: "detector") else {
            throw DockError(.cannotOpen, "no descriptor is left for a detector", hint: "raise `ulimit -n`")
        }
        self.thread = thread
        do {
            socket = try ControlSocket(path: path)
        } catch {
            throw DockError(error.code, error.message, hint: "give the detector another path: --detector unix:PATH")
        }
        make = { socket, isWanted, isMissed in
            SocketWork(
                socket, outlet: outlet, source: source, rate: rate, scores: scores, isWanted: isWanted,
                isMissed: isMissed, onChange: onChange, onLog: onLog)
        }
    }

    deinit {
        stop()
        socket.close()
    }

    func start() {
        thread.start { [socket, make, weak self] in
            make(
                socket, { self?.isActive ?? false },
                { self?.isMissed.exchange(false, ordering: .acquiring) ?? false })
        }
    }

    func look() {
        guard !socket.isThere else { return }
        isMissed.store(true, ordering: .releasing)
        thread.wake()
    }

    func stop() { thread.stop() }

    var isActive: Bool {
        get { isHeard.withLock { $0 } }
        set {
            isHeard.withLock { $0 = newValue }
            thread.wake()
        }
    }
}
