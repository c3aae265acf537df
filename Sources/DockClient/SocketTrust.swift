internal import DockTypes
internal import Files
internal import Glibc

/// Checks who is at the other end of a control socket. In a folder that others can write to, such as /tmp, any user
/// could wait there for a stop and answer that it was executed.
enum SocketTrust {
    /// Rejects a folder in which others can put a socket, or a link to one. Used for folders that the user has not
    /// named. A folder that is missing or cannot be opened is accepted, because the connection then fails.
    /// - Throws: `permission`.
    static func checkFolder(of path: String) throws(DockError) {
        let path = ControlSocketPath.folder(of: path), trust: FolderTrust
        do throws(PathFailure) {
            trust = try OpenFolder.open(path).trust
        } catch {
            guard error.number == EPERM, let text = error.text else { return }
            throw refusal(path, text, remedy: nil)
        }
        if trust.host == nil, let problem = trust.problemAsPublic { throw refusal(path, problem, remedy: trust.remedy) }
    }

    /// Rejects a listener at the other end of a connection, unless it is this user, root, or the owner of the socket's
    /// folder. The owner counts only if root gave the folder to that user, as for the service.
    /// - Throws: `permission`.
    static func check(_ connection: Int32, to path: String) throws(DockError) {
        guard let user = SocketPeer(of: connection)?.user else {
            throw DockError(
                .permission, "cannot determine which user listens at \(path): \(String(cString: strerror(errno)))",
                hint: "give dockface's socket with --socket PATH")
        }
        guard user != 0, user != geteuid() else { return }
        // The folder is read after the connection was made. If it was replaced before that, the new one is checked.
        let host = (try? OpenFolder.open(ControlSocketPath.folder(of: path)))?.trust.host
        guard user != host else { return }
        throw DockError(
            .permission, "user \(user) listens at \(path), not you, root or the service: nothing was sent",
            hint: "give the socket of your daemon with --socket PATH, or run the same command as that user")
    }

    private static func refusal(_ folder: String, _ problem: String, remedy: String?) -> DockError {
        DockError(
            .permission, "the folder \(folder) is not safe, so nothing was sent there: \(problem)",
            hint: (remedy.map { "type `\($0)`, or " } ?? "")
                + "set XDG_RUNTIME_DIR to a folder of your own, or give --socket PATH")
    }
}
