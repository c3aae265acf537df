import CPosix
import ControlProtocol
import DockClient
import DockTypes
import FaceTracker
import Geometry
import Glibc

/// The loop of `detect` beside a daemon, one turn at a time.
struct DetectBesideTurn {
    private let client: ControlClient
    private var show: any DetectShow
    /// The same output if it shows pictures, otherwise nil.
    private let screen: DetectBesideShow?
    /// When to end, or nil for no limit.
    private let end: Seconds?
    private var sight: DaemonSight
    /// When the daemon was asked last.
    private var asked: Seconds = -.infinity
    /// The source whose answers are shown, or nil before the first one.
    private var source: String?
    private var tally = DetectTally()
    /// The restarts before the start.
    private let restarts: Int

    /// The most events that are handled before keys and signals are looked at.
    private static let mostEvents = 64
    /// The time without pictures, or without answers, after which the daemon is asked why; and between two questions, in
    /// seconds.
    private static let patience: Seconds = 0.5

    init(_ client: ControlClient, _ sight: DaemonSight, _ show: any DetectShow, end: Seconds?) {
        (self.client, self.sight, self.show, self.end) = (client, sight, show, end)
        screen = show as? DetectBesideShow
        screen?.silence = sight.silence
        restarts = sight.restarts
    }

    /// Begins the output. Returns false if it cannot be used.
    mutating func begin() -> Bool { show.begin() }

    /// Ends the output.
    mutating func finish() { show.finish() }

    /// Returns the line of `--summary`. `last`: what the daemon says at the end, if it still answers.
    func summary(_ last: DaemonSight?) -> String {
        tally.summary(
            latency: last?.latency, p95: nil, restarts: max(0, (last?.restarts ?? sight.restarts) - restarts))
    }

    /// Handles everything that has come, and waits for more. Returns false at the end: after a signal, a key or the time,
    /// or without a reader.
    /// - Throws: `notConnected` if the daemon ends.
    mutating func next() throws(DockError) -> Bool {
        var events: [DaemonEvent] = []
        while events.count < Self.mostEvents, let event = try client.nextEvent(timeout: 0) { events.append(event) }
        // A picture is in the share before its answer is in the socket.
        screen?.readPictures()
        for event in events {
            guard try handle(event) else { return false }
        }
        if let screen {
            guard screen.showWithoutAnswer() else { return false }
            try look(screen)
        }
        return waits(isIdle: events.isEmpty)
    }

    private mutating func handle(_ event: DaemonEvent) throws(DockError) -> Bool {
        switch Topic(rawValue: event.topic) {
        case .detections:
            // The snapshot of this topic has no answer.
            guard let answer = DetectionsReading(json: event.data), answer.isActive, answer.dropped == nil else {
                return true
            }
            return try handle(answer)
        case .tracking: if let reading = TrackingReading(json: event.data) { screen?.receive(reading) }
        case .layers: if let reading = LayersReading(json: event.data) { screen?.receive(reading) }
        default: break
        }
        return true
    }

    private mutating func handle(_ answer: DetectionsReading) throws(DockError) -> Bool {
        if source != answer.source {
            (sight, source) = (try DaemonSight(client), answer.source)
            var hello = StreamHello()
            hello.detector = sight.detector ?? (answer.source.isEmpty ? sight.source : answer.source)
            guard show.show(.hello(hello)) else { return false }
        }
        let frame = DetectionFrame(answer)
        tally.count(frame, now: cposix_monotonic_now())
        let others = PassedOn(objects: answer.objects, people: answer.people, hands: answer.hands)
        return show.show(.frame(frame, others: others))
    }

    /// Asks the daemon what is wrong if no pictures or no answers come, and opens pictures that have ended again.
    private mutating func look(_ screen: DetectBesideShow) throws(DockError) {
        let now = cposix_monotonic_now()
        let isQuiet = !screen.isOpen || screen.isWithoutAnswer || now - screen.arrival > Self.patience
        guard isQuiet, now - asked > Self.patience else { return }
        defer { asked = cposix_monotonic_now() }
        sight = try DaemonSight(client)
        if !screen.isOpen, sight.isCameraRunning {
            do throws(DockError) {
                try screen.open(client)
            } catch {
                // The camera may have ended at this moment. The connection's own end is noticed at the next event.
                guard error.code == .notConnected else { throw error }
            }
        }
        screen.silence = sight.silence
        screen.waits(DetectPause(isCameraRunning: sight.isCameraRunning, problem: sight.cameraProblem))
    }

    /// Waits for events, pictures, keys and signals, at most a quarter of a second; not at all if more events may have
    /// come. Returns false at the end.
    private mutating func waits(isIdle: Bool) -> Bool {
        var waits = [client.interrupt, show.keys, client.descriptor, screen?.bell ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // Its reader may end while there is nothing to write.
        waits.append(pollfd(fd: 1, events: 0, revents: 0))
        let left = end.map { $0 - cposix_monotonic_now() } ?? .infinity
        guard left > 0 else { return false }
        _ = poll(&waits, UInt(waits.count), isIdle ? Int32(min(left, 0.25) * 1000 + 0.5) : 0)
        if waits[0].revents != 0 || waits[4].revents != 0 { return false }
        return waits[1].revents == 0 || !show.readsEnd()
    }
}

extension DetectionFrame {
    /// Reads an answer of topic `detections`. The daemon names no landmarks, so they are left out.
    init(_ answer: DetectionsReading) {
        self.init(
            sequence: answer.sequence, exposure: answer.time ?? answer.arrival, arrival: answer.arrival,
            size: answer.size.map { PictureSize(width: $0.width, height: $0.height) },
            optics: FrameOptics(camera: answer.camera, zoom: answer.zoom), detections: answer.faces.map(Detection.init))
        maybe = answer.maybe.map(Detection.init)
    }
}

extension Detection {
    init(_ face: DetectedFaceReading) {
        self.init(
            rect: face.rect, score: face.score, kind: SubjectKind(rawValue: face.kind) ?? .person,
            attributes: face.attributes)
        // This program passes on what the detector states, not what the daemon concludes.
        if face.distance?.source != .detector { attributes.distance = nil }
    }
}
