import Companion
import DockClient
import DockControl
import Files
import Glibc

/// One more rig of the same daemon. It has a separate session, thread, guard and control socket, and no face.
struct OtherRig {
    let name: String
    /// The port, as typed or adopted.
    let port: String
    let bench: Bench
    let session: CompanionSession

    /// Parses an adopted rig's name, or PORT=PROFILE.
    /// - Parameter taken: the names of the daemon's other rigs.
    init(_ text: String, taken: Set<String>, dryRun: Bool, hotplug: PortMonitor.Source?) throws {
        guard !text.isEmpty, !text.hasPrefix("="), !text.hasSuffix("=") else {
            throw fail("--also \(text): give an adopted rig's name, or PORT=PROFILE", status: 64)
        }
        let parts = Self.parts(of: text)
        let rig = try RigArguments(port: parts.port, profile: parts.profile)
        let base = shortName(ofProfile: parts.profile ?? parts.port)
        // A number distinguishes two rigs of one profile.
        name = taken.contains(base) ? (2...999).map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base : base
        port = rig.port
        bench = try Bench(port: rig.port, profile: rig.profile, source: .none, openLoop: false)
        var configuration = SessionConfiguration(profile: rig.profile, port: bench.portName)
        // Only programs with their own frames steer this rig.
        configuration.dock.cameraIsElsewhere = rig.port == "sim" && rig.profile.camera.mount == .head
        configuration.dock.profileName = rig.profileName
        configuration.face.headless = true
        configuration.host.ownsProcess = false
        configuration.host.logName = name
        configuration.dock.dryRun = dryRun
        configuration.dock.hotplug = hotplug
        // No detector steers this rig; programs and words at its socket do.
        configuration.dock.mode = .manual
        configuration.dock.waitsForPort = true
        configuration.control = .socket(Self.socket(name))
        configuration.camera = AnnouncedCamera(needsListener: true) { _ in }
        configuration.dock.guardian = try EarlyGuard.take()
        do {
            session = try CompanionSession(configuration)
        } catch {
            throw error.exit
        }
    }

    /// Splits the text into a port or name, and the profile if it names one. Neither a USB place nor a usual device
    /// path contains "=".
    static func parts(of text: String) -> (port: String, profile: String?) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// Runs all sessions until the first one ends. If another one fails, the error is reported and the rest continue.
    static func run(_ first: CompanionSession, beside others: [OtherRig]) async throws -> SessionSummary {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for other in others {
                group.addTask {
                    do {
                        _ = try await other.session.run()
                    } catch {
                        _ = fail("[\(other.name)] \(error)", status: 0)
                    }
                }
            }
            let result = await Swift.Result { try await first.run() }
            for other in others { other.session.requestEnd() }
            try await group.waitForAll()
            return try result.get()
        }
    }

    /// Returns the socket `dockface-NAME.sock`, in the same folder as the usual one.
    private static func socket(_ name: String) -> String {
        let usual = ControlSocketPath.default(
            environment: ProcessEnvironment.values("XDG_RUNTIME_DIR"), uid: geteuid())
        let folder = usual.split(separator: "/").dropLast().joined(separator: "/")
        return "/\(folder)/dockface-\(name).sock"
    }

}

extension Result where Failure == any Error {
    /// Creates the result of an asynchronous call.
    init(_ call: () async throws -> Success) async {
        do {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }
}
