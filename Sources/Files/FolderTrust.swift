internal import Glibc

/// Decides whether users other than this user and root can change the contents of a folder. It examines every folder on
/// the path from the root.
///
/// A pure value: `entering` receives the system's description of the next folder.
public struct FolderTrust: Sendable, Equatable {
    /// A folder as the system describes it.
    public struct Folder: Sendable, Equatable {
        /// The path from the root.
        public var path: String
        /// The user ID of its owner.
        public var owner: UInt32
        /// The permission bits, including the sticky bit.
        public var mode: UInt32
        /// Whether the user is the only member of its group.
        public var hasPrivateGroup = false

        /// Creates the description of a folder.
        public init(path: String, owner: UInt32, mode: UInt32) {
            (self.path, self.owner, self.mode) = (path, owner, mode)
        }

        /// Creates the description of a folder from its status. `privateGroup` is a group whose only member is the
        /// user.
        init(path: String, _ status: stat, privateGroup: UInt32?) {
            self.init(path: path, owner: status.st_uid, mode: status.st_mode)
            hasPrivateGroup = status.st_gid == privateGroup
        }

        /// Whether its group or all users may write to it.
        var isOpen: Bool { mode & 0o022 != 0 }
        /// Whether other users may write to it. A private group does not count, because its only member is the user:
        /// many systems use one for new folders.
        var isOpenToOthers: Bool { mode & (hasPrivateGroup ? 0o002 : 0o022) != 0 }
        /// Whether it is sticky: only the owner of a file can replace or remove it.
        var isSticky: Bool { mode & 0o1000 != 0 }
    }

    /// The folder itself.
    public let folder: Folder
    /// The user who wants to rely on the folder.
    public let user: UInt32
    /// The user to whom root gave this folder or one above it, such as a home or a service's folder, or nil if there is
    /// none.
    public private(set) var givenTo: UInt32?
    /// The problem with the folders above it, or nil if there is none.
    private let above: Problem?
    /// The owner of `/`, who owns the system's folders. In a user namespace, root is not mapped to 0.
    private let system: UInt32

    /// Why a folder cannot be relied on.
    private struct Problem: Sendable, Equatable {
        /// The reason, as a clause that names the folder.
        let text: String
        /// The command with which this user makes the folder safe, or nil if the folder belongs to another user or is
        /// public.
        let command: String?
    }

    /// Creates the trust in the root of the file system.
    public init(root: Folder, user: UInt32) {
        (folder, self.user, system, above) = (root, user, root.owner, nil)
    }

    private init(_ folder: Folder, below parent: FolderTrust) {
        (self.folder, user, system) = (folder, parent.user, parent.system)
        above = parent.above ?? parent.problemAsWay
        // If others can create a folder here, its owner must not count as the user whom root chose.
        guard !parent.folder.isOpenToOthers else { return }
        if let owner = parent.givenTo {
            givenTo = [owner, user, 0].contains(folder.owner) ? owner : nil
        } else if parent.problemForLinks == nil, parent.folder.owner == 0 || parent.folder.owner == system,
            folder.owner != 0, folder.owner != user
        {
            givenTo = folder.owner
        }
    }

    /// Returns the trust in a folder inside this one.
    public func entering(_ next: Folder) -> FolderTrust { FolderTrust(next, below: self) }

    /// Why others can change its contents, as a clause that names the folder, or nil if only this user and root can.
    public var problem: String? { first?.text }

    /// The command with which this user solves the problem, or nil if there is no problem or if the user should choose
    /// another folder.
    ///
    /// It names the folder at fault, which may be one above this folder.
    public var remedy: String? { first?.command }

    private var first: Problem? { above ?? ownerProblem ?? (folder.isOpen ? openProblem : nil) }

    /// The same as `problem`, applied to links in it and to files that a person named. A private group does not count
    /// as others.
    public var problemForLinks: String? { (above ?? ownerProblem ?? (folder.isOpenToOthers ? openProblem : nil))?.text }

    /// The same as `problem`, applied to a public sticky folder such as /tmp, where others cannot touch this user's
    /// files.
    public var problemAsPublic: String? {
        (above ?? ownerProblem ?? (folder.isOpen && !folder.isSticky ? openProblem : nil))?.text
    }

    /// Whether root relies on it although it belongs to another user, because root gave it to that user.
    public var isForRoot: Bool { user == 0 && host != nil }

    /// The user who may answer at a socket in it, besides this user and root, or nil if there is none.
    public var host: UInt32? { folder.isOpen ? nil : givenTo }

    private var ownerProblem: Problem? {
        folder.owner == user || folder.owner == 0
            ? nil : Problem(text: "the folder \(folder.path) belongs to user \(folder.owner)", command: nil)
    }

    private var openProblem: Problem {
        let isMine = folder.owner == user && !folder.isSticky
        return Problem(
            text: "others can write to the folder \(folder.path)",
            command: isMine ? "chmod go-w \(Self.word(folder.path))" : nil)
    }

    /// Returns a path as one word of a shell.
    private static func word(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            byte >= 0x2B && byte <= 0x3A && byte != 0x2C || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F
        }
        return isPlain
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The problem with this folder as part of a path: its owner, and users who can write to it, can replace the next
    /// folder.
    private var problemAsWay: Problem? {
        (folder.owner == system ? nil : ownerProblem) ?? (folder.isOpenToOthers && !folder.isSticky ? openProblem : nil)
    }
}
