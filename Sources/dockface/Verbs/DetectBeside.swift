import CPosix
import ControlProtocol
import DockClient
import DockTypes
import FaceTracker
import Geometry
import Glibc
import RobotFace

/// `dockface detect` beside a running daemon: what its detector finds, without another look through its camera.
struct DetectBeside {
    let socket: String?
    let isJSON: Bool, hasSummary: Bool
    let seconds: Double?

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        do {
            let client = try connect()
            let sight = try DaemonSight(client)
            guard sight.hasCamera || sight.source != "none" else {
                throw DockError(
                    .notSupported, "the running dockface has neither a camera nor a detector", hint: Self.ways)
            }
            try show(client, sight)
        } catch let error as DockError {
            throw error.exit
        }
    }

    /// Both ways to see something.
    private static let ways =
        "start one that has a camera (dockface run --camera /dev/video0), or look through a camera yourself: "
        + "dockface detect --camera /dev/video0 (see: dockface cameras)"

    private func connect() throws(DockError) -> ControlClient {
        do throws(DockError) {
            return try ControlClient(path: socket)
        } catch {
            guard error.code == .notConnected else { throw error }
            throw DockError(.notConnected, error.message, hint: Self.ways)
        }
    }

    private func show(_ client: ControlClient, _ sight: DaemonSight) throws {
        let end = seconds.map { cposix_monotonic_now() + $0 }
        let wantsPicture = isTerminal(1) && !isJSON && sight.hasCamera
        let screen = try wantsPicture ? Self.screen(sight) : nil
        // With a picture on the screen, Ctrl-Z and Ctrl-\\ also end it, so that the terminal is restored.
        client.interrupt = cposix_signal_descriptor(wantsPicture)
        let topics: [Topic] = wantsPicture ? [.detections, .tracking, .layers] : [.detections]
        try client.subscribe(topics, everyFrame: wantsPicture)
        let lines: any DetectShow = isJSON ? JSONShow(isFilm: false) : TextShow()
        var turn = DetectBesideTurn(client, sight, screen.map { $0 as any DetectShow } ?? lines, end: end)
        guard turn.begin() else { throw fail("the terminal's settings cannot be changed: pass --json", status: 69) }
        do throws(DockError) {
            while try turn.next() {}
        } catch {
            turn.finish()
            throw error
        }
        turn.finish()
        if hasSummary { print(turn.summary(try? DaemonSight(client))) }
    }

    private static func screen(_ sight: DaemonSight) throws -> DetectBesideShow {
        do {
            return try DetectBesideShow(stand: sight.stand)
        } catch let error as TerminalError {
            throw fail("\(error): or pass --json", status: 69)
        }
    }
}

/// What a daemon says about its camera, and about the detector that steers.
struct DaemonSight {
    /// The daemon's source of detections, such as "exec" or "none".
    var source: String
    /// Whether the daemon has a camera of its own, and whether that delivers frames.
    var hasCamera = false, isCameraRunning = false
    /// What is wrong with the camera, or with the detector; nil if nothing is.
    var cameraProblem: String?, detectorProblem: String?
    /// The name that the detector gives itself, or nil if it gives none.
    var detector: String?
    /// The detector's time for a frame, in seconds, or nil if it is unknown.
    var latency: Double?
    /// How often camera and detector were restarted.
    var restarts = 0
    /// The geometry of the head, or nil if it is unknown.
    var stand: StandReading?

    /// Why there are no answers.
    var silence: String { detectorProblem ?? "the detector does not answer" }

    /// Asks the daemon.
    init(_ client: ControlClient) throws(DockError) { self.init(try client.call("status", timeout: 2)) }

    /// Reads the result of `status`.
    init(_ status: JSONValue) {
        let detection = status["detector"] ?? .null
        source = detection["source"]?.string ?? "none"
        stand = status["rig"]?["stand"].flatMap(StandReading.init(json:))
        if let camera = detection["camera"], !camera.isNull {
            hasCamera = true
            isCameraRunning = camera["state"]?.string == "running"
            cameraProblem = camera["problem"]?.string
            restarts = camera["restarts"]?.integer ?? 0
        }
        let active = detection["sources"]?.array?.first { $0["active"]?.bool == true }
        detector = active?["detector"]?.string
        detectorProblem = active?["problem"]?.string
        latency = active?["latency"]?.number
        restarts = max(0, restarts &+ (active?["restarts"]?.integer ?? 0))
    }
}
