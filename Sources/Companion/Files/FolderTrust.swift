internal import Glibc

/// Whether anybody but this user and root can change what a folder holds, judged folder by folder on the way from the root.
///
/// A pure value: `entering` gets what the system says of the next folder.
struct FolderTrust: Sendable, Equatable {
    /// A folder as the system describes it.
    struct Folder: Sendable, Equatable {
        var path: String
        var owner: UInt32
        /// Permission bits, the sticky bit included.
        var mode: UInt32
        /// Its group has one member, who is the user.
        var hasPrivateGroup = false

        init(path: String, owner: UInt32, mode: UInt32) { (self.path, self.owner, self.mode) = (path, owner, mode) }

        /// `privateGroup`: a group with one member, who is the user.
        init(path: String, _ status: stat, privateGroup: UInt32?) {
            self.init(path: path, owner: status.st_uid, mode: status.st_mode)
            hasPrivateGroup = status.st_gid == privateGroup
        }

        /// Its group or everybody may write to it.
        var isOpen: Bool { mode & 0o022 != 0 }
        /// The same for a folder that the user has made with the system's usual permissions: what a group of one may, the user may.
        var isOpenToOthers: Bool { mode & (hasPrivateGroup ? 0o002 : 0o022) != 0 }
        /// Everybody can make files in it, and only the owner of a file can exchange or remove it.
        var isSticky: Bool { mode & 0o1000 != 0 }
    }

    /// The folder itself.
    let folder: Folder
    /// The user for whom it is judged.
    let user: UInt32
    /// The user to whom root gave this folder, or one above it: a home, or the folder of a service; nil: nobody.
    private(set) var givenTo: UInt32?
    /// What is wrong with the folders above it; nil: nothing.
    private let above: String?
    /// The owner of `/`: in a user namespace root has no number, and the folders of the system are its.
    private let system: UInt32

    /// The root of the file system.
    init(root: Folder, user: UInt32) {
        (folder, self.user, system, above) = (root, user, root.owner, nil)
    }

    private init(_ folder: Folder, below parent: FolderTrust) {
        (self.folder, user, system) = (folder, parent.user, parent.system)
        above = parent.above ?? parent.problemAsWay
        // Whoever can put a folder there may not pass for the one whom root chose.
        guard !parent.folder.isOpenToOthers else { return }
        if let owner = parent.givenTo {
            givenTo = [owner, user, 0].contains(folder.owner) ? owner : nil
        } else if parent.problemForLinks == nil, parent.folder.owner == 0 || parent.folder.owner == system,
            folder.owner != 0, folder.owner != user
        {
            givenTo = folder.owner
        }
    }

    /// The same judgement of a folder in this one.
    func entering(_ next: Folder) -> FolderTrust { FolderTrust(next, below: self) }

    /// Why others can change what is in it, as a clause that names the folder; nil: only this user and root can.
    var problem: String? { above ?? ownerProblem ?? (folder.isOpen ? openProblem : nil) }

    /// The same for links in it and files that a person has named: a group of one is nobody else.
    var problemForLinks: String? { above ?? ownerProblem ?? (folder.isOpenToOthers ? openProblem : nil) }

    /// The same for a place that everybody may use, as /tmp: others cannot touch the files of this user there.
    var problemAsPublic: String? { above ?? ownerProblem ?? (folder.isOpen && !folder.isSticky ? openProblem : nil) }

    /// Root relies on it all the same: it gave the folder to a user, who cannot do more with it than root.
    var isForRoot: Bool { user == 0 && host != nil }

    /// The user who may answer at a socket in it, beside this user and root; nil: nobody else.
    var host: UInt32? { folder.isOpen ? nil : givenTo }

    private var ownerProblem: String? {
        folder.owner == user || folder.owner == 0
            ? nil : "the folder \(folder.path) belongs to user \(folder.owner)"
    }

    private var openProblem: String { "others can write to the folder \(folder.path)" }

    /// On the way to another folder: whoever owns it, or can write to it, can put another folder there.
    private var problemAsWay: String? {
        (folder.owner == system ? nil : ownerProblem) ?? (folder.isOpenToOthers && !folder.isSticky ? openProblem : nil)
    }
}
