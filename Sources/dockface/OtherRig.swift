import Companion
import DockControl
import Glibc

/// One more rig of the same daemon: a session of its own, with its own thread, guard and control socket, without a face.
struct OtherRig {
    let name: String
    /// As it was typed or adopted.
    let port: String
    let bench: Bench
    let session: CompanionSession

    /// As it was typed: an adopted rig's name, or PORT=PROFILE.
    /// - Parameter taken: names that other rigs of this daemon have.
    init(_ text: String, taken: Set<String>, dryRun: Bool, hotplug: PortMonitor.Source?) throws {
        guard !text.isEmpty, !text.hasPrefix("="), !text.hasSuffix("=") else {
            throw fail("--also \(text): an adopted rig's name, or PORT=PROFILE", status: 64)
        }
        let parts = Self.parts(of: text)
        let rig = try RigArguments(port: parts.port, profile: parts.profile)
        let wish = shortName(ofProfile: parts.profile ?? parts.port)
        // Two rigs of one profile are told apart by a number.
        name = taken.contains(wish) ? (2...999).map { "\(wish)-\($0)" }.first { !taken.contains($0) } ?? wish : wish
        port = rig.port
        bench = try Bench(port: rig.port, profile: rig.profile, source: .none, openLoop: false)
        var configuration = SessionConfiguration(profile: rig.profile, port: bench.portName)
        configuration.headless = true
        configuration.ownsProcess = false
        configuration.logName = name
        configuration.dryRun = dryRun
        configuration.hotplug = hotplug
        // Nobody's detector steers it; programs and words at its socket do.
        configuration.mode = .manual
        configuration.waitsForPort = true
        configuration.control = .socket(Self.socket(name))
        configuration.camera = AnnouncedCamera { _ in }
        configuration.guardian = try EarlyGuard.take()
        do {
            session = try CompanionSession(configuration)
        } catch {
            throw error.exit
        }
    }

    /// Port or name, and the profile where one is named: a place on the USB has no "=", and neither has a path that anybody
    /// gives a port.
    static func parts(of text: String) -> (port: String, profile: String?) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// Runs all until the first one ends; what becomes of another is told, and the rest goes on.
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

    /// Beside the usual socket: `dockface-NAME.sock`.
    private static func socket(_ name: String) -> String {
        let usual = ControlSocketPath.default(
            environment: ProcessEnvironment.values("XDG_RUNTIME_DIR"), uid: geteuid())
        let folder = usual.split(separator: "/").dropLast().joined(separator: "/")
        return "/\(folder)/dockface-\(name).sock"
    }

}

extension Result where Failure == any Error {
    /// What an asynchronous call came to.
    init(_ call: () async throws -> Success) async {
        do {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }
}
