internal import DockControl
internal import Glibc

/// The one check of the folders that daemon and verbs rely on: sockets and latches are only where nobody but this user and root
/// can put, exchange or remove a file. Root also relies on a folder that root gave to a user, as a service's.
enum TrustedFolder {
    /// Opens a folder.
    /// - Parameters:
    ///   - makes: which missing folders are made, for their owner only.
    ///   - takesPublic: a sticky folder of everybody, as /tmp, will do: there others cannot touch the files of this user.
    ///   - hint: what to do where it cannot be used, as an imperative.
    /// - Throws: `permission` if others can change what is in it, and says how; `cannotOpen` if there is no such folder.
    static func open(
        _ path: String, makes: PathWalk.Makes = .none, takesPublic: Bool = false, hint: String
    ) throws(DockError) -> OpenFolder {
        let folder: OpenFolder
        do throws(PathFailure) {
            folder = try OpenFolder.open(path, makes: makes)
        } catch {
            let isForbidden = [EACCES, EPERM, EROFS].contains(error.number)
            let what = error.text ?? String(cString: strerror(error.number))
            throw DockError(
                isForbidden ? .permission : .cannotOpen, "cannot use the folder \(path): \(what)", hint: hint)
        }
        let trust = folder.trust
        guard let problem = takesPublic ? trust.problemAsPublic : trust.problem, !trust.isForRoot else { return folder }
        throw DockError(.permission, "the folder \(path) is not safe: \(problem)", hint: hint)
    }
}
