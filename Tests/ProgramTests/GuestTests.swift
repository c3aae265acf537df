import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Members of the group that shares the socket command the dock as programs do, and its owner as a person.
    @Suite(.timeLimit(.minutes(10))) struct Guests {
        /// Becomes the user `nobody`, as a member of the group, and sends words.
        private static let script = """
            import json, os, socket, sys
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            link = socket.socket(socket.AF_UNIX); link.connect(sys.argv[1])
            lines = link.makefile("r"); lines.readline()
            for number, words in enumerate(["stop", "clear", "quit", "estop", "clear"]):
                if words == "estop":
                    print("second", flush=True); sys.stdin.readline()
                link.sendall(json.dumps({"id": number, "method": "command", "params": {"line": words}}).encode() + b"\\n")
                answer = json.loads(lines.readline())
                error = answer.get("error", {})
                print(words, error.get("data", {}).get("name", "ok"), error.get("data", {}).get("hint", ""), flush=True)
            """

        @Test func `a group that does not exist ends the start`() throws {
            let program = try Program([
                "run", "--port", "sim", "--detector", "none", "--socket-group", "no-such-group",
            ])
            #expect(program.end() == .exit(78), "\(program.errors)")
            #expect(program.errors.contains("no-such-group"))
        }

        @Test(.enabled(if: geteuid() == 0 && getgrnam("nogroup")?.pointee.gr_gid == 65534, "needs root and nogroup"))
        func `a member of the group stops the dock, but neither clears what a person latched nor ends the daemon`()
            throws
        {
            let folder = TemporaryFile.freePath("shared")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            chmod(folder, 0o755)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let socket = folder + "/control.sock"
            let daemon = try ControlledDaemon(
                ["--detector", "none", "--socket-group", "nogroup", "--socket", socket], waits: false)
            try daemon.daemon.waitForDock()
            let owner = ["DOCKFACE_SOCKET": socket]
            func say(_ words: String) throws -> String {
                try ForeignWay.run(words.split(separator: " ").map(String.init), environment: owner)
                    .map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            }
            #expect(try say("estop").contains("ok"))
            var setup = Program.Setup()
            setup.path = "/usr/bin/env"
            let guest = try Program(["python3", "-c", Self.script, socket], setup)
            #expect(guest.wait { guest.output.contains("second") }, "\(guest.output) \(guest.errors)")
            #expect(guest.output.hasPrefix("stop ok"), "\(guest.output)")
            #expect(guest.output.contains("clear busy") && guest.output.contains("quit busy"), "\(guest.output)")
            #expect(guest.output.contains("only the daemon's user or root ranks as a person"), "\(guest.output)")
            #expect(try say("clear").contains("cleared"))
            // What a program latched, a program may clear.
            guest.tell("go on")
            #expect(guest.end() == .exit(0), "\(guest.errors)")
            #expect(guest.output.contains("estop ok") && guest.output.contains("\nclear ok"), "\(guest.output)")
        }
    }
}
