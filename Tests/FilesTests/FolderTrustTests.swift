import DockTypes
import Glibc
import TestSupport
import Testing

@testable import Files

/// Who can change the contents of a folder, as a pure decision.
@Suite struct FolderTrustTests {
    private typealias Folder = FolderTrust.Folder

    /// The trust of a user along a path from the root: names with owner and mode.
    private func trust(_ user: UInt32, root: UInt32 = 0, _ way: [(String, UInt32, UInt32)]) -> FolderTrust {
        var trust = FolderTrust(root: Folder(path: "/", owner: root, mode: 0o755), user: user), path = ""
        for (name, owner, mode) in way {
            path += "/" + name
            trust = trust.entering(Folder(path: path, owner: owner, mode: mode))
        }
        return trust
    }

    @Test func `a home and its contents belong to the user`() {
        let mine = trust(7, [("home", 0, 0o755), ("me", 7, 0o700), ("state", 7, 0o755)])
        #expect(mine.problem == nil && mine.problemAsPublic == nil && mine.host == nil)
    }

    @Test func `in a public folder only what belongs to the user is safe`() {
        let mine = trust(7, [("tmp", 0, 0o1777), ("dockface-7", 7, 0o700)])
        #expect(mine.problem == nil)
        let theirs = trust(7, [("tmp", 0, 0o1777), ("dockface-7", 8, 0o700)])
        #expect(theirs.problem == "the folder /tmp/dockface-7 belongs to user 8" && theirs.problemAsPublic != nil)
        #expect(theirs.host == nil, "a folder that any user could create is not assigned to a service")
        let open = trust(7, [("tmp", 0, 0o1777), ("dockface-7", 7, 0o770)])
        #expect(open.problem == "others can write to the folder /tmp/dockface-7" && open.problemAsPublic != nil)
        let public_ = trust(7, [("tmp", 0, 0o1777)])
        #expect(public_.problem != nil && public_.problemAsPublic == nil)
        let root = trust(0, [("tmp", 0, 0o1777), ("dockface-0", 8, 0o700)])
        #expect(root.problem != nil && !root.isForRoot)
    }

    @Test func `a parent folder that others can write to, or that is theirs, spoils its contents`() {
        #expect(
            trust(7, [("shared", 0, 0o777), ("mine", 7, 0o700)]).problem == "others can write to the folder /shared")
        #expect(trust(7, [("home", 0, 0o755), ("other", 8, 0o755), ("mine", 7, 0o700)]).problem != nil)
        #expect(trust(7, [("tmp", 0, 0o1777), ("a", 8, 0o755), ("mine", 7, 0o700)]).problem != nil)
    }

    @Test func `a folder that root gave to a service has a host, and no folder below a public one has`() {
        let service = trust(7, [("run", 0, 0o755), ("dockface", 900, 0o755)])
        #expect(service.host == 900 && service.problem != nil)
        #expect(trust(7, [("srv", 0, 0o755), ("robot", 900, 0o770)]).host == nil, "others can write there")
        #expect(trust(7, [("home", 0, 0o755), ("a", 900, 0o755), ("b", 900, 0o700)]).host == 900)
        #expect(trust(7, [("home", 0, 0o755), ("a", 900, 0o755), ("b", 901, 0o700)]).host == nil)
        #expect(trust(7, [("tmp", 0, 0o1777), ("a", 900, 0o755), ("b", 900, 0o700)]).host == nil)
        // Root relies on it; root could do whatever its owner does.
        #expect(trust(0, [("var", 0, 0o755), ("dockface", 900, 0o755)]).isForRoot)
        #expect(!service.isForRoot)
    }

    @Test func `the remedy names the folder at fault, and only one that the user may change`() {
        let above = trust(7, [("home", 0, 0o755), ("me", 7, 0o777), ("state", 7, 0o755)])
        #expect(above.problem == "others can write to the folder /home/me" && above.remedy == "chmod go-w /home/me")
        #expect(trust(7, [("home", 0, 0o755), ("it's", 7, 0o770)]).remedy == #"chmod go-w '/home/it'\''s'"#)
        #expect(trust(7, [("shared", 0, 0o777), ("mine", 7, 0o700)]).remedy == nil, "it is the system's")
        #expect(trust(7, [("tmp", 0, 0o1777), ("dockface-7", 8, 0o700)]).remedy == nil, "it is another user's")
        #expect(trust(0, [("tmp", 0, 0o1777)]).remedy == nil, "a public folder stays public")
        #expect(trust(7, [("home", 0, 0o755), ("me", 7, 0o700)]).remedy == nil)
    }

    @Test func `a private group may write what the user may`() {
        var status = stat()
        (status.st_mode, status.st_uid, status.st_gid) = (S_IFDIR | 0o775, 7, 70)
        let home = FolderTrust(root: Folder(path: "/", owner: 0, mode: 0o755), user: 7)
        #expect(home.entering(Folder(path: "/x", status, privateGroup: 71)).problemForLinks != nil)
        let private_ = home.entering(Folder(path: "/x", status, privateGroup: 70))
        #expect(private_.problemForLinks == nil && private_.problem != nil, "latches and sockets are not for a group")
        #expect(private_.entering(Folder(path: "/x/y", owner: 7, mode: 0o700)).problem == nil)
        status.st_mode |= 0o002
        #expect(home.entering(Folder(path: "/x", status, privateGroup: 70)).problemForLinks != nil)
    }

    @Test func `in a user namespace the system folders belong to the owner of the root`() {
        let inside = trust(7, root: 65_534, [("home", 65_534, 0o755), ("me", 7, 0o700)])
        #expect(inside.problem == nil)
    }
}

/// Paths that are followed, and output files at their ends, on a real file system.
@Suite struct PathWalkTests {
    private func folder(_ mode: mode_t = 0o700) throws -> String {
        let path = TemporaryFile.freePath("walk")
        try #require(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
        return path
    }

    private func text(_ path: String) -> String? { TemporaryFile.text(of: path) }

    private func put(_ text: String, _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fputs(text, file)
        fclose(file)
    }

    @Test func `a file that is replaced keeps its permissions, except those of a file with another hard link`() throws {
        let own = try folder(), file = own + "/file"
        func mode() -> mode_t? {
            var status = stat()
            return stat(file, &status) == 0 ? status.st_mode & 0o777 : nil
        }
        try OutputFile.replace(file, with: [65], mode: 0o600)
        #expect(mode() == 0o600, "a new file")
        try #require(chmod(file, 0o640) == 0)
        try OutputFile.replace(file, with: [66], mode: 0o600)
        #expect(mode() == 0o640 && text(file) == "B")
        try #require(link(file, own + "/other") == 0)
        try OutputFile.replace(file, with: [67], mode: 0o600)
        #expect(mode() == 0o600 && text(own + "/other") == "B")
    }

    @Test func `a file that is replaced keeps its group`() throws {
        let file = try folder() + "/file"
        try OutputFile.replace(file, with: [65], mode: 0o600)
        // Root may choose any group, and another user one of theirs. A user with one group cannot test this.
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = Int(getgroups(Int32(groups.count), &groups))
        let others = geteuid() == 0 ? [getegid() + 1] : groups.prefix(max(count, 0)).filter { $0 != getegid() }
        guard let other = others.first, chown(file, uid_t.max, other) == 0 else { return }
        try #require(chmod(file, 0o640) == 0)
        try OutputFile.replace(file, with: [66], mode: 0o600)
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_gid == other && status.st_mode & 0o777 == 0o640)
    }

    @Test func `a link in our own folder is followed, one in a folder that others can write to is not`() throws {
        let own = try folder(), open = try folder(0o777), sticky = try folder(0o1777)
        let precious = own + "/precious"
        for (place, isSafe) in [(own, true), (open, false), (sticky, false)] {
            try put("precious", precious)
            let link = place + "/link"
            try #require(symlink(precious, link) == 0)
            if isSafe {
                try StoredFile.write("new", to: link)
                #expect(text(precious) == "new")
                try OutputFile.replace(link, with: Array("newer".utf8))
                #expect(text(precious) == "newer")
                try OutputFile.write(Array("newest".utf8), to: link)
                #expect(text(precious) == "newest")
                var status = stat()
                #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK, "a link stays a link")
            } else {
                for write: (String) throws -> Void in [
                    { try StoredFile.write("new", to: $0) }, { try StoredFile.probe($0) },
                    { try OutputFile.replace($0, with: [65]) }, { try OutputFile.write([65], to: $0) },
                ] {
                    do {
                        try write(link)
                        Issue.record("a planted link was followed")
                    } catch let error as DockError {
                        #expect(error.code == .permission && error.message.contains(link), "\(error)")
                    }
                }
                #expect(text(precious) == "precious")
            }
        }
    }

    @Test func `a linked folder in the path is followed by the same rule`() throws {
        let own = try folder(), open = try folder(0o777)
        try #require(mkdir(own + "/real", 0o700) == 0)
        try #require(symlink("real", own + "/linked") == 0 && symlink(own + "/real", open + "/linked") == 0)
        try StoredFile.write("a", to: own + "/linked/../linked/new/file")
        #expect(text(own + "/real/new/file") == "a")
        #expect(throws: DockError.self) { try StoredFile.write("b", to: open + "/linked/new/file") }
        #expect(throws: DockError.self) { try StoredFile.remove(open + "/linked/new/file") }
        #expect(text(own + "/real/new/file") == "a")
        try StoredFile.remove(own + "/linked/new/file")
        #expect(text(own + "/real/new/file") == nil)
    }

    @Test func `a second name of our file, in a folder that others can write to, is not overwritten`() throws {
        let own = try folder(), sticky = try folder(0o1777)
        try put("precious", own + "/precious")
        try #require(link(own + "/precious", sticky + "/out") == 0)
        #expect(throws: DockError.self) { try OutputFile.write([65], to: sticky + "/out") }
        #expect(text(own + "/precious") == "precious")
        // Replacing by name leaves the other file alone.
        try OutputFile.replace(sticky + "/out", with: [65])
        #expect(text(own + "/precious") == "precious" && text(sticky + "/out") == "A")
    }

    @Test(.timeLimit(.minutes(10)))
    func `a pipe without a reader is an error, and one with a reader is written to`()
        throws
    {
        let own = try folder(), pipe = own + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        do {
            try OutputFile.replace(pipe, with: [65])
            Issue.record("a pipe without a reader was accepted")
        } catch {
            #expect(error.exitStatus == 69 && error.message.contains("the pipe has no reader"), "\(error)")
        }
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try OutputFile.replace(pipe, with: [65, 66])
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 2 && bytes[0] == 65)
    }

    @Test func `devices and the kernel's own links are written to`() throws {
        try OutputFile.replace("/dev/null", with: [65])
        let own = try folder(), file = open(own + "/file", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        try OutputFile.replace("/proc/self/fd/\(file)", with: [65])
        #expect(text(own + "/file") == "A")
    }

    @Test func `loops, files in the path and folders at its end are errors`() throws {
        let own = try folder()
        try #require(symlink("loop", own + "/loop") == 0)
        try put("x", own + "/file")
        for path in ["/loop", "/loop/x", "/file/x", "/", "/.", "/missing/x"] {
            #expect(throws: DockError.self, "\(path)") { try OutputFile.write([65], to: own + path) }
        }
        #expect(throws: DockError.self) { try OutputFile.replace(own, with: [65]) }
    }
}
