internal import CPosix
internal import FaceTracker
public import Geometry
internal import Glibc
internal import Processes

/// What a detector in this process writes: a simulated camera that is not a program of its own.
public final class DetectionWriter: Sendable, Equatable {
    /// Appends the lines of the detection stream that are due at a time, and returns when it must be called again, or nil
    /// at the end. It is called on the thread of its source.
    let write: @Sendable (Seconds, inout [UInt8]) -> Seconds?

    /// Creates a writer from its function, which may wait for a moment.
    public init(_ write: @escaping @Sendable (Seconds, inout [UInt8]) -> Seconds?) { self.write = write }

    /// Each writer is only equal to itself.
    public static func == (a: DetectionWriter, b: DetectionWriter) -> Bool { a === b }
}

/// A source of detections in this process, whose stream is passed on as that of a detector is.
final class WrittenSource: Sendable {
    private let thread: PollThread
    private let isHeard = Locked(true)
    private let make: @Sendable () -> WrittenWork

    /// Creates a source that is not running yet, as the source with this number. The result is nil if the system has no
    /// descriptors left.
    init?(
        name: String, writer: DetectionWriter, outlet: DetectionOutlet, source: Int,
        onChange: @escaping @Sendable (DetectorHealth) -> Void, onLog: @escaping @Sendable (String) -> Void
    ) {
        guard let thread = PollThread(name: "detector") else { return nil }
        self.thread = thread
        make = {
            WrittenWork(name: name, writer: writer, outlet: outlet, source: source, onChange: onChange, onLog: onLog)
        }
    }

    deinit { stop() }

    func start() { thread.start { [make] in make() } }

    func stop() { thread.stop() }

    /// Whether it steers. It goes on writing on standby, because that costs next to nothing.
    var isActive: Bool {
        get { isHeard.withLock { $0 } }
        set { isHeard.withLock { $0 = newValue } }
    }
}

/// The work of a written source's thread between two waits.
private final class WrittenWork: PolledWork {
    private let writer: DetectionWriter
    private let outlet: DetectionOutlet
    private let source: Int
    private let onChange: @Sendable (DetectorHealth) -> Void, onLog: @Sendable (String) -> Void
    private var relay: StreamRelay
    private var health: DetectorHealth
    private var reported: DetectorHealth?
    private var lines: [UInt8] = []
    private(set) var deadline: Seconds?

    init(
        name: String, writer: DetectionWriter, outlet: DetectionOutlet, source: Int,
        onChange: @escaping @Sendable (DetectorHealth) -> Void, onLog: @escaping @Sendable (String) -> Void
    ) {
        (self.writer, self.outlet, self.source) = (writer, outlet, source)
        (self.onChange, self.onLog) = (onChange, onLog)
        relay = StreamRelay(to: outlet, source: source, isCapped: false)
        health = DetectorHealth(name: name)
    }

    func turn() -> Bool {
        let now = cposix_monotonic_now()
        // It may be woken before its time, to write what waits.
        if deadline.map({ $0 <= now }) ?? true {
            lines.removeAll(keepingCapacity: true)
            deadline = writer.write(now, &lines)
            let events = lines.withUnsafeBytes { relay.feed($0, now: now, realtime: cposix_realtime_now()) }
            events.forEach(receive)
        }
        outlet.flush()
        if health != reported { onChange(health) }
        reported = health
        return outlet.isOpen && deadline != nil
    }

    var waits: [pollfd] { [outlet.wait(for: source)] }

    func handle(_ waits: [pollfd]) {
        if waits[0].revents & Int16(POLLERR | POLLNVAL) != 0 { outlet.finish() }
    }

    func end() {
        health.state = .over
        onChange(health)
        if outlet.end(of: source) { outlet.finish() }
    }

    private func receive(_ event: StreamRelay.Event) {
        switch event {
        case .frame: health.state = .running
        case .hello(let hello): health.detector = hello.detector
        case .problem(let text): onLog("\(health.name): \(text)")
        case .pong, .bye, .refused: break
        }
    }
}
