internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Processes
internal import Synchronization

/// A socket for one detector at a time, whose stream is passed on line by line.
final class DetectorSocket: Sendable {
    private let socket: ControlSocket
    private let thread: PollThread
    private let isHeard = Locked(true)
    private let isMissed = Atomic<Bool>(false)
    private let make: @Sendable (ControlSocket, @escaping () -> Bool, @escaping () -> Bool) -> SocketWork

    /// Creates a socket that listens at a path, as the source with this number. `rate`: frames per second that it
    /// requests from the detector; `scores`: the confidence thresholds that it requests.
    /// - Throws: `DockError` if it cannot listen there, or no file descriptor is available.
    init(
        path: String, outlet: DetectionOutlet, source: Int, rate: Double, scores: DetectorScores?,
        onChange: @escaping @Sendable (DetectorHealth) -> Void, onLog: @escaping @Sendable (String) -> Void
    ) throws(DockError) {
        guard let thread = PollThread(name: "detector") else {
            throw DockError(.cannotOpen, "no file descriptor is left for a detector", hint: "raise `ulimit -n`")
        }
        self.thread = thread
        do {
            socket = try ControlSocket(path: path)
        } catch {
            throw DockError(
                error.code, error.message, hint: "choose another path for the detector: --detector unix:PATH")
        }
        make = { socket, isWanted, isMissed in
            SocketWork(
                socket, outlet: outlet, source: source,
                config: .config(framesPerSecond: rate, acquire: scores?.acquire, hold: scores?.hold),
                hooks: .init(isWanted: isWanted, isMissed: isMissed, onChange: onChange, onLog: onLog))
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
