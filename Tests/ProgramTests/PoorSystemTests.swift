import Foundation
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Systems that lack something: no /proc, little memory; and a daemon that is killed.
    @Suite(.timeLimit(.minutes(10))) struct PoorSystems {
        private func dockface(
            through script: String, _ words: [String], _ environment: [String: String] = [:],
            shell: [String] = ["/bin/sh"]
        ) throws -> Program {
            var setup = Program.Setup()
            setup.path = shell[0]
            setup.environment = environment
            return try Program(
                shell.dropFirst() + ["-c", script + "\nexec \"$@\"", "sh", Place.program("dockface")] + words, setup)
        }

        @Test(.enabled(if: geteuid() == 0, "only root can hide /proc"))
        func `without proc a verb keeps its arguments`() throws {
            let daemon = try FakeDaemon { _ in [.result(#"{"answer":"done"}"#)] }
            defer { daemon.end() }
            let shell = ["/usr/bin/unshare", "-m", "/bin/sh"]
            let verb = try dockface(
                through: "mount -t tmpfs none /proc || exit 3", ["stop"], ["DOCKFACE_SOCKET": daemon.path], shell: shell
            )
            #expect(verb.end() == .exit(0), "\(verb.errors)")
            #expect(daemon.words == ["stop"] && verb.output == "ok done\n")
            let wrong = try dockface(through: "mount -t tmpfs none /proc || exit 3", ["stpo"], shell: shell)
            #expect(wrong.end() == .exit(64) && wrong.errors.contains("did you mean"), "\(wrong.errors)")
        }

        @Test(
            .serialized,
            arguments: [
                ("-v", 200_000), ("-v", 400_000), ("-d", 20_000), ("-d", 60_000), ("-s", 128),
                ("-s", 256),
            ])
        func `with too little memory a run does not begin, and says what to raise`(_ limit: String, _ kibibytes: Int)
            throws
        {
            let run = try dockface(
                through: "ulimit \(limit) \(kibibytes)",
                ["run", "--port", "sim", "--headless", "--detector", "none", "--seconds", "60", "--socket", "none"])
            #expect(run.end() == .exit(69), "\(run.errors)")
            #expect(run.errors.contains("ulimit \(limit)"), "\(run.errors)")
        }

        @Test(.serialized, arguments: [("-v", 800_000), ("-d", 300_000), ("-s", 512)])
        func `with enough memory it meets its deadlines`(_ limit: String, _ kibibytes: Int) throws {
            let run = try dockface(
                through: "ulimit \(limit) \(kibibytes)",
                ["run", "--port", "sim", "--headless", "--detector", "none", "--seconds", "1", "--socket", "none"])
            #expect(run.end() == .exit(0), "\(run.errors)")
        }

        /// Gone, or dead and not yet reaped.
        private func isGone(_ id: pid_t) -> Bool {
            guard let text = TemporaryFile.text(of: "/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else {
                return true
            }
            return text[end...].hasPrefix(") Z")
        }

        @Test
        func `a detector that ignores every request to end, and its children, end with a daemon that is killed`()
            throws
        {
            let pids = TemporaryFile.freePath("pids"), script = TemporaryFile.freePath("detector.sh")
            defer {
                unlink(pids)
                unlink(script)
            }
            try """
            #!/bin/sh
            trap '' TERM INT HUP
            sleep 1000 &
            echo $$ $! > \(pids).new
            mv \(pids).new \(pids)
            wait
            """.write(toFile: script, atomically: false, encoding: .utf8)
            chmod(script, 0o755)
            let run = try Program([
                "run", "--port", "sim", "--headless", "--socket", "none", "--detector", "exec:\(script)",
            ])
            #expect(run.wait(15, until: { access(pids, F_OK) == 0 }), "\(run.errors)")
            let words = try #require(TemporaryFile.text(of: pids)).split { $0 == " " || $0 == "\n" }
            let children = words.compactMap { pid_t($0) }
            try #require(children.count == 2 && !children.contains(where: isGone))
            defer { for child in children { kill(child, SIGKILL) } }
            run.signal(SIGKILL)
            #expect(run.end() == .signal(SIGKILL))
            #expect(eventually { children.allSatisfy(isGone) }, "\(children)")
        }
    }
}
