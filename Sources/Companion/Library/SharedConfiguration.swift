internal import Camera
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Files

/// The configuration of `DockAccessoryManager.shared`, from the settings of `dockface run`: its rig, its camera and
/// detectors, and how its dock behaves. The settings of its face, its sockets and its log do not apply to a program
/// that embeds a session.
struct SharedConfiguration: Sendable {
    /// The variables and files.
    let settings: Settings
    /// The adopted rigs.
    var book = RigRegistry()
    /// The profiles.
    var library = ProfileLibrary()

    /// Reads the settings of this process, or says what is wrong with them.
    static func read() -> Result<SharedConfiguration, DockError> {
        do {
            return .success(SharedConfiguration(settings: try Settings.read()))
        } catch {
            return .failure(
                DockError(.configuration, lines: error.lines, hint: "correct it; see `dockface config check`"))
        }
    }

    /// Whether the shared manager looks for a daemon. A port that was named for this process alone means that dock, and not
    /// the one of a daemon, unless its socket was named, too.
    static var join: DockAccessoryManager.Join {
        let isOwnPort = ProcessEnvironment.value("DOCKFACE_PORT") != nil
        return isOwnPort && ProcessEnvironment.value("DOCKFACE_SOCKET") == nil ? .never : .daemon(socket: nil)
    }

    /// Returns the whole configuration. The socket of a detector is open from then on; camera and detectors are not
    /// started.
    /// - Throws: `DockError` with what is wrong or missing.
    func configuration() throws(DockError) -> SessionConfiguration {
        var configuration = try rigConfiguration()
        try addVision(to: &configuration)
        return configuration
    }

    /// Returns the configuration without camera and detectors, which are checked, but not opened.
    /// - Throws: `DockError` with what is wrong or missing.
    func rigConfiguration() throws(DockError) -> SessionConfiguration {
        let rig = try rig()
        var configuration = SessionConfiguration(profile: rig.profile, port: rig.port)
        configuration.dock.hotplug = text("hotplug").flatMap { PortMonitor.Source(rawValue: $0) }
        configuration.dock.mode = text("mode").flatMap { TrackingMode(rawValue: $0) }
        configuration.dock.policy.greets = text("greeting") != "off"
        configuration.dock.policy.searches = settings.value(of: "search")?.flag ?? true
        configuration.dock.policy.goesHome = settings.value(of: "home")?.flag ?? true
        configuration.dock.slowsNear = settings.value(of: "near")?.flag ?? false
        configuration.tuning.limits = settings.value(of: "limits")?.texts ?? []
        configuration.tuning.speed = (settings.value(of: "speed")?.number ?? 100) / 100
        configuration.tuning.framing = text("framing").flatMap { FramingMode(rawValue: $0) } ?? .automatic
        if let refusal = configuration.tuning.refusal(for: rig.profile) { throw refusal }
        _ = try visionPlan()
        return configuration
    }

    private func text(_ key: String) -> String? { settings.value(of: key)?.text }

    private func rig() throws(DockError) -> ChosenRig {
        let port = text("port"), profile = text("profile")
        if port == nil, profile == nil, try book.all().isEmpty {
            throw DockError(
                .configuration, "no port is named, and no rig is adopted",
                hint: "set DOCKFACE_PORT, use `dockface adopt`, or create a manager with a configuration")
        }
        let rig = try ChosenRig(port: port, profile: profile, waits: true, book: book, library: library) { _ in }
        guard !["sim", "none"].contains(rig.port) else {
            throw DockError(
                .configuration, "only `dockface run` has the port \(rig.port)",
                hint: "start `dockface simulate --link PATH`, and name that path as the port")
        }
        return rig
    }

    /// Adds the camera and the detectors, and opens the socket of a detector.
    /// - Throws: `DockError` with what is wrong or missing.
    func addVision(to configuration: inout SessionConfiguration) throws(DockError) {
        let plan = try visionPlan(), vision: Vision?
        do {
            vision = try plan.vision(
                profile: configuration.dock.profile, rate: settings.value(of: "detector_fps")?.number ?? 10,
                scores: text("detector_scores").flatMap { DetectorScores($0) }, openLoop: false)
        } catch {
            throw error.error
        }
        guard let vision else { return }
        configuration.vision = vision
        configuration.detections = .descriptor(vision.descriptor)
        configuration.source = plan.camera.map { "camera " + $0.name } ?? detectors.first
    }

    private var detectors: [String] { settings.value(of: "detector")?.texts ?? [] }

    private func visionPlan() throws(DockError) -> VisionPlan {
        let plan: VisionPlan
        do {
            plan = try VisionPlan(
                camera: text("camera"), others: settings.value(of: "other_cameras")?.texts ?? [],
                size: text("camera_size"), detectors: detectors)
        } catch {
            throw error.error
        }
        if let other = plan.other, other != DetectionSource.none {
            throw DockError(
                .configuration, "only `dockface run` has the detector \(other.word)",
                hint: "use a camera, exec:COMMAND or unix:PATH, or create a manager with a configuration")
        }
        return plan
    }
}
