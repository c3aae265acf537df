public import DockTypes
internal import Files
internal import Glibc

/// A file with the secret of a room, which only its owner may read.
public struct SecretFile: Sendable {
    /// Where it is.
    public let path: String

    /// The usual file of a user.
    public static var usual: String { UserFolder.configuration + "/room.secret" }

    /// Names a file.
    public init(_ path: String) { self.path = path }

    /// Reads the secret. White space around it does not count.
    /// - Throws: `configuration` if there is no file or no secret in it; `permission` if others may read it.
    public func read() throws(DockError) -> SharedSecret {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw DockError(
                .configuration, "there is no secret in \(path)",
                hint: "copy the file room.secret of the room server there, readable only by you")
        }
        // A credential of the service manager belongs to root, and only the service may read it.
        guard status.st_mode & 0o077 == 0 || path.hasPrefix("/run/credentials/") else {
            throw DockError(
                .permission, "other users may read the secret in \(path)", hint: "run: chmod 600 \(path)")
        }
        let text = (try StoredFile.read(path) ?? "").trimmed
        guard let secret = SharedSecret(text) else {
            throw DockError(
                .configuration,
                "the secret in \(path) does not have \(SharedSecret.shortest) to \(SharedSecret.longest) bytes",
                hint: "let `dockface room` make one")
        }
        return secret
    }

    /// Makes a new secret, unless there is a file. Returns whether it did.
    /// - Throws: `permission`, `cannotOpen`.
    public func makeIfMissing() throws(DockError) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        // Another program may make one at the same time.
        return try StoredFile.create(SharedSecret.random() + "\n", at: path, mode: 0o600)
    }
}

extension String {
    fileprivate var trimmed: String {
        let kept = drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }
}
