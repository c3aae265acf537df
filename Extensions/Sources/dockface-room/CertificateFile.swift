import Aerie
import DockTypes
import ExtensionKit
import Files
import Glibc
import Networking

/// The certificate and the key of the server: files of its owner, or a file that the first start makes.
enum CertificateFile {
    /// The file that the first start makes, with key and certificate. Only its owner may read it. It is one file, so that
    /// there is never one without the other. A service may write in the folder for state, and in no other.
    static var usual: String? { UserFolder.state.map { $0 + "/room/certificate.pem" } }

    /// Returns the certificate and the key, or nil if nothing is to be encrypted.
    /// - Throws: `configuration` if they cannot be used; `permission` if other users may read the key, or this user may
    ///   not.
    static func identity(_ settings: RoomSettings, _ log: ExtensionLog) throws(DockError) -> ServerIdentity? {
        let isGiven = !settings.certificate.isEmpty || !settings.key.isEmpty
        guard !settings.isPlain else {
            guard isGiven else { return nil }
            throw DockError(
                .configuration, "there is a certificate, but nothing is to be encrypted",
                hint: "leave out `plain`, or `certificate` and `key`")
        }
        if isGiven { return try read(settings.certificate, key: settings.key) }
        guard let path = usual else {
            throw DockError(
                .configuration, "this user has no folder for a certificate",
                hint: "set HOME or XDG_STATE_HOME, or name files with `certificate` and `key`")
        }
        if access(path, F_OK) != 0, try make(path) { log.note("made a new certificate in \(path)") }
        return try read(path, key: path)
    }

    /// Makes a certificate, unless another program makes one at the same time. Returns whether it did.
    private static func make(_ path: String) throws(DockError) -> Bool {
        let own = try OwnCertificate(name: "dockface room")
        var lines = ["-----BEGIN CERTIFICATE-----"], rest = Base64.encode(own.certificate)[...]
        while !rest.isEmpty {
            lines.append(String(decoding: rest.prefix(64), as: UTF8.self))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END CERTIFICATE-----\n")
        return try StoredFile.create(own.key + lines.joined(separator: "\n"), at: path, mode: 0o600)
    }

    // MARK: reading

    private static func read(_ certificate: String, key: String) throws(DockError) -> ServerIdentity {
        guard !certificate.isEmpty, !key.isEmpty else {
            throw DockError(
                .configuration, certificate.isEmpty ? "a key needs a certificate" : "a certificate needs a key",
                hint: "set both `certificate` and `key`; they may be in one file")
        }
        let chain = try text(certificate)
        try checkPrivacy(key)
        let secret = try text(key)
        do throws(DockError) {
            let identity = try ServerIdentity(certificates: Array(chain.utf8), key: Array(secret.utf8))
            // Robots compare the fingerprint of the server's own certificate, whatever the clocks say.
            try identity.check(at: certificate == usual ? nil : SystemTime.unix)
            return identity
        } catch {
            let place = certificate == key ? certificate : "\(certificate), \(key)"
            let hint =
                certificate == usual
                ? "move it away, and the next start makes a new one; robots then need its fingerprint" : error.hint
            throw DockError(error.code, "\(place): \(error.message)", hint: hint)
        }
    }

    private static func text(_ path: String) throws(DockError) -> String {
        guard let text = try StoredFile.read(path) else {
            throw DockError(
                .configuration, "there is no file \(path)", hint: "set both `certificate` and `key`")
        }
        return text
    }

    /// Only the server's user may read the key. A group may read one that belongs to root, as Debian's `ssl-cert` does.
    private static func checkPrivacy(_ path: String) throws(DockError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let foreign: mode_t = status.st_uid == 0 ? 0o037 : 0o077
        // A credential of the service manager belongs to root, and only the service may read it.
        guard status.st_mode & foreign != 0, !path.hasPrefix("/run/credentials/") else { return }
        throw DockError(.permission, "other users may read the key in \(path)", hint: "run: chmod 600 \(path)")
    }
}
