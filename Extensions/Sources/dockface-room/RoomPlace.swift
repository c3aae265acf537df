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

    /// Reads the files. The first start makes a secret and a certificate.
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
        let identity = try CertificateFile.identity(settings, log)
        var plan = ServerPlan(host: settings.host, port: settings.port, identity: identity)
        plan.origins = Set(settings.origins)
        // Programs of the source system know no fingerprint.
        plan.plainClients = settings.isLenient ? .all : .local
        self.plan = plan
    }

    /// What a person must know to connect a robot.
    func beginning(port: Int) -> [String] {
        let scheme = plan.identity == nil ? "ws" : "wss"
        var lines = ["listening on \(scheme)://\(settings.host):\(port) until Ctrl-C; no pictures are kept"]
        if let certificate = plan.identity?.certificate {
            let whose = certificate.isSelfSigned ? "" : " that do not know the certificate's authority"
            lines.append("for the uplink.toml of robots\(whose): fingerprint = \"\(certificate.fingerprint)\"")
        } else {
            lines.append("without encryption: everyone in the network can see what robots send")
        }
        lines.append("robots need the secret of \(secretPath): copy it to the same place on their machines")
        return lines
    }
}
