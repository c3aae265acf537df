internal import CPosix
package import Glibc

/// The reason why a path cannot or must not be followed.
public struct PathFailure: Error {
    /// The value of errno.
    public let number: Int32
    /// What is wrong, as a clause, or nil for the system's own text.
    public var text: String?
    /// What to do, as an imperative, or nil for the usual advice for the error number.
    public var hint: String?

    /// Creates a reason. Without a text, the text for the error number applies.
    public init(number: Int32, text: String? = nil, hint: String? = nil) {
        (self.number, self.text, self.hint) = (number, text, hint)
    }
}

/// A folder that is held open. The folder that was checked is the one that is used, even if its name changes meanwhile.
public final class OpenFolder: Sendable {
    /// The path from the root, without links.
    public let path: String
    /// Descriptor for system calls that end in `at`; it cannot be read or synchronised.
    public let descriptor: Int32
    /// The users who can change its contents.
    public let trust: FolderTrust

    fileprivate init(path: String, descriptor: Int32, trust: FolderTrust) {
        (self.path, self.descriptor, self.trust) = (path, descriptor, trust)
    }

    deinit { close(descriptor) }

    /// Opens a folder.
    /// - Parameter makes: which missing folders are created, for their owner only.
    public static func open(_ path: String, makes: PathWalk.Makes = .none) throws(PathFailure) -> OpenFolder {
        var walk = try PathWalk(path)
        while let name = walk.next() { try walk.enter(name, makes: makes) }
        return walk.folder
    }

    /// Returns the status of an entry without following links, or nil if there is no such entry.
    package func status(of name: String) throws(PathFailure) -> stat? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw PathFailure(number: errno) }
        return nil
    }

    /// Writes its list of names to the disk, if the system permits it.
    package func synchronise() {
        let readable = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard readable >= 0 else { return }
        fsync(readable)
        close(readable)
    }
}

/// A name in a folder that is held open: the place of a file that exists or will be created.
public struct FilePlace: Sendable {
    /// The folder.
    public let folder: OpenFolder
    /// The name in it.
    public let name: String
    /// Whether it is one of the kernel's links, such as /proc/self/fd/1, which lead to open files without a path.
    public var isKernelLink = false

    /// Creates the place of a name in a folder.
    public init(folder: OpenFolder, name: String, isKernelLink: Bool = false) {
        (self.folder, self.name, self.isKernelLink) = (folder, name, isKernelLink)
    }

    /// Returns the place to which a path leads.
    /// - Parameter followsLast: whether a link at its end is followed.
    public static func find(
        _ path: String, followsLast: Bool = true, makes: PathWalk.Makes = .none
    ) throws(PathFailure) -> FilePlace {
        var walk = try PathWalk(path)
        while let name = walk.next() {
            guard walk.isAtEnd else {
                try walk.enter(name, makes: makes)
                continue
            }
            guard name != ".", name != ".." else { break }
            switch followsLast ? try walk.follow(name) : .none {
            case .none: return FilePlace(folder: walk.folder, name: name)
            case .kernel: return FilePlace(folder: walk.folder, name: name, isKernelLink: true)
            case .followed: continue
            }
        }
        throw PathFailure(number: EISDIR)
    }
}

/// Follows a path name by name, each in the folder that was opened before it.
///
/// It follows a link only if no user other than this user and root can have created it: the link and its folder belong
/// to them, and others cannot write to the folder. The kernel's `protected_symlinks` covers only sticky folders, and
/// not on every machine.
public struct PathWalk {
    /// Which missing folders are created.
    public enum Makes {
        /// None.
        case none
        /// The last one of the path.
        case last
        /// All of them.
        case all
    }

    /// What a name is: not a link, a link that was followed, or a kernel link.
    enum Link {
        case none, followed, kernel
    }

    /// The folders from the root to the current one.
    private var stack: [OpenFolder]
    /// The remaining names, the next one last.
    private var rest: [String] = []
    private var links = 0

    /// The maximum number of links, as in the kernel.
    private static let mostLinks = 40

    init(_ path: String) throws(PathFailure) {
        guard !path.isEmpty else { throw PathFailure(number: ENOENT) }
        guard !path.utf8.contains(0) else { throw PathFailure(number: EINVAL) }
        let descriptor = cposix_open_folder(AT_FDCWD, "/")
        guard descriptor >= 0 else { throw PathFailure(number: errno) }
        var status = stat()
        fstat(descriptor, &status)
        stack = [
            OpenFolder(
                path: "/", descriptor: descriptor,
                trust: FolderTrust(
                    root: FolderTrust.Folder(path: "/", status, privateGroup: Self.privateGroup), user: geteuid()))
        ]
        push(path)
        if !path.hasPrefix("/") {
            guard let current = getcwd(nil, 0) else { throw PathFailure(number: errno) }
            defer { free(current) }
            push(String(cString: current))
        }
    }

    /// The group that has the user's name and no other members, or nil if there is none. Many systems create such a
    /// group for each user and let it write to the user's new files.
    private static let privateGroup: UInt32? = {
        guard let account = getpwuid(geteuid()) else { return nil }
        let number = account.pointee.pw_gid, name = String(cString: account.pointee.pw_name)
        guard let group = getgrgid(number), String(cString: group.pointee.gr_name) == name else { return nil }
        var member = group.pointee.gr_mem
        while let other = member?.pointee {
            if String(cString: other) != name { return nil }
            member = member?.successor()
        }
        return number
    }()

    /// The current folder.
    var folder: OpenFolder { stack[stack.count - 1] }
    /// Whether no names remain.
    var isAtEnd: Bool { rest.isEmpty }

    /// Takes the next name.
    mutating func next() -> String? { rest.popLast() }

    /// Enters the folder with this name.
    mutating func enter(_ name: String, makes: Makes) throws(PathFailure) {
        if name == "." { return }
        if name == ".." {
            if stack.count > 1 { stack.removeLast() }
            return
        }
        var descriptor = cposix_open_folder(folder.descriptor, name)
        if descriptor < 0, errno == ENOENT, makes == .all || makes == .last && isAtEnd {
            guard mkdirat(folder.descriptor, name, 0o700) == 0 || errno == EEXIST else {
                throw PathFailure(number: errno)
            }
            descriptor = cposix_open_folder(folder.descriptor, name)
        }
        if descriptor < 0, errno == ENOTDIR || errno == ELOOP {
            switch try follow(name) {
            case .followed: return
            case .none: throw PathFailure(number: ENOTDIR)
            case .kernel: descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            }
        }
        guard descriptor >= 0 else { throw PathFailure(number: errno) }
        var status = stat()
        fstat(descriptor, &status)
        let path = (folder.path == "/" ? "" : folder.path) + "/" + name
        stack.append(
            OpenFolder(
                path: path, descriptor: descriptor,
                trust: folder.trust.entering(FolderTrust.Folder(path: path, status, privateGroup: Self.privateGroup))))
    }

    /// Continues at the target of a link, if the name is one.
    mutating func follow(_ name: String) throws(PathFailure) -> Link {
        guard let status = try folder.status(of: name), status.st_mode & S_IFMT == S_IFLNK else { return .none }
        if cposix_is_process_folder(folder.descriptor) { return .kernel }
        let isOurs = status.st_uid == 0 || status.st_uid == folder.trust.user
        guard isOurs, folder.trust.problemForLinks == nil else {
            let path = (folder.path == "/" ? "" : folder.path) + "/" + name
            throw PathFailure(
                number: EPERM,
                text: "the link \(path) is not followed: "
                    + (isOurs ? folder.trust.problemForLinks ?? "" : "it belongs to user \(status.st_uid)"),
                hint: "remove the link, or name the file that it leads to")
        }
        links += 1
        guard links <= Self.mostLinks else { throw PathFailure(number: ELOOP) }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: CChar.self).baseAddress.map {
                readlinkat(folder.descriptor, name, $0, buffer.count)
            } ?? 0
        }
        guard count > 0 else { throw PathFailure(number: count < 0 ? errno : ENOENT) }
        let text = String(decoding: target[..<count], as: UTF8.self)
        if text.hasPrefix("/") { stack.removeLast(stack.count - 1) }
        push(text)
        return .followed
    }

    /// Inserts the names of a path before the remaining ones.
    private mutating func push(_ path: String) {
        // A path that ends with a slash must be a folder.
        if path.hasSuffix("/") { rest.append(".") }
        rest += path.split(separator: "/").map(String.init).reversed()
    }
}
