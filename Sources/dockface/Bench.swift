import ArgumentParser
import Companion
import CPosix
import DockControl
import DockSimulator
import FaceTracker
import Geometry
import Glibc
import Synchronization

/// The surroundings of a run: the simulated dock, and the feeder of a recording or of a simulated camera. Real rigs and
/// detectors need neither.
final class Bench: Sendable {
    let dock: (any RigPort)?
    let scene: Scene?
    /// Whether the simulated head turns the camera: for a scene and for a room.
    let turnsCamera: Bool
    let detections: SessionConfiguration.Detections
    /// The daemon's own camera and detectors, or nil if there are none.
    let vision: Vision?
    private let feeder: PipeFeeder?
    private let port: String

    /// Creates what the command line requests. `cued`: the scene's command words are also sent to the daemon.
    init(
        port: String, profile: RigProfile, source: DetectionSource, openLoop: Bool, vision own: Vision? = nil,
        cued: Bool = false
    ) throws {
        self.port = port
        // Errors are detected before anything is opened that would have to be closed.
        let film = own == nil ? try Self.film(of: source, port, profile, openLoop: openLoop) : nil
        let room = try own == nil ? RoomSight.camera(of: source, profile) : nil
        if port == "sim" {
            do {
                dock = try SimulatedRigs.port(for: profile)
            } catch {
                throw fail("\(error)", status: 69)
            }
        } else {
            dock = nil
        }
        let vision = if let room { try RoomSight(room, head: try Self.head(dock, port)).vision() } else { own }
        self.vision = vision
        if case .scene = source { turnsCamera = true } else { turnsCamera = room != nil }
        if let vision {
            (scene, feeder, detections) = (nil, nil, .descriptor(vision.descriptor))
            return
        }
        guard let film else {
            (scene, feeder, detections) = (nil, nil, source == .standardInput ? .standardInput : .none)
            return
        }
        switch source {
        case .scene(_, let hfov, let loop):
            let camera = SceneCamera(
                recording: film.recording, hfov: film.hfov ?? hfov, loop: loop, profile: profile)
            let scene = Scene(
                camera: camera, cues: cued ? film.cues : [], profile: profile, head: try Self.head(dock, port))
            self.scene = scene
            let feeder = try Self.feeder { scene.feed(now: $0, lines: &$1) }
            (self.feeder, detections) = (feeder, cued ? .scene(feeder.descriptor) : .descriptor(feeder.descriptor))
        case .file(_, let loop, let speed):
            let replay = Replay(ReplayPacer(film.recording, loop: loop, speed: speed))
            scene = nil
            let feeder = try Self.feeder { replay.feed(now: $0, lines: &$1) }
            (self.feeder, detections) = (feeder, .descriptor(feeder.descriptor))
        case .none, .standardInput, .child, .socket, .named, .room: (scene, feeder, detections) = (nil, nil, .none)
        }
    }

    /// Returns the film that a source plays, or nil if it plays none.
    /// - Throws: an exit with the reason if the source does not suit this rig or cannot be read.
    static func film(
        of source: DetectionSource, _ port: String, _ profile: RigProfile, openLoop: Bool
    ) throws -> SceneLibrary.Scene? {
        switch source {
        case .none, .standardInput: return nil
        case .room:
            if port != "sim" { _ = try head(nil, port) }
            _ = try RoomSight.camera(of: source, profile)
            return nil
        case .scene(let path, _, _):
            if port != "sim" { _ = try head(nil, port) }
            return try SceneLibrary.scene(named: path) ?? .init(recording: recording(path))
        case .file(let path, _, _):
            let recording = try recording(path)
            guard profile.camera.mount == .fixed || openLoop else {
                throw fail(
                    "a recording does not turn with the camera of \"\(profile.name)\": use scene:\(path), or add --open-loop",
                    status: 64)
            }
            return .init(recording: recording)
        case .child, .socket, .named:
            throw fail(
                "this verb accepts scene:PATH, file:PATH or stdin; dockface run accepts every source", status: 64)
        }
    }

    /// Returns the function that states what a camera looks at on the simulated head of this process, or on that of
    /// `dockface simulate` at a path.
    /// - Throws: an exit if the port is not a simulated rig.
    private static func head(_ dock: (any RigPort)?, _ port: String) throws -> @Sendable (Seconds) -> HeadView {
        if let dock { return { dock.view(at: $0) } }
        if port == "none" { return { _ in HeadView(.zero) } }
        guard let head = DistantHead(rig: port) else { throw needsSimulatedDock }
        return { head.view(at: $0) }
    }

    private static var needsSimulatedDock: ExitCode {
        fail(
            "a scene or a room needs a simulated dock, because its camera must know where the head points: use --port sim, or the --link path of dockface simulate",
            status: 64)
    }

    /// The port's name.
    var portName: String { dock?.path ?? port }

    /// Opens the port for a verb that drives the rig by itself.
    /// - Throws: an exit that says what to do, including when a daemon holds the port.
    func openPort(serial: RigProfile.Serial) throws -> any ByteLink {
        do {
            return try DockPort(try PortName(portName), serial: serial).open(waits: true)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Returns the exit of a verb that cannot open its port.
    static func refusal(_ error: DockError) -> ExitCode {
        guard error.code == .portBusy else { return error.exit }
        return fail(
            "\(error.message): to end the dockface that drives it, use `dockface quit`", status: error.exitStatus)
    }

    /// Starts the feeder.
    func start() { feeder?.start() }

    /// Ends feeder and dock.
    func close() {
        feeder?.stop()
        dock?.close()
    }

    /// Returns whether the stop was the last DLP/1 frame on the line: as our simulated dock received it, or otherwise
    /// as the loop wrote it.
    func stopWasLast(_ result: SessionSummary) -> Bool {
        guard result.loop.stoppedLast, let dock = dock as? SimulatedDockPort else { return result.loop.stoppedLast }
        let deadline = cposix_monotonic_now() + 0.2
        while !dock.lastFrameWasStop, cposix_monotonic_now() < deadline { usleep(1000) }
        return dock.lastFrameWasStop
    }

    private static func feeder(
        _ source: @escaping @Sendable (Seconds, inout [UInt8]) -> Seconds?
    ) throws -> PipeFeeder {
        guard let feeder = PipeFeeder(source: source) else {
            throw fail("no file descriptor is left for the detections: raise `ulimit -n`", status: 69)
        }
        return feeder
    }

    private static func recording(_ path: String) throws -> Recording {
        if access(path, F_OK) != 0, errno == ENOENT {
            let advice =
                SceneLibrary.scene(named: path) != nil
                ? "\(path) is a built-in scene: use scene:\(path)"
                : "check the path, which starts at the working folder, or use scene:two-people, which needs no file"
            throw fail("there is no file \(path); \(advice)", status: 65)
        }
        do {
            return try Recording(path: path)
        } catch {
            throw fail("\(error)", status: 65)
        }
    }
}

/// The simulated camera with its clock and its evaluation.
final class Scene: Sendable {
    /// The state that only the feeder's thread uses. It may wait for the head of another process.
    private struct Source {
        var camera: SceneCamera
        var cues: CuePlayer
        var hasBegun = false
    }

    /// The state that the loop's thread also uses. Its lock is never held while waiting.
    private struct Judging {
        var score = SceneScore()
        var pictures: [ScenePicture] = []
    }

    private let source: Mutex<Source>
    private let judging = Mutex(Judging())
    private let head: @Sendable (Seconds) -> HeadView
    private let view: CameraModel

    /// Creates a scene. `head` returns what the camera looks at, at a time (CLOCK_MONOTONIC), and may wait.
    init(
        camera: SceneCamera, cues: [StagedVisit.Cue], profile: RigProfile,
        head: @escaping @Sendable (Seconds) -> HeadView
    ) {
        source = Mutex(Source(camera: camera, cues: CuePlayer(cues, period: camera.duration)))
        self.head = head
        view = CameraModel(camera: profile.camera)
    }

    /// Appends the lines that are due. Returns when the next one is. Called on the feeder's thread only.
    func feed(now: Seconds, lines: inout [UInt8]) -> Seconds? {
        source.withLock { source in
            if !source.hasBegun {
                source.hasBegun = true
                source.camera.begin(now: now, into: &lines)
                source.cues.begin(now: now)
            }
            source.cues.play(now: now, into: &lines)
            while let due = source.camera.nextDelivery, due <= now {
                guard let picture = source.camera.deliver(looking: { head($0) }, into: &lines) else { break }
                // The frame is evaluated after the daemon has processed it, a few milliseconds later.
                judging.withLock { judging in
                    if judging.pictures.count == 32 { judging.pictures.removeFirst() }
                    judging.pictures.append(picture)
                }
            }
            return source.camera.nextDelivery
        }
    }

    /// Compares a tracked frame with the truth. Called on the loop's thread.
    func judge(_ frame: TrackedFrame) {
        judging.withLock { judging in
            guard let index = judging.pictures.firstIndex(where: { $0.sequence == frame.sequence }) else { return }
            let picture = judging.pictures.remove(at: index)
            let rect = frame.followed.flatMap { $0.coasting ? nil : $0.measured ?? $0.rect }
            let zoomed = view.magnified(by: picture.view.magnification)
            judging.score.judge(picture, followed: rect, setPoint: frame.setPoint) { zoomed.pose(toSee: $0, at: $1) }
        }
    }

    var score: SceneScore { judging.withLock { $0.score } }
}

/// A recording that is played unchanged.
private final class Replay: Sendable {
    private let pacer: Mutex<ReplayPacer>

    init(_ pacer: ReplayPacer) { self.pacer = Mutex(pacer) }

    func feed(now: Seconds, lines: inout [UInt8]) -> Seconds? {
        pacer.withLock { pacer in
            pacer.appendDue(at: now, into: &lines)
            return pacer.deadline
        }
    }
}
