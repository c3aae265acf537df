import Foundation
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// What another user of the machine prepares below /tmp. Only root can act as two users.
    @Suite(.serialized, .enabled(if: geteuid() == 0, "only root can act as two users"), .timeLimit(.minutes(10)))
    struct OtherUsers {
        /// User ids without an account.
        private static let victim: UInt32 = 61_234, stranger: UInt32 = 61_235

        /// A program that runs as a user.
        private func start(_ words: [String], as user: UInt32, _ environment: [String: String] = [:]) throws -> Program
        {
            var setup = Program.Setup()
            setup.path = "/usr/bin/setpriv"
            setup.environment = ["XDG_RUNTIME_DIR": "", "HOME": "/nonexistent"].merging(environment) { $1 }
            let options = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]
            return try Program(options + words, setup)
        }

        private func dockface(_ words: [String], _ environment: [String: String] = [:]) throws -> Program {
            try start([Place.program("dockface")] + words, as: Self.victim, environment)
        }

        /// A fake daemon that answers yes to everything, and prints what it received.
        private static let impostor = """
            import os, socket, sys
            os.makedirs(sys.argv[1], exist_ok=True)
            os.chmod(sys.argv[1], 0o755)
            path = sys.argv[1] + "/dockface.sock"
            if os.path.exists(path): os.unlink(path)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            os.chmod(path, 0o777)
            listener.listen(8)
            print("listens", flush=True)
            while True:
                link, _ = listener.accept()
                try:
                    link.sendall(b'{"name":"dockface","version":"0.1.0","protocol":1}\\n')
                    for line in link.makefile():
                        print("heard " + line, end="", flush=True)
                        link.sendall(b'{"jsonrpc":"2.0","id":1,"result":{"answer":"stopped"}}\\n')
                except OSError:
                    pass
                print("gone", flush=True)
            """

        private func impostor(in folder: String, as user: UInt32) throws -> Program {
            let program = try start(["/usr/bin/python3", "-c", Self.impostor, folder], as: user)
            #expect(program.line() == "listens", "\(program.errors)")
            return program
        }

        private var fallback: String { "/tmp/dockface-\(Self.victim)" }

        private func remove(_ paths: String...) {
            for path in paths { try? FileManager.default.removeItem(atPath: path) }
        }

        @Test func `a stop is not sent to another user who waits for it below /tmp`() throws {
            remove(fallback)
            defer { remove(fallback) }
            let stranger = try impostor(in: fallback, as: Self.stranger)
            for words in [["stop"], ["estop"], ["status"], ["stop", "--socket", fallback + "/dockface.sock"]] {
                let verb = try dockface(words)
                #expect(verb.end() == .exit(77), "\(words) \(verb.output) \(verb.errors)")
                #expect(verb.errors.contains("\(Self.stranger)") && verb.output.isEmpty, "\(verb.errors)")
            }
            let python = try start(
                ["/usr/bin/python3", "-c", "import dockface; dockface.Dock().stop()"], as: Self.victim,
                ["PYTHONPATH": Place.file("clients/python"), "PYTHONDONTWRITEBYTECODE": "1"])
            #expect(python.end() == .exit(1) && python.errors.contains("is not safe"), "\(python.errors)")
            #expect(!stranger.output.contains("heard"), "\(stranger.output)")
            // A link to a folder of another user is no better.
            try #require(rename(fallback, fallback + "-real") == 0)
            defer { remove(fallback + "-real") }
            try #require(
                symlink(fallback + "-real", fallback) == 0 && lchown(fallback, Self.stranger, Self.stranger) == 0)
            let linked = try dockface(["stop"])
            #expect(linked.end() == .exit(77) && linked.errors.contains("is not followed"), "\(linked.errors)")
            #expect(!stranger.output.contains("heard"))
        }

        @Test func `a socket in a folder that root gave to another user is trusted, as that of the service`() throws {
            let folder = "/run/dockface-test-\(getpid())"
            mkdir(folder, 0o755)
            chown(folder, Self.stranger, Self.stranger)
            defer { remove(folder) }
            let service = try impostor(in: folder, as: Self.stranger)
            let verb = try dockface(["stop", "--socket", folder + "/dockface.sock"])
            #expect(verb.end() == .exit(0), "\(verb.errors)")
            #expect(service.wait { service.output.contains("heard") })
        }

        @Test func `a daemon does not use a folder that another user has made for it`() throws {
            remove(fallback)
            defer { remove(fallback) }
            mkdir(fallback, 0o777)
            chmod(fallback, 0o777)
            chown(fallback, Self.stranger, Self.stranger)
            let daemon = try dockface(["run", "--port", "sim", "--headless", "--detector", "none", "--seconds", "2"])
            #expect(
                daemon.end() == .exit(77) && daemon.errors.contains("belongs to user \(Self.stranger)"),
                "\(daemon.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: fallback).isEmpty)
            // Nor its own folder if others can write to it.
            chown(fallback, Self.victim, Self.victim)
            let open = try dockface(["run", "--port", "sim", "--headless", "--detector", "none", "--seconds", "2"])
            #expect(open.end() == .exit(77) && open.errors.contains("others can write to"), "\(open.errors)")
            chmod(fallback, 0o700)
            let own = try dockface(["run", "--port", "sim", "--headless", "--detector", "none", "--seconds", "1"])
            #expect(own.end() == .exit(0), "\(own.errors)")
        }

        @Test func `metrics are not written through a link of another user`() throws {
            let daemon = try FakeDaemon { _ in [.result(#"{"text":"dockface_up 1\n"}"#)] }
            defer { daemon.end() }
            let own = TemporaryFile.freePath("own"), shared = TemporaryFile.freePath("shared")
            defer { remove(own, shared) }
            mkdir(own, 0o700)
            mkdir(shared, 0o700)
            chmod(shared, 0o1777)
            try "precious".write(toFile: own + "/precious", atomically: false, encoding: .utf8)
            let link = shared + "/dockface.prom"
            try #require(symlink(own + "/precious", link) == 0 && lchown(link, Self.stranger, Self.stranger) == 0)
            var setup = Program.Setup()
            setup.environment = ["DOCKFACE_SOCKET": daemon.path]
            let verb = try Program(["metrics", "--output", link], setup)
            #expect(verb.end() == .exit(77) && verb.errors.contains("is not followed"), "\(verb.errors)")
            #expect(TemporaryFile.text(of: own + "/precious") == "precious")
            // Nor through the temporary file, whose name could be guessed when it contained the process id.
            let pipe = own + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let unread = try Program(["metrics", "--output", pipe], setup)
            #expect(unread.end() == .exit(69) && unread.errors.contains("the pipe has no reader"), "\(unread.errors)")
            let written = try Program(["metrics", "--output", own + "/metrics"], setup)
            #expect(written.end() == .exit(0) && TemporaryFile.text(of: own + "/metrics") == "dockface_up 1\n")
        }
    }
}
