import Aerie
import ArgumentParser
import DockTypes
import ExtensionKit
import Files
import Glibc
import Networking
import Uplink

/// What every verb reads first: the settings, the secret and the robot's name for itself.
enum UplinkPlace {
    /// The port if the address names none.
    static let usualPort = 8000

    static let log = ExtensionLog(DockfaceUplink.identity.name)

    /// The settings of files and variables.
    static func settings() throws(DockError) -> UplinkSettings {
        var settings = UplinkSettings()
        do throws(FileError) {
            try ExtensionSettings("uplink").read(UplinkSettings.rows, into: &settings)
        } catch {
            throw DockError(error)
        }
        return settings
    }

    /// The error for a run without any output.
    static let nothing = DockError(
        .configuration, "no server is chosen, so nothing is sent",
        hint: "pass --server wss://HOST:\(usualPort), or set `server` in uplink.toml, or use --mcap FILE or --stream; "
            + "docs/UPLINK.md has the steps")

    /// Returns the server's address.
    /// - Throws: `configuration` if none is set.
    static func address(_ settings: UplinkSettings) throws(DockError) -> ServerAddress {
        guard !settings.server.isEmpty else { throw nothing }
        return try ServerAddress(settings.server, defaultPort: usualPort)
    }

    /// Reads the secret: from the service manager's credentials, from the file of the settings, or from the usual one.
    static func secret(_ settings: UplinkSettings) throws(DockError) -> SharedSecret {
        let credentials = ProcessEnvironment.value("CREDENTIALS_DIRECTORY").map { $0 + "/room-secret" }
        if settings.link.secretFile.isEmpty, let path = credentials, access(path, F_OK) == 0 {
            return try SecretFile(path).read()
        }
        let path = settings.link.secretFile
        return try SecretFile(path.isEmpty ? SecretFile.usual : path).read()
    }

    /// The robot's name for people.
    static func name(_ settings: UplinkSettings) -> String {
        guard settings.name.isEmpty else { return settings.name }
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns who this robot is. The name for itself is made once.
    static func identity(_ settings: UplinkSettings) throws(DockError) -> UplinkIdentity {
        UplinkIdentity(
            device: try DeviceFile().name(), name: name(settings),
            version: DockfaceUplink.identity.version, secret: try secret(settings))
    }

    /// Runs a verb. An error is written to standard error, and becomes the exit status of its kind.
    static func reporting<Result>(_ body: () async throws(DockError) -> Result) async throws -> Result {
        do throws(DockError) {
            return try await body()
        } catch {
            throw ExitCode(log.failure(error))
        }
    }
}
