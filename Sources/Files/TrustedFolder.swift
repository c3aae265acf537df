public import DockTypes
internal import Glibc

/// The single check of the folders that the daemon and the verbs rely on.
///
/// Sockets and latches may only be in folders where no user other than this user and root can create, replace or remove
/// a file. Root also relies on a folder that root gave to a user, such as a service's.
public enum TrustedFolder {
    /// Opens a folder.
    /// - Parameters:
    ///   - makes: which missing folders are created, for their owner only.
    ///   - takesPublic: whether a public sticky folder such as /tmp is accepted: others cannot touch this user's files
    ///     there.
    ///   - hint: which other folder to use, as an imperative; the command that makes an unsafe folder safe precedes it.
    /// - Throws: `permission` if others can change its contents, with the reason; `cannotOpen` if there is no such
    ///   folder.
    public static func open(
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
        throw DockError(
            .permission, "the folder \(path) is not safe: \(problem)",
            hint: (trust.remedy.map { "type `\($0)`, or " } ?? "") + hint)
    }
}
