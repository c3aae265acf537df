import CPosix
import DockControl
import DockTypes
import Glibc
import TestSupport
import Testing

@testable import Companion
@testable import DockClient

@Suite struct ControlTestsSocket {
    private func mode(_ path: String) -> UInt32? {
        var info = stat()
        return lstat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }

    private func refusal(_ path: String) -> DockError? {
        do throws(DockError) {
            try ControlSocket(path: path).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func `folder, socket and lock are for the owner alone, and socket and lock are removed with the server`()
        throws
    {
        let path = TestServer.freePath(), folder = ControlSocketPath.folder(of: path)
        defer { rmdir(folder) }
        let socket = try ControlSocket(path: path)
        #expect(mode(folder) == 0o700 && mode(path) == 0o600 && mode(path + ".lock") == 0o600)
        socket.close()
        #expect(mode(path) == nil && mode(path + ".lock") == nil && mode(folder) == 0o700)
    }

    @Test func `a second daemon is refused, and the error names the running one and what to do`() throws {
        let served = try TestServer()
        let error = try #require(refusal(served.path))
        #expect(error.code == .portBusy && error.exitStatus == 75)
        #expect(error.message.contains("process \(getpid())") && error.message.contains(served.path))
        #expect(error.hint.contains("--socket"))
        // The first one still works.
        #expect(try TestClient(served.path).ask("stop")["result"] != nil)
    }

    @Test func `files of a dead daemon are replaced, those of a running program are not`() throws {
        let path = TestServer.freePath(), folder = ControlSocketPath.folder(of: path)
        mkdir(folder, 0o700)
        defer {
            unlink(path)
            rmdir(folder)
        }
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(ControlSocketPath.withAddress(path) { bind(other, $0, $1) } == 0)
        listen(other, 1)
        #expect(refusal(path)?.code == .portBusy)
        close(other)
        #expect(mode(path) != nil)
        let served = try TestServer(path: path)
        #expect(try TestClient(served.path).ask("stop")["result"] != nil)
    }

    @Test func `a file that is not a socket is left alone`() throws {
        let file = try TemporaryFile("precious")
        #expect(refusal(file.path)?.code == .cannotOpen)
        #expect(TemporaryFile.text(of: file.path) == "precious")
    }

    @Test func `an invalid socket path is refused with its length limit`() {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        #expect(refusal(long)?.message.contains("107 bytes") == true)
        #expect(refusal("")?.code == .cannotOpen)
        #expect(refusal("/tmp/a\0b")?.code == .cannotOpen)
        #expect(refusal("/nonexistent/folder/x.sock")?.message.contains("/nonexistent/folder") == true)
    }

    @Test func `a folder in a public place that others could write to is refused`() throws {
        let path = TestServer.freePath(), folder = ControlSocketPath.folder(of: path)
        mkdir(folder, 0o700)
        chmod(folder, 0o770)
        defer { rmdir(folder) }
        #expect(refusal(path)?.code == .permission)
        chmod(folder, 0o700)
        #expect(refusal(path) == nil)
        let link = TemporaryFile.freePath("link-\(TestServer.next())")
        symlink(folder, link)
        defer { unlink(link) }
        #expect(refusal(link + "/control.sock") != nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `a folder of another user is refused`() throws {
        let path = TestServer.freePath(), folder = ControlSocketPath.folder(of: path)
        mkdir(folder, 0o700)
        defer { rmdir(folder) }
        #expect(chown(folder, 12_345, 12_345) == 0)
        let error = try #require(refusal(path))
        #expect(error.code == .permission && error.message.contains("12345") && error.exitStatus == 77)
    }

    @Test func `the process at the other end is known`() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(SocketPeer(of: ends[0])?.user == geteuid())
        #expect(SocketPeer(of: ends[0])?.process == getpid())
        #expect(SocketPeer(of: -1) == nil)
    }

    @Test func `a server can be ended at any time, also before it began, and its path taken again`() throws {
        let path = TestServer.freePath()
        defer { rmdir(ControlSocketPath.folder(of: path)) }
        try ControlServer(path: path, version: "1", backend: FakeBackend()).stop()
        for _ in 0..<20 {
            let served = try TestServer(path: path)
            let client = try TestClient(path)
            client.send(request("home") + [0x0A])
            served.server.stop()
            served.server.stop()
            #expect(served.backend.seen.disconnected == [1])
            while try client.lineBytes() != nil {}
        }
    }

    // MARK: removed files

    @Test func `removed files are restored, and a second daemon is still refused`() throws {
        let served = try TestServer(), folder = ControlSocketPath.folder(of: served.path)
        let lock = served.path + ".lock"
        let ways: [(String, () -> Void)] = [
            ("the socket", { unlink(served.path) }), ("the lock", { unlink(lock) }),
            (
                "both",
                {
                    unlink(served.path)
                    unlink(lock)
                }
            ),
            (
                "the folder",
                {
                    unlink(served.path)
                    unlink(lock)
                    rmdir(folder)
                }
            ),
            ("the folder, which is another one now", { rename(folder, folder + ".old") }),
        ]
        defer {
            for name in ["/control.sock", "/control.sock.lock"] { unlink(folder + ".old" + name) }
            rmdir(folder + ".old")
        }
        let before = try TestClient(served.path)
        for (what, takeAway) in ways {
            takeAway()
            served.server.look()
            #expect(eventually { mode(served.path) == 0o600 && mode(lock) == 0o600 }, "\(what)")
            #expect(mode(folder) == 0o700)
            #expect(try TestClient(served.path).ask("stop")["result"] != nil, "\(what)")
            #expect(refusal(served.path)?.code == .portBusy, "\(what)")
        }
        #expect(try before.ask("stop")["result"] != nil, "the earlier client is still connected")
    }

    @Test func `a client that connects just before the file is removed is admitted`() throws {
        let served = try TestServer()
        let client = try TestClient(served.path, greeted: false)
        unlink(served.path)
        served.server.look()
        #expect(try client.line()["name"] == .string("dockface"))
    }

    @Test func `another daemon that took the place meanwhile keeps it`() throws {
        let path = TestServer.freePath()
        let first = try ControlSocket(path: path)
        unlink(path)
        unlink(path + ".lock")
        let second = try TestServer(path: path)
        #expect(throws: DockError.self) { try first.restore() }
        first.close()
        #expect(try TestClient(path).ask("stop")["result"] != nil && mode(path + ".lock") == 0o600)
        #expect(second.server.hasAudience(.face) == false)
    }

    /// Takes every descriptor of the process, so it runs alone: DOCKFACE_TEST_DESCRIPTORS=1.
    @Test(.enabled(if: getenv("DOCKFACE_TEST_DESCRIPTORS") != nil))
    func `a process without descriptors reports that, does not spin, and recovers`() throws {
        let served = try TestServer()
        let first = try TestClient(served.path)
        let waiting = (0..<3).map { _ in socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
        var taken: [Int32] = []
        while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
        for descriptor in waiting {
            #expect(ControlSocketPath.withAddress(served.path) { connect(descriptor, $0, $1) } == 0)
        }
        // The reserve admits them, and they may stop.
        for descriptor in waiting {
            let line = request("stop") + [0x0A]
            #expect(send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count)
            var said = ""
            while !said.contains(#""result""#) {
                var chunk = [UInt8](repeating: 0, count: 1000)
                let count = recv(descriptor, &chunk, chunk.count, 0)
                try #require(count > 0, "\(said)")
                said += String(decoding: chunk[..<count], as: UTF8.self)
            }
        }
        var before = rusage(), after = rusage()
        getrusage(RUSAGE_SELF.rawValue, &before)
        _ = try first.ask("stop")
        var nothing = pollfd(fd: -1, events: 0, revents: 0)
        poll(&nothing, 0, 1000)
        getrusage(RUSAGE_SELF.rawValue, &after)
        let spent =
            Double(after.ru_utime.tv_sec - before.ru_utime.tv_sec)
            + Double(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6
        #expect(spent < 0.2)
        for descriptor in taken + waiting { close(descriptor) }
        #expect(try TestClient(served.path).ask("stop")["result"] != nil)
    }
}
