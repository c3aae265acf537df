import Aerie
import DockTypes
import ExtensionKit
import Files
import Glibc
import Networking
import Room

/// What the server needs before it listens: its secret, its certificate, and where it listens.
struct RoomPlace: Sendable {
    let settings: RoomSettings
    let secret: SharedSecret
    let plan: ServerPlan
    private let secretPath: String

    /// Reads the files. The first start makes a secret.
    init(_ settings: RoomSettings, _ log: ExtensionLog) throws(DockError) {
        self.settings = settings
        let credential = ProcessEnvironment.value("CREDENTIALS_DIRECTORY").map { $0 + "/room-secret" }
        if settings.secretFile.isEmpty, let credential, access(credential, F_OK) == 0 {
            secretPath = credential
        } else {
            secretPath = settings.secretFile.isEmpty ? SecretFile.usual : settings.secretFile
        }
        let file = SecretFile(secretPath)
        if try file.makeIfMissing() { log.note("made a new secret in \(secretPath)") }
        secret = try file.read()
        var plan = ServerPlan(host: settings.host, port: settings.port, identity: try Self.identity(settings))
        plan.origins = Set(settings.origins)
        self.plan = plan
    }

    private static func identity(_ settings: RoomSettings) throws(DockError) -> ServerIdentity? {
        guard !settings.certificate.isEmpty || !settings.key.isEmpty else { return nil }
        return try ServerIdentity(certificates: try bytes(settings.certificate), key: try bytes(settings.key))
    }

    private static func bytes(_ path: String) throws(DockError) -> [UInt8] {
        guard !path.isEmpty, let text = try StoredFile.read(path) else {
            throw DockError(
                .configuration, path.isEmpty ? "a certificate needs a key" : "there is no file \(path)",
                hint: "set both `certificate` and `key`")
        }
        return Array(text.utf8)
    }

    /// What a person must know to connect a robot.
    func beginning(port: Int) -> [String] {
        let scheme = plan.identity == nil ? "ws" : "wss"
        var lines = ["listening on \(scheme)://\(settings.host):\(port) until Ctrl-C; no pictures are kept"]
        if let certificate = plan.identity?.certificate {
            lines.append("fingerprint of the certificate: \(certificate.fingerprint)")
        } else {
            lines.append("without encryption: everyone in the network can see what robots send")
        }
        lines.append("robots need the secret of \(secretPath): copy it to the same place on their machines")
        return lines
    }
}
