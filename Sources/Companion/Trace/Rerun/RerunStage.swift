internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The recorded surroundings of a session: each turn receives the same inputs as when it was recorded.
final class RerunStage {
    /// The current turn.
    private(set) var turn = RerunTurn(time: 0, call: .begin, asleep: nil)

    func load(_ turn: RerunTurn) { self.turn = turn }

    /// Returns the port that is open when the loop begins, or nil if there is none.
    func first(_ about: TraceAbout) -> RerunLink? {
        if case .opened(let isHardware, let most)? = turn.plugs.opened() {
            return RerunLink(self, isHardware: isHardware, mostQueued: most)
        }
        return about.isHardware.map { RerunLink(self, isHardware: $0, mostQueued: 64) }
    }

    func reopen() throws(DockError) -> any ByteLink {
        switch turn.plugs.attempt() {
        case .opened(let isHardware, let most): return RerunLink(self, isHardware: isHardware, mostQueued: most)
        case .notOpened(let code): throw DockError(DockError.Code(rawValue: code) ?? .notConnected, "gone", hint: "")
        default: throw DockError(.notConnected, "gone", hint: "")
        }
    }

    func write(_ bytes: [UInt8]) -> Bool { turn.line.write(bytes) }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead { turn.line.read(into: buffer) }
    func queued() -> Int { turn.line.queued() }
    func commands() -> CommandBatch { turn.commands.drain() }

    func zoom() -> Double? {
        defer { turn.magnification = nil }
        return turn.magnification
    }

    func intervention() -> GuardIntervention? { turn.guardian.intervention() }
    func renewal() -> Bool { turn.guardian.renewal() }

    /// Returns the guard's state at this look of the loop, or nil if unchanged.
    func look() -> (isAlive: Bool, isAwaited: Bool)? { turn.guardian.look() }

    func portChanges() -> [PortChange] { turn.plugs.changes() }
}

/// The port of a recorded session.
final class RerunLink: ByteLink {
    static let portName = "recorded"
    let descriptor: Int32 = -1, name = RerunLink.portName, isHardware: Bool, mostQueued: Int
    private let stage: RerunStage

    init(_ stage: RerunStage, isHardware: Bool, mostQueued: Int) {
        self.stage = stage
        self.isHardware = isHardware
        self.mostQueued = mostQueued
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead { stage.read(into: buffer) }
    func write(_ bytes: [UInt8]) -> Bool { stage.write(bytes) }
    var queued: Int { stage.queued() }
    func writeLast(_ bytes: [UInt8], within: Double) -> Bool { stage.write(bytes) }
    func close() {}
}

/// The guard of a recorded session.
final class RerunGuard: MotionGuard {
    let descriptor: Int32 = -1
    private(set) var isAwaited = false
    private var stands = true
    private let stage: RerunStage

    init(_ stage: RerunStage) { self.stage = stage }

    /// Whether the guard is alive. Reading this counts as one look, because the trace numbers the looks.
    var isAlive: Bool {
        if let news = stage.look() { (stands, isAwaited) = news }
        return stands
    }
    func watch(_ link: any ByteLink, stop: [UInt8]) {}
    func beat(moving: Bool, now: Seconds) {}
    func release() {}
    func takeIntervention() -> GuardIntervention? { stage.intervention() }
    func renew() -> Bool { stage.renewal() }
}

/// The port changes of a recorded session.
final class RerunPorts: PortEvents {
    let descriptor: Int32 = -1
    let reportsPortChanges: Bool
    private let stage: RerunStage

    init(_ stage: RerunStage, reportsPortChanges: Bool) {
        (self.stage, self.reportsPortChanges) = (stage, reportsPortChanges)
    }

    func drain() -> [PortChange] { stage.portChanges() }
}

/// Passes the detections and requests of a recorded session to this program's tracker and selection.
final class RerunInput: SteeringInput {
    let descriptor: Int32 = -1
    private let stage: RerunStage
    private let pipeline: DetectionPipeline
    private(set) var reading = SteeringReading()
    private var nextSeen = 0

    init(_ stage: RerunStage, profile: RigProfile) {
        self.stage = stage
        pipeline = DetectionPipeline(
            descriptor: -1, profile: profile, options: DecoderOptions(), requests: PipelineRequests(),
            listener: .init(onFrame: { _ in }, onEvent: { _ in }))
    }

    func read(now: Seconds) {
        nextSeen = 0
        (reading.hasMore, reading.hasEnded) = (stage.turn.detections.hasMore, stage.turn.detections.hasEnded)
    }

    func next(in context: SteeringContext) -> SteeringEvent? {
        while nextSeen < stage.turn.detections.seen.count {
            defer { nextSeen += 1 }
            if let event = pipeline.replay(stage.turn.detections.seen[nextSeen], in: context) { return event }
        }
        return nil
    }

    func collect() {
        pipeline.collected += stage.turn.detections.asked.compactMap { PipelineRequest($0) }.map { ($0, { _ in }) }
    }

    func serve(in context: SteeringContext) -> SteeringEvent? { pipeline.serve(in: context) }
    func attach(_ recorder: FlightRecorder) { pipeline.attach(recorder) }
    func publish(now: Seconds) { pipeline.publish(now: now) }
}
