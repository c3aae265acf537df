import Foundation
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Systems that have less than usual: no /proc, little memory; and a daemon that is killed.
    @Suite(.timeLimit(.minutes(2))) struct PoorSystems {
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
        func `without proc a verb keeps its words`() throws {
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

    }
}
